//! Rows of a table of measured numbers and their limits.

/// Formats a measured number with its limit; also returns whether the limit is kept.
pub(crate) fn row(what: &str, measured: usize, limit: usize) -> (String, bool) {
    let kept = measured <= limit;
    let mark = if kept { "ok" } else { "OVER" };
    (format!("{what:<44} {:>9} {:>9}  {mark}\n", grouped(measured), grouped(limit)), kept)
}

/// Formats `69144` as `69 144`.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
