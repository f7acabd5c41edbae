//! Content-Disposition: what is read against a reader that goes a byte at a time, what is built
//! against what is read, and what is left of a name against the rules.

mod names;

use rfc5987::{ContentDisposition, Fallback, Policy, Profile, UntrustedFileName};

const PROFILES: [Profile; 3] = [Profile::Http, Profile::FormData, Profile::Mail];

type Params = Vec<(Vec<u8>, Vec<u8>)>;

/// The input as a header of each kind.
pub fn parse(data: &[u8]) {
    for profile in PROFILES {
        let slow = Slow { text: data, profile }.header();
        let read = match (ContentDisposition::parse_as(data, profile), slow) {
            (Ok(read), Some((kind, params))) => {
                assert_eq!(read.disposition().as_bytes(), kind, "{profile:?}");
                assert_eq!(params_of(&read), params, "{profile:?}");
                names::check(&read, &params, profile);
                read
            }
            (Err(error), None) => {
                assert!(error.offset() <= data.len());
                continue;
            }
            (got, slow) => panic!("{profile:?}: {got:?}, {slow:?}"),
        };
        // What was valid, written down again, says the same.
        let mut again = read.disposition().as_bytes().to_vec();
        for (name, value) in read.params() {
            again.extend([b"; ", name.as_bytes(), b"=", value].concat());
        }
        let again = ContentDisposition::parse_as(&again, profile).expect("it has a type");
        assert_eq!(params_of(&again), params_of(&read), "{profile:?}");
        assert_eq!((again.name(), again.filename()), (read.name(), read.filename()));
        match (read.filename_ext(), read.filename()) {
            (Some(Ok(ext)), name) => {
                assert_eq!(Some(ext.value()), name.as_deref());
                if let Some(language) = ext.language() {
                    assert!(language.is_ascii());
                }
            }
            (Some(Err(_)) | None, name) => {
                let plain =
                    params_of(&read).iter().any(|(n, _)| n.eq_ignore_ascii_case(b"filename"));
                assert_eq!(name.is_some(), plain, "{profile:?}");
            }
        }
        if let Some(name) = read.untrusted_file_name() {
            local_name(name.as_raw(), &Policy::default(), 255);
        }
    }
}

fn params_of(read: &ContentDisposition<'_>) -> Params {
    read.params().map(|(name, value)| (name.as_bytes().to_vec(), value.to_vec())).collect()
}

/// Reads by the letter of the documentation, a byte at a time.
struct Slow<'a> {
    text: &'a [u8],
    profile: Profile,
}

impl Slow<'_> {
    fn header(&self) -> Option<(Vec<u8>, Params)> {
        let start = self.blanks(0);
        let end = self.while_in(start, is_token);
        let behind = self.blanks(end);
        let junk = !self.at_end(behind);
        if end == start || (junk && behind == end) {
            return None;
        }
        let mut at = self.while_in(behind, |byte| byte != b';');
        let mut params = Params::new();
        while at < self.text.len() {
            at = self.param(at + 1, &mut params);
        }
        Some((self.text[start..end].to_vec(), params))
    }

    fn param(&self, at: usize, params: &mut Params) -> usize {
        let start = self.blanks(at);
        let end = self.while_in(start, is_token);
        let name = self.text[start..end].to_vec();
        let equals = self.blanks(end);
        if name.is_empty() || self.byte(equals) != Some(b'=') {
            return self.while_in(equals, |byte| byte != b';');
        }
        let start = self.blanks(equals + 1);
        let (end, valid) = if self.byte(start) == Some(b'"') {
            self.quoted(start).unwrap_or((start, false))
        } else {
            let end = self.while_in(start, |byte| {
                let mail = self.profile == Profile::Mail && b"{}=?/".contains(&byte);
                is_token(byte) || byte >= 0x80 || mail
            });
            (end, end > start)
        };
        let behind = self.blanks(end);
        if valid && self.at_end(behind) {
            params.push((name, self.text[start..end].to_vec()));
            return behind;
        }
        let next = self.while_in(behind, |byte| byte != b';');
        if name.last() == Some(&b'*') {
            let mut value = self.text[start..next].to_vec();
            let blanks: &[u8] = if self.profile == Profile::Mail { b" \t\r\n" } else { b" \t" };
            while value.last().is_some_and(|byte| blanks.contains(byte)) {
                value.pop();
            }
            params.push((name, value));
        }
        next
    }

    fn quoted(&self, start: usize) -> Option<(usize, bool)> {
        let (mut at, mut valid) = (start + 1, true);
        loop {
            let byte = self.byte(at)?;
            let next = self.byte(at + 1);
            let control = |byte| b"\r\n\0".contains(&byte);
            if byte == b'"' {
                return Some((at + 1, valid));
            }
            if byte == b'\\' && self.profile == Profile::FormData {
                let quote = next == Some(b'"');
                if quote && self.at_end(self.blanks(at + 2)) {
                    return Some((at + 2, valid));
                }
                at += if quote { 2 } else { 1 };
                continue;
            }
            if byte == b'\\' && next.is_some_and(|next| !control(next)) {
                at += 2;
                continue;
            }
            let fold = self.fold(at);
            if control(byte) {
                valid &= match self.profile {
                    Profile::FormData => byte == b'\0',
                    _ => fold > 0,
                };
            }
            at += fold.max(1);
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    fn at_end(&self, at: usize) -> bool {
        self.byte(at).is_none_or(|byte| byte == b';')
    }

    fn while_in(&self, mut at: usize, is: impl Fn(u8) -> bool) -> usize {
        while self.byte(at).is_some_and(&is) {
            at += 1;
        }
        at
    }

    fn blanks(&self, mut at: usize) -> usize {
        loop {
            let blank = self.byte(at).is_some_and(|byte| b" \t".contains(&byte));
            match usize::from(blank) + self.fold(at) {
                0 => return at,
                len => at += len,
            }
        }
    }

    fn fold(&self, at: usize) -> usize {
        let rest = &self.text[at.min(self.text.len())..];
        let len = if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
        let on = rest.get(len).is_none_or(|byte| b" \t".contains(byte));
        if self.profile == Profile::Mail && on { len } else { 0 }
    }
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// The input as names that are sent and come back.
pub fn round_trip(data: &[u8]) {
    let (choice, data) = crate::number(data);
    let (len, data) = crate::number(data);
    let text = String::from_utf8_lossy(data);
    let cut = text.char_indices().map(|(at, _)| at).take(len + 1).last().unwrap_or(0);
    let (first, second) = text.split_at(cut);

    let mut builder = rfc5987::Builder::attachment().filename(second);
    if choice & 1 != 0 {
        builder = builder.language(first);
    }
    if choice & 2 != 0 {
        builder = builder.param("note", first);
    }
    builder = builder.fallback(match choice & 12 {
        4 => Fallback::None,
        8 => Fallback::Custom(first),
        _ => Fallback::Auto,
    });
    if let Ok(header) = builder.build() {
        // A form reads a backslash before a quote as HTTP does not.
        let escaped = choice & 2 != 0 && first.contains(['"', '\\']);
        for profile in PROFILES.into_iter().filter(|p| *p != Profile::FormData || !escaped) {
            let read = ContentDisposition::parse_as(header.as_bytes(), profile).expect(&header);
            assert_eq!(read.filename().as_deref(), Some(second), "{profile:?}: {header}");
            assert_eq!(read.name(), None);
            let notes = read.params().filter(|(name, _)| *name == "note").count();
            assert_eq!(notes, usize::from(choice & 2 != 0), "{profile:?}: {header}");
            if let Some(ext) = read.filename_ext() {
                let language = Some(first).filter(|_| choice & 1 != 0);
                assert_eq!(ext.expect(&header).language(), language, "{header}");
            }
        }
    }

    let part = rfc5987::Builder::form_data(first).filename(second).build().expect("any names");
    let read = ContentDisposition::parse_as(part.as_bytes(), Profile::FormData).expect(&part);
    assert_eq!(read.params().count(), 2, "{part}");
    // The escapes are not escaped themselves, so what looks like one is one.
    let undone = |name: String| name.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n");
    let lines = first.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n");
    assert_eq!(read.name(), Some(undone(lines).into()), "{part}");
    assert_eq!(read.filename(), Some(undone(second.to_owned()).into()), "{part}");
}

/// The input as a limit and a name that a peer chose.
pub fn sanitise(data: &[u8]) {
    let (limit, rest) = crate::number(data);
    let name = String::from_utf8_lossy(rest);
    local_name(&name, &Policy::default(), 255);
    local_name(&name, &Policy::default().max_bytes(limit), limit);
}

/// What is left of a name keeps every rule, and keeps them again.
fn local_name(raw: &str, policy: &Policy, limit: usize) {
    let name = UntrustedFileName::new(raw);
    let Some(local) = name.sanitized(policy) else { return };
    assert!(!local.is_empty() && local.len() <= limit, "{raw:?}: {local:?}");
    assert!(!local.ends_with(['.', ' ']), "{raw:?}: {local:?}");
    let marks = "/\\:*?\"<>|\u{61C}\u{200E}\u{200F}";
    for char in local.chars() {
        let bidi = matches!(char, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
        assert!(!marks.contains(char) && !char.is_control() && !bidi, "{raw:?}: {local:?}");
    }
    let stem = local.split('.').next().unwrap_or_default().trim_matches(' ').to_ascii_uppercase();
    let devices = ["CON", "PRN", "AUX", "NUL", "COM1", "COM9", "COM²", "LPT1", "LPT¹", "LPT3"];
    assert!(!devices.contains(&&*stem), "{raw:?}: {local:?}");
    let again = UntrustedFileName::new(&*local);
    assert_eq!(again.sanitized(policy).as_deref(), Some(&*local), "{raw:?}");
    if limit == 255 {
        assert_eq!(name.is_safe(), *local == *raw);
    }
}
