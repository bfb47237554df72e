//! Error messages and codes.

use crypto_checkout_core::tag::{MemoType, Tag};
use crypto_checkout_core::uri::{self, UriError};
use crypto_checkout_core::{Address, Amount, AmountError, Currency, Decimal, Network, Reason, decimal, pair};

#[test]
fn an_amount_error_has_a_code_and_a_sentence() {
    use AmountError as E;
    let zero = decimal::quote_up(Decimal::ONE, Decimal::ZERO, 8, 8).map(Amount::atoms);
    for (error, code, sentence) in [
        (Amount::parse("", 8).unwrap_err(), "empty", "the amount is empty"),
        (Amount::parse("+1", 8).unwrap_err(), "sign", "an amount has no sign"),
        (Amount::parse("1e5", 8).unwrap_err(), "exponent", "an amount has no exponent"),
        (Amount::parse("1 0", 8).unwrap_err(), "blank", "an amount has no blanks"),
        (Amount::parse("007", 8).unwrap_err(), "leading_zero", "an amount has no leading zeros"),
        (Amount::parse("5.", 8).unwrap_err(), "bare_point", "the decimal point needs a digit on both sides"),
        (
            Amount::parse("1,5", 8).unwrap_err(),
            "character",
            "the character at position 1 is not a digit or a decimal point",
        ),
        (
            Amount::parse("0.1234567", 6).unwrap_err(),
            "too_many_decimals",
            "at most 6 decimal places are possible here",
        ),
        (Amount::parse(&"9".repeat(39), 0).unwrap_err(), "too_large", "the amount is too large"),
        (zero.unwrap_err(), "zero_rate", "the exchange rate is zero"),
        // An exponent needs a digit before it.
        (
            Amount::parse("e5", 8).unwrap_err(),
            "character",
            "the character at position 0 is not a digit or a decimal point",
        ),
    ] {
        assert_eq!((error.code(), error.to_string().as_str()), (code, sentence), "{error:?}");
        assert_eq!(UriError::Amount(error).to_string(), sentence);
    }
    assert_eq!(Amount::parse("e5", 8), Err(E::Character { at: 0 }));
}

#[test]
fn an_address_error_names_its_reason_and_network() {
    for reason in Reason::ALL {
        assert_eq!(reason.to_string(), reason.message());
    }
    let error = Address::parse(Network::Btc, "").unwrap_err();
    assert_eq!(error.to_string(), "the address is empty");
    let error = Address::parse(Network::Btc, "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC").unwrap_err();
    assert_eq!(error.to_string(), "this is an address of another network (it looks like a TRX address)");
    assert_eq!(UriError::Address(error).to_string(), error.to_string());
}

#[test]
fn a_tag_error_has_its_reason() {
    let error = Tag::parse(Network::Xrp, "+1", None).unwrap_err();
    assert_eq!(error.to_string(), "the tag must contain only digits");
    assert_eq!(UriError::Tag(error).to_string(), "the tag must contain only digits");
    let error = "return".parse::<MemoType>().unwrap_err();
    assert_eq!(error.to_string(), "unknown memo type");
    for kind in MemoType::ALL {
        assert_eq!(kind.code().parse(), Ok(*kind));
    }
}

#[test]
fn a_link_error_has_a_sentence() {
    let bitcoin = pair::find(Currency::Btc, Network::Btc).unwrap();
    let read = |text: &str| uri::read(bitcoin, text).unwrap_err().to_string();
    let address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    assert_eq!(read(&"x".repeat(2_000)), "this is longer than any payment link");
    assert_eq!(read("litecoin:x?amount=1"), "this is not a payment link of this network");
    assert_eq!(
        read(&format!("bitcoin:{address}?amount=1&amount=1")),
        "a parameter of the payment link is repeated"
    );
    assert_eq!(
        read(&format!("bitcoin:{address}?req-x=1")),
        "the payment link requires an unsupported parameter"
    );
    let ether = pair::find(Currency::Eth, Network::Eth).unwrap();
    let error = uri::read(ether, "ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@56").unwrap_err();
    assert_eq!(error.to_string(), "this is a payment link of another asset");
}

#[test]
fn an_unknown_code_is_an_error() {
    assert_eq!("btc".parse::<Currency>().unwrap_err().to_string(), "unknown currency");
    assert_eq!("TRC20".parse::<Network>().unwrap_err().to_string(), "unknown network");
    assert_eq!((Currency::Usdt.to_string(), Network::Trx.to_string()), ("USDT".into(), "TRX".into()));
}

#[test]
fn an_address_shows_its_network_when_debugged() {
    let address = Address::parse(Network::Trx, "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC").unwrap();
    assert_eq!(format!("{address:?}"), "TRX(TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC)");
}

#[test]
fn the_number_of_a_tag_is_accessible() {
    let number = |network, text, kind| Tag::parse(network, text, kind).unwrap().unwrap().number();
    assert_eq!(number(Network::Xrp, "7", None), Some(7));
    assert_eq!(number(Network::Xlm, "18446744073709551615", None), Some(u64::MAX));
    assert_eq!(number(Network::Xlm, "7", Some(MemoType::Text)), None);
    assert_eq!(number(Network::Xlm, &"0".repeat(64), Some(MemoType::Hash)), None);
}
