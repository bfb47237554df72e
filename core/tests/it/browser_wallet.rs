//! What a wallet in the browser is asked to sign.

use crypto_checkout_core::browser_wallet::{balance, payment};
use crypto_checkout_core::pair::{self, EVERY_PAIR};
use crypto_checkout_core::{Address, Amount};

/// The example of EIP-55; its digits in lower case are in the data.
const TO: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const WORD: &str = "0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

/// `chains/evm` compares the data with that of alloy.
#[test]
fn the_transaction_that_pays() {
    let check = |currency, network, amount, to: &str, value: &str, data: &str| {
        let pair = pair::by_codes(currency, network).unwrap();
        let address = Address::parse(pair.network, TO).unwrap();
        let call = payment(pair, &address, Amount::parse(amount, pair.decimals).unwrap()).unwrap();
        assert_eq!(
            (&*call.to, &*call.value, &*call.data),
            (to, value, data),
            "{amount} {currency} on {network}"
        );
    };
    check("ETH", "ETH", "0.02", TO, "0x470de4df820000", "0x");
    check("ETH", "ETH", "0.000000000000000001", TO, "0x1", "0x");
    check("ETH", "BASE", "1", TO, "0xde0b6b3a7640000", "0x");
    check(
        "USDT",
        "ETH",
        "25",
        "0xdAC17F958D2ee523a2206206994597C13D831ec7",
        "0x0",
        &format!("0xa9059cbb{WORD}00000000000000000000000000000000000000000000000000000000017d7840"),
    );
    // 18 decimals there.
    check(
        "USDT",
        "BSC",
        "25",
        "0x55d398326f99059fF775485246999027B3197955",
        "0x0",
        &format!("0xa9059cbb{WORD}0000000000000000000000000000000000000000000000015af1d78b58c40000"),
    );
}

/// `chains/tron` compares the data with that of its payouts.
#[test]
fn a_token_on_tron() {
    let pair = pair::by_codes("USDT", "TRX").unwrap();
    let to = Address::parse(pair.network, "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC").unwrap();
    let call = payment(pair, &to, Amount::parse("25", pair.decimals).unwrap()).unwrap();
    assert_eq!((&*call.to, &*call.value), ("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "0x0"));
    let word = "0000000000000000000000005cd0fb0ab3ce40f3051414c604b27756e69e43db";
    let amount = "00000000000000000000000000000000000000000000000000000000017d7840";
    assert_eq!(call.data, ["0xa9059cbb", word, amount].concat());
    assert_eq!(balance(pair, &to), None, "the gateway reads it");
    assert_eq!(pair.network.spec().wallet_chain_id(), Some(0x2b66_53dc));
}

#[test]
fn the_call_that_reads_a_balance() {
    let pair = pair::by_codes("USDC", "POLYGON").unwrap();
    let account = Address::parse(pair.network, TO).unwrap();
    let call = balance(pair, &account).unwrap();
    assert_eq!(call.to, "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359");
    assert_eq!((call.value.as_str(), call.data), ("0x0", format!("0x70a08231{WORD}")));

    let ether = pair::by_codes("ETH", "ETH").unwrap();
    assert_eq!(balance(ether, &Address::parse(ether.network, TO).unwrap()), None, "eth_getBalance has it");
}

#[test]
fn no_call_leads_astray() {
    for pair in EVERY_PAIR {
        let example = Address::parse(pair.network, pair.network.spec().example).unwrap();
        let one = Amount::parse("1", pair.decimals).unwrap();
        let spec = pair.network.spec();
        let is_paid =
            spec.chain_id().is_some() || (spec.wallet_chain_id().is_some() && pair.contract.is_some());
        assert_eq!(payment(pair, &example, one).is_some(), is_paid, "{} on {}", pair.currency, pair.network);
        assert_eq!(payment(pair, &example, Amount::parse("0", pair.decimals).unwrap()), None);
        // The same account on another network of the family is another address.
        for other in EVERY_PAIR.iter().filter(|other| other.network != pair.network) {
            let elsewhere = Address::parse(other.network, other.network.spec().example).unwrap();
            assert_eq!((payment(pair, &elsewhere, one), balance(pair, &elsewhere)), (None, None));
        }
    }
}
