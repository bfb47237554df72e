//! Types as one text: what `FromStr` reads and serde writes.

use std::fmt::Debug;
use std::str::FromStr;

use crypto_checkout_core::{Address, Amount, Currency, Network, Reason, Tag};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn check<T>(text: &str, expected: Option<T>)
where
    T: FromStr + Serialize + DeserializeOwned + PartialEq + Debug,
{
    let read = text.parse::<T>().ok();
    assert_eq!(read, expected, "{text}");
    let json = serde_json::to_string(text).unwrap();
    assert_eq!(serde_json::from_str::<T>(&json).ok(), expected, "{text}");
    if let Some(value) = expected {
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
    }
}

#[test]
fn an_address_has_its_network() {
    let address = |network, text| Address::parse(network, text).ok();
    check(
        "XRP:rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY",
        address(Network::Xrp, "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY"),
    );
    let cash = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";
    check(&format!("BCH:{cash}"), address(Network::Bch, cash));
    for text in
        ["rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", "XRP:", ":", "XRP:rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDX", cash]
    {
        check::<Address>(text, None);
    }
}

#[test]
fn a_tag_has_its_type() {
    check("7", Some(Tag::Destination(7)));
    check("id:7", Some(Tag::MemoId(7)));
    check("text:a:b 7", Some(Tag::MemoText("a:b 7".to_owned())));
    check(&format!("hash:{}", "0a".repeat(32)), Some(Tag::MemoHash([10; 32])));
    for text in ["", "07", "-7", "4294967296", "id:", "id:07", "text:", "memo:7", "hash:7"] {
        check::<Tag>(text, None);
    }
}

#[test]
fn an_amount_is_in_atomic_units() {
    check("90", Amount::from_atoms(90).ok());
    check("0", Some(Amount::ZERO));
    for text in ["", "-1", "0.5", "1e3", " 1", "100000000000000000000000000000000000000"] {
        check::<Amount>(text, None);
    }
}

#[test]
fn codes_are_exact() {
    check("BTC", Some(Currency::Btc));
    check("TRX", Some(Network::Trx));
    check("bad_checksum", Some(Reason::BadChecksum));
    check::<Currency>("btc", None);
    check::<Network>("TRC20", None);
    check::<Reason>("BadChecksum", None);
}
