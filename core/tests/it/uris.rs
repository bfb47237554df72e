//! Payment URIs: exact texts, and parsing.

use crypto_checkout_core::address::Kind;
use crypto_checkout_core::pair::{self, EVERY_PAIR};
use crypto_checkout_core::tag::{MemoType, Tag};
use crypto_checkout_core::uri::{self, UriError};
use crypto_checkout_core::{Amount, AmountError, Currency, Network, Pair, Reason, chain};
use proptest::prelude::*;

fn pair(currency: Currency, network: Network) -> &'static Pair {
    pair::find(currency, network).unwrap()
}

struct Golden {
    pair: &'static Pair,
    address: &'static str,
    tag: Option<&'static str>,
    amount: &'static str,
    payment: &'static str,
    bare_payment: &'static str,
    qr: &'static str,
    address_only: &'static str,
    wallets: Vec<&'static str>,
}

impl Golden {
    #[track_caller]
    fn check(&self) {
        let amount = Amount::parse(self.amount, self.pair.decimals).unwrap();
        let tag = tag(self.pair, self.tag);
        let tag = tag.as_ref();
        assert_eq!(uri::payment_uri(self.pair, self.address, tag, Some(amount)), self.payment);
        assert_eq!(uri::payment_uri(self.pair, self.address, tag, None), self.bare_payment);
        assert_eq!(uri::default_qr(self.pair, self.address, tag, amount), self.qr);
        assert_eq!(uri::address_only(self.pair, self.address, tag), self.address_only);
        let links = uri::wallet_links(self.pair, self.address, tag, amount);
        assert_eq!(links.iter().map(|link| &*link.url).collect::<Vec<_>>(), self.wallets);
    }
}

fn tag(pair: &Pair, text: Option<&str>) -> Option<Tag> {
    Tag::parse(pair.network, text.unwrap_or_default(), None).unwrap()
}

const BTC: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const EVM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TRX: &str = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC";
const XRP: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";
const XLM: &str = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";

#[test]
fn bitcoin_follows_bip_321() {
    Golden {
        pair: pair(Currency::Btc, Network::Btc),
        address: BTC,
        tag: None,
        amount: "0.00000090",
        payment: "bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.0000009",
        bare_payment: "bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        qr: "bitcoin:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4?amount=0.0000009",
        address_only: BTC,
        wallets: vec!["bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.0000009"],
    }
    .check();
    // base58 tells its letters apart
    let base58 = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
    Golden {
        pair: pair(Currency::Btc, Network::Btc),
        address: base58,
        tag: None,
        amount: "20999999.9769",
        payment: "bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2?amount=20999999.9769",
        bare_payment: "bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
        qr: "bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2?amount=20999999.9769",
        address_only: base58,
        wallets: vec!["bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2?amount=20999999.9769"],
    }
    .check();
}

#[test]
fn litecoin_dogecoin_and_bitcoin_cash_follow_bitcoin() {
    let address = "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9";
    Golden {
        pair: pair(Currency::Ltc, Network::Ltc),
        address,
        tag: None,
        amount: "1.5",
        payment: "litecoin:ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9?amount=1.5",
        bare_payment: "litecoin:ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9",
        qr: "litecoin:ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9?amount=1.5",
        address_only: address,
        wallets: vec!["litecoin:ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9?amount=1.5"],
    }
    .check();
    let address = "DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC";
    Golden {
        pair: pair(Currency::Doge, Network::Doge),
        address,
        tag: None,
        amount: "1.5",
        payment: "dogecoin:DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC?amount=1.5",
        bare_payment: "dogecoin:DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC",
        qr: "dogecoin:DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC?amount=1.5",
        address_only: address,
        wallets: vec!["dogecoin:DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC?amount=1.5"],
    }
    .check();
    for address in [
        "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
        "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
    ] {
        Golden {
            pair: pair(Currency::Bch, Network::Bch),
            address,
            tag: None,
            amount: "2",
            payment: "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a?amount=2",
            bare_payment: "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
            qr: "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a?amount=2",
            address_only: address,
            wallets: vec!["bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a?amount=2"],
        }
        .check();
    }
}

#[test]
fn ethereum_follows_erc_681() {
    Golden {
        pair: pair(Currency::Eth, Network::Eth),
        address: EVM,
        tag: None,
        amount: "2.014",
        payment: "ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1?value=2014000000000000000",
        bare_payment: "ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1",
        qr: "ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1?value=2014000000000000000",
        address_only: EVM,
        wallets: vec!["https://link.metamask.io/send/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1?value=2014000000000000000", "ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1?value=2014000000000000000"],
    }
    .check();
}

#[test]
fn a_token_uri_names_the_contract_but_its_qr_code_is_the_address_and_its_link_is_trust_wallets() {
    let usdt = "ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&uint256=1500000";
    Golden {
        pair: pair(Currency::Usdt, Network::Eth),
        address: EVM,
        tag: None,
        amount: "1.5",
        payment: usdt,
        bare_payment: usdt.strip_suffix("&uint256=1500000").unwrap(),
        qr: EVM,
        address_only: EVM,
        wallets: vec!["https://link.metamask.io/send/0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&uint256=1500000", "https://link.trustwallet.com/send?asset=c60_t0xdAC17F958D2ee523a2206206994597C13D831ec7&address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&amount=1.5"],
    }
    .check();
    // 18 decimals on this chain
    let usdt = "ethereum:0x55d398326f99059fF775485246999027B3197955@56/transfer?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&uint256=1500000000000000000";
    Golden {
        pair: pair(Currency::Usdt, Network::Bsc),
        address: EVM,
        tag: None,
        amount: "1.5",
        payment: usdt,
        bare_payment: usdt.strip_suffix("&uint256=1500000000000000000").unwrap(),
        qr: EVM,
        address_only: EVM,
        wallets: vec!["https://link.metamask.io/send/0x55d398326f99059fF775485246999027B3197955@56/transfer?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&uint256=1500000000000000000", "https://link.trustwallet.com/send?asset=c20000714_t0x55d398326f99059fF775485246999027B3197955&address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&amount=1.5"],
    }
    .check();
}

#[test]
fn tron_has_the_address_and_one_link() {
    Golden {
        pair: pair(Currency::Usdt, Network::Trx),
        address: TRX,
        tag: None,
        amount: "10.01",
        payment: TRX,
        bare_payment: TRX,
        qr: TRX,
        address_only: TRX,
        wallets: vec!["https://link.trustwallet.com/send?asset=c195_tTR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t&address=TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC&amount=10.01"],
    }
    .check();
}

#[test]
fn the_xrp_ledger_has_the_tag_in_every_form() {
    Golden {
        pair: pair(Currency::Xrp, Network::Xrp),
        address: XRP,
        tag: Some("12345"),
        amount: "25.5",
        payment: "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?dt=12345&amount=25.5",
        bare_payment: "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?dt=12345",
        qr: "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?dt=12345&amount=25.5",
        address_only: "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?dt=12345",
        wallets: vec!["https://xaman.app/detect/request:rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?amount=25.5&dt=12345&network=XRPL"],
    }
    .check();
    Golden {
        pair: pair(Currency::Xrp, Network::Xrp),
        address: XRP,
        tag: Some(""),
        amount: "1",
        payment: "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?amount=1",
        bare_payment: XRP,
        qr: "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?amount=1",
        address_only: XRP,
        wallets: vec![
            "https://xaman.app/detect/request:rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?amount=1&network=XRPL",
        ],
    }
    .check();
}

#[test]
fn stellar_follows_sep_7() {
    let with_amount = "web+stellar:pay?destination=GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ&amount=120.123&memo=99&memo_type=MEMO_ID";
    let without = "web+stellar:pay?destination=GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ&memo=99&memo_type=MEMO_ID";
    Golden {
        pair: pair(Currency::Xlm, Network::Xlm),
        address: XLM,
        tag: Some("99"),
        amount: "120.123",
        payment: with_amount,
        bare_payment: without,
        qr: with_amount,
        address_only: without,
        wallets: vec![with_amount],
    }
    .check();
    let text = "web+stellar:pay?destination=GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ&memo=skdjfasf%20%26&memo_type=MEMO_TEXT";
    let xlm = pair(Currency::Xlm, Network::Xlm);
    assert_eq!(uri::address_only(xlm, XLM, tag(xlm, Some("skdjfasf &")).as_ref()), text);
    assert_eq!(uri::address_only(xlm, XLM, None), XLM);
}

#[track_caller]
fn reads(pair: &Pair, text: &str, address: &str, tag: Option<&str>, amount: Option<&str>) {
    let payment = uri::read(pair, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(payment.address.to_string(), address, "{text}");
    assert_eq!(payment.tag.map(|tag| tag.to_string()).as_deref(), tag, "{text}");
    assert_eq!(payment.amount.map(|amount| amount.to_text(pair.decimals)).as_deref(), amount, "{text}");
}

#[track_caller]
fn refuses(pair: &Pair, text: &str, error: &UriError) {
    assert_eq!(uri::read(pair, text).as_ref(), Err(error), "{text}");
}

#[test]
fn bip_321_is_read_by_its_rules() {
    let btc = pair(Currency::Btc, Network::Btc);
    // The standard's own examples have an address with an invalid checksum.
    let address = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
    for text in [
        "bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2?amount=50&label=Luke-Jr&message=Donation%20for%20project%20xyz",
        "BITCOIN:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2?label=Luke-Jr&AMOUNT=50",
        "bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2?somethingyoudontunderstand=50&amount=50.00",
    ] {
        reads(btc, text, address, None, Some("50"));
    }
    reads(btc, "bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", address, None, None);
    reads(btc, address, address, None, None);
    let uri = |parameters: &str| format!("bitcoin:{address}?{parameters}");
    refuses(btc, &uri("req-somethingyoudontunderstand=50"), &UriError::Required);
    refuses(btc, &uri("amount=1&amount=1"), &UriError::Duplicate);
    refuses(btc, &uri("amount=50,000.00"), &UriError::Amount(AmountError::Character { at: 2 }));
    refuses(btc, &uri("amount=5e1"), &UriError::Amount(AmountError::Exponent));
    refuses(btc, &uri("amount=0.000000001"), &UriError::Amount(AmountError::TooManyDecimals { allowed: 8 }));
    refuses(btc, &format!("{address}?amount=1"), &UriError::Form);
    assert!(matches!(
        uri::read(btc, "litecoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"),
        Err(UriError::Address(_))
    ));
    refuses(btc, &uri(&"x".repeat(2000)), &UriError::TooLong);
}

#[test]
fn erc_681_is_read_by_its_rules() {
    let eth = pair(Currency::Eth, Network::Eth);
    let address = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
    for text in [
        "ethereum:0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359?value=2.014e18",
        "ethereum:pay-0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359@1?value=2014000000000000000&gas=21000",
    ] {
        reads(eth, text, address, None, Some("2.014"));
    }
    let with = |rest: &str| format!("ethereum:{address}{rest}");
    refuses(eth, &with("@56?value=1"), &UriError::WrongAsset);
    refuses(eth, &with("@1/transfer?address=x"), &UriError::WrongAsset);
    refuses(eth, &with("?value=1.5e0"), &UriError::Amount(AmountError::TooManyDecimals { allowed: 0 }));
    refuses(eth, &with("?value=1e999"), &UriError::Amount(AmountError::Exponent));
    refuses(eth, &with("?value=1e39"), &UriError::Amount(AmountError::TooLarge));
    refuses(eth, &with("?value=1&value=1"), &UriError::Duplicate);

    let usdc = pair(Currency::Usdc, Network::Eth);
    let transfer = |contract: &str| format!("ethereum:{contract}@1/transfer?address={address}&uint256=1");
    reads(usdc, &transfer(usdc.contract.unwrap()), address, None, Some("0.000001"));
    refuses(usdc, &transfer("0xdAC17F958D2ee523a2206206994597C13D831ec7"), &UriError::WrongAsset);
    refuses(usdc, &with("@1?value=1"), &UriError::WrongAsset);
    refuses(usdc, &format!("ethereum:{}@1/transfer", usdc.contract.unwrap()), &UriError::Form);
}

#[test]
fn wallet_links_are_checked_for_their_asset() {
    let metamask = |rest: &str| format!("https://link.metamask.io/send/{rest}");
    let tether = pair(Currency::Usdt, Network::Eth);
    let call = format!("{}@1/transfer?address={EVM}&uint256=1", tether.contract.unwrap());
    reads(tether, &metamask(&call), EVM, None, Some("0.000001"));
    refuses(tether, &metamask(&call.replace("@1/", "@137/")), &UriError::WrongAsset);
    refuses(pair(Currency::Usdc, Network::Eth), &metamask(&call), &UriError::WrongAsset);
    refuses(tether, &metamask(&format!("{EVM}@1?value=1")), &UriError::WrongAsset);
    let usdc = pair(Currency::Usdc, Network::Trx);
    let usdt_link = "https://link.trustwallet.com/send?asset=c195_tTR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t&address=TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC";
    refuses(usdc, usdt_link, &UriError::WrongAsset);
    let xrp = pair(Currency::Xrp, Network::Xrp);
    refuses(
        xrp,
        "https://xaman.app/detect/request:rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?network=XAHAU",
        &UriError::WrongAsset,
    );
    let xlm = pair(Currency::Xlm, Network::Xlm);
    let sep7 = |rest: &str| format!("web+stellar:pay?destination={XLM}{rest}");
    refuses(xlm, &sep7("&asset_code=USDC"), &UriError::WrongAsset);
    refuses(
        xlm,
        &sep7("&network_passphrase=Test%20SDF%20Network%20%3B%20September%202015"),
        &UriError::WrongAsset,
    );
    refuses(xlm, &sep7("&memo=1&memo_type=MEMO_RETURN"), &UriError::Required);
    refuses(xlm, "web+stellar:tx?xdr=AAAA", &UriError::Form);
    reads(xlm, &sep7("&memo=skdjfasf&msg=pay%20me"), XLM, Some("skdjfasf"), None);
    let error = uri::read(xlm, &sep7("&memo=007&memo_type=MEMO_ID")).unwrap_err();
    assert!(matches!(error, UriError::Tag(error) if error.reason() == Reason::TagLeadingZero));
}

fn any_tag(pair: &Pair) -> BoxedStrategy<Option<Tag>> {
    let of_type = |memo_type| {
        move |text: String| Tag::parse(Network::Xlm, &text, Some(memo_type)).expect("a memo of its type")
    };
    match pair.network {
        Network::Xrp => prop::option::of(any::<u32>().prop_map(Tag::Destination)).boxed(),
        Network::Xlm => prop_oneof![
            Just(None),
            any::<u64>().prop_map(|id| Some(Tag::MemoId(id))),
            any::<[u8; 32]>().prop_map(|hash| Some(Tag::MemoHash(hash))),
            ".{1,7}".prop_map(of_type(MemoType::Text)),
            "[ -~]{1,28}".prop_map(of_type(MemoType::Text)),
            // A text memo that could be an id.
            "[0-9]{1,20}".prop_map(of_type(MemoType::Text)),
        ]
        .boxed(),
        _ => Just(None).boxed(),
    }
}

fn any_request() -> impl Strategy<Value = (Pair, Option<Tag>, Amount)> {
    let amount = (0..=Amount::MAX.atoms()).prop_map(|atoms| Amount::from_atoms(atoms).unwrap());
    (prop::sample::select(EVERY_PAIR.to_vec()), amount)
        .prop_flat_map(|(pair, amount)| (Just(pair), any_tag(&pair), Just(amount)))
}

proptest! {
    #[test]
    fn a_written_uri_reads_back((pair, tag, amount) in any_request()) {
        let address = chain::spec(pair.network).example;
        let tag = tag.as_ref();
        let check = |text: &str, amount: Option<Amount>| {
            let payment = uri::read(&pair, text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(payment.address.to_string(), address, "{text}");
            assert_eq!(payment.tag.as_ref(), tag, "{text}");
            if amount.is_some() {
                assert_eq!(payment.amount, amount, "{text}");
            }
        };
        // TRON's URI cannot carry an amount.
        let written = (pair.network != Network::Trx).then_some(amount);
        check(&uri::payment_uri(&pair, address, tag, Some(amount)), written);
        check(&uri::payment_uri(&pair, address, tag, None), None);
        check(&uri::address_only(&pair, address, tag), None);
        for link in uri::wallet_links(&pair, address, tag, amount) {
            check(&link.url, Some(amount));
        }
        let in_qr = pair.contract.is_none().then_some(amount);
        check(&uri::default_qr(&pair, address, tag, amount), in_qr);
    }

    #[test]
    fn no_text_panics(pair in prop::sample::select(EVERY_PAIR.to_vec()), text in ".*") {
        let _ = uri::read(&pair, &text);
        let schemes = ["bitcoin:", "ethereum:", "web+stellar:pay?", "https://link.trustwallet.com/send?"];
        for scheme in schemes {
            let _ = uri::read(&pair, &format!("{scheme}{text}"));
        }
    }
}

#[test]
fn the_examples_of_the_rows_are_acceptable() {
    for row in chain::CHAINS {
        let address = crypto_checkout_core::Address::parse(row.network, row.example).unwrap();
        assert_eq!(address.to_string(), row.example);
        assert_ne!(address.kind(), Kind::FutureWitness);
    }
}
