//! Numbers as people read them.

/// What stands for a number that is not there.
pub(super) const NONE: &str = "–";

/// A time of a call: `1.9 ns`, `43.1 µs`, `692 ns`.
pub(super) fn ns(value: f64) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    let mut scaled = value;
    let mut unit = "ns";
    for next in ["µs", "ms", "s"] {
        // 999.5 would be rounded to 1000.
        if scaled < 999.5 {
            break;
        }
        scaled /= 1000.0;
        unit = next;
    }
    if scaled < 99.95 { format!("{scaled:.1} {unit}") } else { format!("{scaled:.0} {unit}") }
}

/// How many times: two decimals near one, none from a hundred on, always two significant digits.
pub(super) fn times(value: f64) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    format!("×{}", number(value))
}

/// A bare number in the same precision as [`times`]; counts stay whole.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    let size = value.abs();
    if size >= 99.95 {
        let whole = format!("{size:.0}");
        format!("{}{}", if value < 0.0 { "-" } else { "" }, group(&whole))
    } else if size >= 9.995 {
        format!("{value:.1}")
    } else if size >= 0.0995 || size == 0.0 {
        format!("{value:.2}")
    } else {
        // The leading zeros, and two digits.
        let places = (1.0 - size.log10().floor()).clamp(2.0, 9.0);
        format!("{value:.0$}", places as usize)
    }
}

/// A number that is most often a count: no decimals when it has none.
pub(super) fn plain(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        let sign = if value < 0.0 { "-" } else { "" };
        format!("{sign}{}", group(&format!("{:.0}", value.abs())))
    } else {
        number(value)
    }
}

/// An exact count: `4,176`.
pub(super) fn count(value: u64) -> String {
    group(&value.to_string())
}

/// An exact count with a sign.
pub(super) fn signed(value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", count(value.unsigned_abs()))
}

/// A count of three digits, exact below ten thousand: `9,312`, `12.3k`, `4.57M`.
pub(super) fn short(value: u64) -> String {
    if value < 10_000 {
        return count(value);
    }
    let mut scaled = value as f64;
    let mut unit = "";
    for next in ["k", "M", "G", "T", "P", "E"] {
        if scaled < 999.5 {
            break;
        }
        scaled /= 1000.0;
        unit = next;
    }
    let places = if scaled < 9.995 {
        2
    } else if scaled < 99.95 {
        1
    } else {
        0
    };
    format!("{scaled:.places$}{unit}")
}

/// A share of a hundred, whole; only what is all of it is 100 %.
pub(super) fn percent(fraction: f64) -> String {
    if !fraction.is_finite() {
        return NONE.to_owned();
    }
    let shown = (fraction * 100.0).round();
    let shown = if fraction < 1.0 { shown.min(99.0) } else { shown };
    format!("{shown:.0} %")
}

/// `value`, or the dash.
pub(super) fn or_none<T>(value: Option<T>, format: impl Fn(T) -> String) -> String {
    value.map_or_else(|| NONE.to_owned(), format)
}

/// `before → after`; one dash when neither is there.
pub(super) fn arrow<T>(
    before: Option<T>,
    after: Option<T>,
    format: impl Fn(T) -> String + Copy,
) -> String {
    if before.is_none() && after.is_none() {
        return NONE.to_owned();
    }
    format!("{} → {}", or_none(before, format), or_none(after, format))
}

/// Digits in groups of three.
fn group(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Text for HTML and XML, in content and in quoted attributes; control characters, which XML cannot
/// hold, become U+FFFD.
pub(super) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\r' | '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_call() {
        let shown = [0.04, 1.94, 69.0, 99.96, 691.7, 999.6, 43_120.0, 1_234_567.0, 2.5e9, 9e12];
        let shown: Vec<String> = shown.into_iter().map(ns).collect();
        assert_eq!(
            shown,
            [
                "0.0 ns", "1.9 ns", "69.0 ns", "100 ns", "692 ns", "1.0 µs", "43.1 µs", "1.2 ms",
                "2.5 s", "9000 s"
            ]
        );
        assert_eq!(ns(f64::NAN), "–");
    }

    #[test]
    fn ratios() {
        let shown = [0.0, 0.012_34, 0.1, 0.984, 1.0, 9.994, 9.996, 12.34, 99.96, 123.4, 12_345.0];
        let shown: Vec<String> = shown.into_iter().map(times).collect();
        assert_eq!(
            shown,
            [
                "×0.00", "×0.012", "×0.10", "×0.98", "×1.00", "×9.99", "×10.0", "×12.3", "×100",
                "×123", "×12,345"
            ]
        );
        assert_eq!(times(f64::INFINITY), "–");
        assert_eq!(number(-0.031), "-0.031");
    }

    #[test]
    fn counts() {
        assert_eq!(count(0), "0");
        assert_eq!(count(4176), "4,176");
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(signed(i64::MIN), "-9,223,372,036,854,775,808");
        let shown: Vec<String> =
            [9_999, 10_000, 12_345, 999_499, 999_999, 4_567_890].into_iter().map(short).collect();
        assert_eq!(shown, ["9,999", "10.0k", "12.3k", "999k", "1.00M", "4.57M"]);
        assert_eq!(plain(3.0), "3");
        assert_eq!(plain(-4176.0), "-4,176");
        assert_eq!(plain(2.5), "2.50");
        assert_eq!(percent(0.999), "99 %");
        assert_eq!(percent(1.0), "100 %");
    }

    #[test]
    fn escapes() {
        assert_eq!(
            xml("a<b|\"c\" & 'd'>\n\u{1}"),
            "a&lt;b|&quot;c&quot; &amp; &#39;d&#39;&gt; \u{fffd}"
        );
    }
}
