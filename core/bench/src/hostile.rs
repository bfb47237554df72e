//! Hostile input: long texts of every alphabet, against every pair. The longest time is reported.

use std::hint::black_box;

use crypto_checkout_core::pair::EVERY_PAIR;
use crypto_checkout_core::validate;

use crate::measure;

/// The slowest text of one length.
pub(crate) struct Worst {
    pub(crate) length: String,
    pub(crate) nanoseconds: f64,
    pub(crate) text: &'static str,
    pub(crate) pair: String,
}

/// The start of a text, and the part that repeats.
const ALPHABETS: &[(&str, &str, &str)] = &[
    ("digits", "1", "1234567890"),
    ("ones, the zeros of base58", "1", "1"),
    ("base58", "1", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"),
    ("the largest digit of base58", "3", "z"),
    ("base58 of the XRP Ledger", "r", "z"),
    ("an X-address", "X", "7"),
    ("TRON's base58", "T", "z"),
    ("bech32 in small letters", "bc1q", "qpzry9x8gf2tvdw0s3jn54khce6mua7l"),
    ("bech32 in capitals", "BC1Q", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    ("bech32 in both letter cases", "bc1q", "qPzRy9x8"),
    ("MWEB", "ltcmweb1", "qqpzry9x8gf2tvdw0s3jn54khce6mua7l"),
    ("separators of bech32", "1", "1q1"),
    ("hexadecimal", "0x", "0123456789abcdef"),
    ("hexadecimal in both letter cases", "0x", "aAbBcCdD"),
    ("hexadecimal without 0x", "", "0123456789abcdef"),
    ("TRON's hexadecimal", "41", "0"),
    ("CashAddr with its prefix", "bitcoincash:q", "qpzry9x8gf2tvdw0s3jn54khce6mua7l"),
    ("CashAddr without its prefix", "q", "q"),
    ("colons", "bitcoincash:", ":"),
    ("base32", "G", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    ("a muxed account", "M", "A"),
    ("a payment link", "bitcoin:", "?amount=1&dt=7"),
    ("a name", "", "name."),
    ("a federation name", "", "name*"),
    ("words", "", "abandon "),
    ("blanks", "", " "),
    ("no-break spaces", "", "\u{a0}"),
    ("zero-width spaces", "", "\u{200b}"),
    ("line ends", "", "\r\n"),
    ("NUL", "", "\0"),
    ("letters of two bytes", "", "ж"),
    ("letters of three bytes", "bc1", "漢"),
    ("letters of four bytes", "0x", "𝟘"),
    ("combining marks", "a", "\u{301}\u{327}"),
    ("letters from right to left", "", "א\u{202e}"),
];

/// In bytes: lengths that are read in full, and lengths that are refused unread.
const LENGTHS: &[usize] = &[26, 34, 42, 47, 54, 56, 62, 69, 90, 112, 128, 216, 20_000, 1_000_000];

/// Calls per text.
pub(crate) fn worst(times: usize) -> Vec<Worst> {
    let short: Vec<usize> = LENGTHS.iter().copied().filter(|length| *length <= 216).collect();
    let mut worst = vec![of_lengths("at most 216 bytes".to_owned(), &short, times)];
    let long = LENGTHS.iter().filter(|length| **length > 216);
    worst.extend(long.map(|length| of_lengths(format!("{length} bytes"), &[*length], times)));
    worst
}

fn of_lengths(name: String, lengths: &[usize], times: usize) -> Worst {
    let mut worst = Worst { length: name, nanoseconds: 0.0, text: "", pair: String::new() };
    for (what, start, rest) in ALPHABETS {
        for length in lengths {
            let text = long(start, rest, *length);
            for pair in EVERY_PAIR {
                let (currency, network) = (pair.currency.code(), pair.network.code());
                let ask = || validate(currency, network, black_box(&text), None);
                assert!(!ask().valid, "{what} of {length} bytes is an address of {network}");
                let nanoseconds = measure::alone(times, ask);
                if nanoseconds > worst.nanoseconds {
                    let pair = format!("{currency} on {network}");
                    worst = Worst { nanoseconds, text: what, pair, ..worst };
                }
            }
        }
    }
    worst
}

/// `start`, followed by `rest` as often as it fits.
fn long(start: &str, rest: &str, length: usize) -> String {
    format!("{start}{}", rest.repeat(length.saturating_sub(start.len()) / rest.len()))
}

#[cfg(test)]
mod tests {
    use super::{ALPHABETS, LENGTHS, long};

    #[test]
    fn texts_have_their_stated_length() {
        for (what, start, rest) in ALPHABETS {
            for length in LENGTHS {
                let text = long(start, rest, *length);
                assert!(text.len() <= *length && text.len() + rest.len() > *length, "{what}");
            }
        }
    }
}
