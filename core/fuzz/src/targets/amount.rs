use crypto_checkout_core::Amount;

use crate::seeds::after;

/// The decimals, then two amounts, one per line.
pub(crate) fn run(data: &[u8]) {
    let Some((decimals, rest)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let (first, second) = text.split_once('\n').unwrap_or((&text, "0"));
    let amounts = [first, second].map(|text| read(text, *decimals));
    let [Some(first), Some(second)] = amounts else { return };
    let sum = first.atoms().checked_add(second.atoms()).filter(|sum| *sum <= Amount::MAX.atoms());
    assert_eq!(first.checked_add(second).ok().map(Amount::atoms), sum);
    let difference = first.atoms().checked_sub(second.atoms());
    assert_eq!(first.checked_sub(second).map(Amount::atoms), difference);
    assert_eq!(first.saturating_sub(second).atoms(), difference.unwrap_or(0));
}

fn read(text: &str, decimals: u8) -> Option<Amount> {
    let amount = Amount::parse(text, decimals).ok()?;
    let printed = amount.to_text(decimals);
    assert_eq!(Amount::parse(&printed, decimals).expect("what is printed parses"), amount);
    // Computed independently: the digits without the point, padded with zeros to the decimals.
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let missing = usize::from(decimals) - fraction.len();
    let digits = format!("{whole}{fraction}{}", "0".repeat(missing));
    let digits = digits.trim_start_matches('0');
    assert_eq!(amount.atoms().to_string(), if digits.is_empty() { "0" } else { digits });
    // The shortest text has no trailing zeros.
    let shortest = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
    assert_eq!(printed, shortest);
    Some(amount)
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let texts =
        ["0", "1", "0.00000001", "20999999.9769\n1.5", "1.500", ".5", "5.", "1e5", "+1", "007", "1_000"];
    let longest = ["9".repeat(38), format!("0.{}", "9".repeat(38)), "1".repeat(81)];
    let texts = texts.map(String::from).into_iter().chain(longest);
    texts.flat_map(|text| [0, 6, 8, 18, 38, 255].map(|decimals| after(&[decimals], &text))).collect()
}
