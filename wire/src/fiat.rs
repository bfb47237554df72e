//! The fiat currencies of prices.

/// ISO 4217 code and digits of the minor unit; the currency of the `*UniformAmount` fields first.
pub const FIAT_CURRENCIES: [(&str, u8); 15] = [
    ("EUR", 2),
    ("USD", 2),
    ("GBP", 2),
    ("CHF", 2),
    ("TRY", 2),
    ("RUB", 2),
    ("JPY", 0),
    ("PLN", 2),
    ("CZK", 2),
    ("SEK", 2),
    ("NOK", 2),
    ("DKK", 2),
    ("CAD", 2),
    ("AUD", 2),
    ("BRL", 2),
];
