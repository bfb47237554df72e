//! Maximum lengths of texts.

use crypto_checkout_core::tag::Tag;
use crypto_checkout_core::uri::{self, UriError};
use crypto_checkout_core::{
    Address, Amount, AmountError, Currency, Network, Options, Reason, chain, decimal, pair, validate,
};

#[test]
fn an_address_of_216_bytes_is_looked_at() {
    let reason = |network, length: usize| Address::parse(network, &"x".repeat(length)).unwrap_err().reason();
    assert_eq!(chain::LONGEST, 216);
    for row in crate::support::rows() {
        assert_ne!(reason(row.network, 216), Reason::TooLong, "{}", row.code());
        assert_eq!(reason(row.network, 217), Reason::TooLong, "{}", row.code());
    }
}

/// The longest recovery phrase is 25 words of twelve letters; it is recognized with blanks around it.
#[test]
fn blanks_around_an_address_are_skipped_up_to_400_bytes() {
    let options = Options { allow_surrounding_blanks: true, ..Options::STRICT };
    let example = chain::spec(Network::Trx).example;
    let padded = |length: usize| format!("{example}{}", " ".repeat(length - example.len()));
    assert!(Address::parse_with(Network::Trx, &padded(400), &options).is_ok());
    assert_eq!(
        Address::parse_with(Network::Trx, &padded(401), &options).unwrap_err().reason(),
        Reason::TooLong
    );

    let phrase = ["abbreviation"; 25].join(" ");
    let reason = |text: &str| Address::parse(Network::Btc, text).unwrap_err().reason();
    assert_eq!((phrase.len(), reason(&phrase)), (324, Reason::Secret));
    let padded = |length: usize| format!("{phrase}{}", " ".repeat(length - phrase.len()));
    assert_eq!(reason(&padded(400)), Reason::Secret);
    assert_eq!(reason(&padded(401)), Reason::TooLong);
}

/// Eight symbols are a checksum without content.
#[test]
fn cashaddr_is_read_from_nine_symbols_on() {
    let reason = |text: &str| Address::parse(Network::Bch, text).unwrap_err().reason();
    assert_eq!(reason("bitcoincash:qqqqqqqq"), Reason::BadLength);
    assert_eq!(reason("bitcoincash:qqqqqqqqq"), Reason::BadChecksum);
    assert_eq!(reason("qqqqqqqq"), Reason::BadLength);
    assert_eq!(reason("qqqqqqqqq"), Reason::BadChecksum);
}

#[test]
fn an_amount_of_80_bytes_is_looked_at() {
    let not_a_digit = |length: usize| Amount::parse(&"x".repeat(length), 8);
    assert_eq!(not_a_digit(80), Err(AmountError::Character { at: 0 }));
    assert_eq!(not_a_digit(81), Err(AmountError::TooLarge));
    assert_eq!(decimal::parse(&"x".repeat(80), 2), Err(AmountError::Character { at: 0 }));
    assert_eq!(decimal::parse(&"x".repeat(81), 2), Err(AmountError::TooLarge));
}

#[test]
fn a_tag_of_64_bytes_is_looked_at() {
    let sevens =
        |zeros: usize| Tag::parse(Network::Xrp, &format!("{}7", "0".repeat(zeros)), None).unwrap_err();
    let looked_at = sevens(63);
    assert_eq!(
        (looked_at.reason(), looked_at.suggestion()),
        (Reason::TagLeadingZero, Some(&Tag::Destination(7)))
    );
    let unread = sevens(64);
    assert_eq!((unread.reason(), unread.suggestion()), (Reason::TagTooLarge, None));
    // Blanks are skipped up to the same length.
    let blanks = |length: usize| Tag::parse(Network::Xrp, &format!("{:>length$}", "7"), None).unwrap_err();
    assert_eq!(blanks(64).suggestion(), Some(&Tag::Destination(7)));
    assert_eq!(blanks(65).suggestion(), None);
}

#[test]
fn a_link_of_1024_bytes_is_looked_at() {
    let pair = pair::find(Currency::Btc, Network::Btc).unwrap();
    let link = |length: usize| {
        let start = format!("bitcoin:{}?label=", chain::spec(Network::Btc).example);
        let rest = "x".repeat(length - start.len());
        uri::read(pair, &format!("{start}{rest}")).err()
    };
    assert_eq!(link(1024), None);
    assert_eq!(link(1025), Some(UriError::TooLong));
}

/// Encodings end at their standards' length; excess characters are reported by position.
#[test]
fn a_bech32_text_of_90_bytes_is_looked_at() {
    let verdict = |text: &str, length: usize| {
        let text = format!("{text}{}", "q".repeat(length - text.len()));
        let verdict = validate("BTC", "BTC", &text, None);
        (verdict.reason.unwrap(), verdict.positions)
    };
    assert_eq!(verdict("bc1", 90).0, Reason::BadChecksum);
    assert_eq!(verdict("bc1", 91), (Reason::BadLength, vec![90]));
    assert_eq!(verdict("bc1", 93), (Reason::BadLength, vec![90, 91, 92]));
    assert_eq!(verdict("bcrt1", 90).0, Reason::BadChecksum);
}

#[test]
fn a_base58_text_has_25_to_35_bytes() {
    for (network, start) in [(Network::Btc, "1"), (Network::Ltc, "L"), (Network::Xrp, "r")] {
        let reason = |length: usize| {
            let text = format!("{start}{}", "z".repeat(length - 1));
            Address::parse(network, &text).unwrap_err().reason()
        };
        assert_eq!((reason(24), reason(36)), (Reason::BadLength, Reason::BadLength), "{network}");
        // The same number of digits may encode the right number of bytes.
        assert_eq!((reason(25), reason(35)), (Reason::BadChecksum, Reason::BadChecksum), "{network}");
    }
}
