//! Rows of a table of measured numbers and their limits.

use crate::Outcome;

/// Formats a measured number with its limit; also returns whether the limit is kept.
pub(crate) fn row(what: &str, measured: usize, limit: usize) -> (String, bool) {
    let kept = measured <= limit;
    let mark = if kept { "ok" } else { "OVER" };
    (format!("{what:<44} {:>9} {:>9}  {mark}\n", grouped(measured), grouped(limit)), kept)
}

/// Prints the row of a single number; an exceeded limit is an error.
pub(crate) fn check(what: &str, measured: usize, limit: usize) -> Outcome<()> {
    let (row, kept) = row(what, measured, limit);
    print!("{row}");
    if kept { Ok(()) } else { Err(format!("Over budget: {what}.")) }
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
