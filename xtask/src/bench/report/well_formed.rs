//! A check that what is written as HTML or SVG is well-formed XML too, so that no name of a case
//! can break out of its place. Tests only.

/// The first fault, with the text around it.
pub(super) fn check(text: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut ids: Vec<&str> = Vec::new();
    let mut roots = 0;
    let mut rest = text.trim();
    if let Some(after) = rest.strip_prefix("<!doctype html>") {
        rest = after.trim_start();
    }
    while !rest.is_empty() {
        let fault = |what: &str| {
            let near: String = rest.chars().take(60).collect();
            Err(format!("{what} at `{near}`"))
        };
        let Some(tag) = rest.strip_prefix('<') else {
            let end = rest.find('<').unwrap_or(rest.len());
            if open.is_empty() && !rest[..end].trim().is_empty() {
                return fault("text outside the root");
            }
            if let Err(what) = references(&rest[..end]) {
                return fault(&what);
            }
            rest = &rest[end..];
            continue;
        };
        let Some(end) = tag.find('>') else { return fault("a tag without an end") };
        let (inside, next) = (&tag[..end], &tag[end + 1..]);
        if let Some(name) = inside.strip_prefix('/') {
            if open.pop() != Some(name) {
                return fault("the wrong end tag");
            }
        } else {
            let (inside, empty) =
                inside.strip_suffix('/').map_or((inside, false), |inside| (inside, true));
            let (name, attributes) = inside.split_once(' ').unwrap_or((inside, ""));
            if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric()) {
                return fault("a bad tag");
            }
            match self::attributes(attributes) {
                Err(what) => return fault(&what),
                Ok(Some(id)) if ids.contains(&id) => return fault("an id used twice"),
                Ok(id) => ids.extend(id),
            }
            if open.is_empty() {
                roots += 1;
            }
            if !empty {
                open.push(name);
            }
        }
        rest = next;
    }
    match (open.is_empty(), roots) {
        (true, 1) => Ok(()),
        (true, n) => Err(format!("{n} roots")),
        (false, _) => Err(format!("left open: {open:?}")),
    }
}

/// The value of `id`, when all attributes are `name="value"`, none twice.
fn attributes(mut rest: &str) -> Result<Option<&str>, String> {
    let (mut id, mut seen) = (None, Vec::new());
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Ok(id);
        }
        let (name, after) = rest.split_once("=\"").ok_or("an attribute without a value")?;
        let (value, after) = after.split_once('"').ok_or("a value without an end")?;
        if name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != ':') {
            return Err(format!("a bad attribute `{name}`"));
        }
        if seen.contains(&name) {
            return Err(format!("`{name}` twice"));
        }
        seen.push(name);
        references(value)?;
        if name == "id" {
            id = Some(value);
        }
        rest = after;
    }
}

fn references(text: &str) -> Result<(), String> {
    for part in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
        if !known.iter().any(|name| part.starts_with(name)) {
            return Err("a bare &".to_owned());
        }
    }
    Ok(())
}

#[test]
fn the_check_itself() {
    assert_eq!(check("<!doctype html>\n<a id=\"x\">b &amp; c<d/><e f=\"g\"></e></a>"), Ok(()));
    for broken in [
        "",
        "a",
        "<a>",
        "</a>",
        "<a><b></a></b>",
        "<a>&nbsp;</a>",
        "<a b=c/>",
        "<a b=\"c\" b=\"d\"/>",
        "<a/><b/>",
        "<a><b id=\"x\"/><b id=\"x\"/></a>",
        "<a b=\"",
        "<a <b/></a>",
    ] {
        assert!(check(broken).is_err(), "{broken}");
    }
}
