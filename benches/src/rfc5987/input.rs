//! The names that are encoded, decoded and sent: literal text, or made by a fixed generator.
//!
//! Nothing here depends on the rest of the package, so the runners of the heavy peers use it too.

/// The seed's name that needs seven escapes, 42 bytes.
pub const SEED_ESCAPE: &str = "My TypicalFilename 2024 04 09 08:00:00.dat";
/// The seed's name that needs none, 42 bytes.
pub const SEED_NO_ESCAPE: &str = "My_TypicalFilename_2024_04_09-08_00_00.dat";
/// 8 bytes, nothing to escape.
pub const FILE_8: &str = "file.txt";
/// 25 bytes, nothing to escape.
pub const ASCII_25: &str = "quarterly_report-2024.pdf";
/// 120 bytes, nothing to escape.
pub const ASCII_120: &str = "backup_of_the_production_database-eu-central-1_replica-03_full-\
                             2024-04-09T08.00.00Z_retained-until-2031_part-007.tar.zst";
/// 43 bytes, 8 of them blanks or parentheses.
pub const SPACES_43: &str = "Minutes of the spring meeting 2024 (v2).pdf";
/// 45 bytes, with 4 blanks and 7 accented letters.
pub const ACCENTS_45: &str = "Prévisions financières été à côté2.pdf";
/// 124 bytes: 40 ideographs and an extension.
pub const CJK_124: &str =
    "二〇二四年度第一四半期連結決算短信及び補足説明資料最終版取締役会承認済提出用写し.pdf";
/// 52 bytes: 12 emoji and an extension.
pub const EMOJI_52: &str = "🎉🚀📦🔥🌍🎨🍀🐳📷🎵🏁🧩.png";

/// 4000 attr-chars.
#[must_use]
pub fn safe_4000() -> String {
    let alphabet: Vec<char> =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&+-.^_`|~"
            .chars()
            .collect();
    let mut rng = fastrand::Rng::with_seed(5987);
    (0..4000).map(|_| alphabet[rng.usize(..alphabet.len())]).collect()
}

/// 3900 bytes of words in several scripts with blanks between them.
#[must_use]
pub fn mixed_3900() -> String {
    const WORDS: [&str; 12] = [
        "report",
        "2024",
        "Müller",
        "résumé",
        "final",
        "資料",
        "四半期",
        "отчёт",
        "🎉",
        "v2",
        "data-set",
        "naïve",
    ];
    let mut rng = fastrand::Rng::with_seed(8187);
    let mut text = String::new();
    while text.len() < 3890 {
        text.push_str(WORDS[rng.usize(..WORDS.len())]);
        text.push(' ');
    }
    while text.len() > 3900 {
        text.pop();
    }
    while text.len() < 3900 {
        text.push('.');
    }
    text
}

/// The name as value-chars, for what is to be decoded: written out slowly, by nobody's code.
#[must_use]
pub fn escaped(name: &str) -> String {
    name.bytes()
        .map(|byte| match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => char::from(byte).to_string(),
            _ if b"!#$&+-.^_`|~".contains(&byte) => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// A header for the name, put together slowly: with a fallback and an ext-value unless it is ASCII.
#[must_use]
pub fn header(name: &str) -> String {
    if name.is_ascii() {
        return format!("attachment; filename=\"{name}\"");
    }
    let plain: String = name.chars().map(|char| if char.is_ascii() { char } else { '_' }).collect();
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{}", escaped(name))
}

/// The header of a part of a form for the name.
#[must_use]
pub fn part(name: &str) -> String {
    format!("form-data; name=\"upload\"; filename=\"{name}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_lengths_that_they_are_named_after() {
        let all = [
            (42, SEED_ESCAPE),
            (42, SEED_NO_ESCAPE),
            (8, FILE_8),
            (25, ASCII_25),
            (120, ASCII_120),
            (43, SPACES_43),
            (45, ACCENTS_45),
            (124, CJK_124),
            (52, EMOJI_52),
            (4000, &safe_4000()),
            (3900, &mixed_3900()),
        ];
        for (len, name) in all {
            assert_eq!(name.len(), len, "{name}");
        }
    }
}
