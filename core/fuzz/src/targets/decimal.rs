use crypto_checkout_core::{Amount, Decimal, decimal};

use crate::seeds::after;

/// Decimals, precision, places; then a fiat amount, a rate and atoms, one per line.
pub(crate) fn run(data: &[u8]) {
    let Some((&[decimals, precision, places], rest)) = data.split_first_chunk::<3>() else { return };
    let text = String::from_utf8_lossy(rest);
    let mut lines = text.split('\n').map(|line| read(line, places));
    let mut next = || lines.next().flatten();
    let (Some(fiat), Some(rate)) = (next(), next()) else { return };
    for (fiat, rate) in [(fiat, rate), (-fiat, rate), (fiat, -rate)] {
        convert(fiat, rate, decimals, precision, places);
    }
}

fn read(text: &str, places: u8) -> Option<Decimal> {
    let value = decimal::parse(text, places).ok()?;
    assert_eq!(value.to_string(), text, "trailing zeros are kept");
    assert!(value.scale() <= u32::from(places));
    Some(value)
}

fn convert(fiat: Decimal, rate: Decimal, decimals: u8, precision: u8, places: u8) {
    let Ok(quote) = decimal::quote_up(fiat, rate, decimals, precision) else { return };
    let negative = |value: Decimal| value.is_sign_negative() && !value.is_zero();
    assert!(!negative(fiat) && !negative(rate) && !rate.is_zero());
    // Whole steps of the precision.
    let step = 10_u128.pow(u32::from(decimals - precision.min(decimals)));
    assert_eq!(quote.atoms() % step, 0);
    let value = |amount, places| decimal::value_down(amount, decimals, rate, places).ok();
    if let Some(worth) = value(quote, fiat.scale()) {
        assert!(worth >= fiat, "the merchant receives the price");
    }
    // One step less would not be enough. Holds exactly if no digit is cut off.
    let exact = u32::from(decimals) + rate.scale();
    if let Some(less) = quote.atoms().checked_sub(step).map(|atoms| Amount::from_atoms(atoms).expect("less"))
        && let Some(worth) = value(less, exact)
    {
        assert!(worth < fiat, "no more than one step too much");
    }
    let _ = value(quote, u32::from(places));
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let texts = ["100\n50000", "10\n3", "0.01\n60000", "19.99\n0.9234", "0\n1", "1\n0", "1.10\n0.0000000001"];
    let longest = format!("{}\n{}", "9".repeat(28), "0.0000000000000000000000000001");
    let texts = texts.map(String::from).into_iter().chain([longest]);
    let heads = [[8, 8, 2], [18, 6, 28], [6, 6, 0], [255, 255, 255], [0, 0, 28]];
    texts.flat_map(|text| heads.map(|head| after(&head, &text))).collect()
}
