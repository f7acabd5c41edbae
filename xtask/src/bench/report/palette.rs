//! The colours of the page and the plots, once for a light and once for a dark screen.

/// The colours of a theme, as `#rrggbb`.
pub(super) struct Theme {
    pub(super) background: &'static str,
    /// Behind headings of tables and code.
    pub(super) panel: &'static str,
    /// Rules and grid lines.
    pub(super) line: &'static str,
    pub(super) text: &'static str,
    pub(super) muted: &'static str,
    pub(super) before: &'static str,
    pub(super) fix: &'static str,
    pub(super) after: &'static str,
    pub(super) peer: &'static str,
    pub(super) pass: &'static str,
    pub(super) fail: &'static str,
    pub(super) noisy: &'static str,
}

pub(super) const LIGHT: Theme = Theme {
    background: "#ffffff",
    panel: "#f5f6f8",
    line: "#d9dde3",
    text: "#1b1f24",
    muted: "#565e68",
    before: "#4a525c",
    fix: "#8a5a00",
    after: "#0b5cc4",
    peer: "#6b4fa0",
    pass: "#17692f",
    fail: "#c11f2e",
    noisy: "#865300",
};

pub(super) const DARK: Theme = Theme {
    background: "#0f1318",
    panel: "#181d24",
    line: "#313843",
    text: "#e4e9ef",
    muted: "#9aa4b0",
    before: "#aeb7c2",
    fix: "#dba33a",
    after: "#63aaff",
    peer: "#b79cf2",
    pass: "#52c46d",
    fail: "#ff6b67",
    noisy: "#e0aa3e",
};

impl Theme {
    /// The colours by the name of their class or variable.
    pub(super) fn all(&self) -> [(&'static str, &'static str); 12] {
        [
            ("bg", self.background),
            ("panel", self.panel),
            ("line", self.line),
            ("text", self.text),
            ("muted", self.muted),
            ("before", self.before),
            ("fix", self.fix),
            ("after", self.after),
            ("peer", self.peer),
            ("pass", self.pass),
            ("fail", self.fail),
            ("noisy", self.noisy),
        ]
    }

    /// `--bg: #ffffff; …` for a style sheet.
    pub(super) fn variables(&self) -> String {
        let all: Vec<String> =
            self.all().iter().map(|(name, colour)| format!("--{name}: {colour};")).collect();
        all.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as WCAG 2.2 defines it.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn everything_that_is_read_has_a_contrast_of_five() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        for theme in [&LIGHT, &DARK] {
            for (name, colour) in &theme.all()[3..] {
                for behind in [theme.background, theme.panel] {
                    let found = contrast(colour, behind);
                    assert!(found >= 5.0, "{name} {colour} on {behind}: {found:.2}");
                }
            }
        }
    }
}
