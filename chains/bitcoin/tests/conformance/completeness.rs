//! Payments that a wallet does not list by itself.

use std::time::{Duration, Instant};

use bip32::Prefix;
use checkout_chain_conformance::Reader;
use checkout_core::Network;
use checkout_domain::chain::OutputState::Confirmed;
use checkout_domain::chain::source::fault;
use checkout_domain::ports::addresses::Addresses as _;
use checkout_domain::ports::chain::Chain as _;
use checkout_test_nodes::{MINER, Node, Program, bitcoind, litecoind};
use checkout_test_support::patience;
use serde_json::{Value, json};

use crate::{OnNode, chain, regtest, secret};

/// A merchant tries the shop out with the money that customers paid before.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_from_the_deposit_account_itself_is_seen() {
    let program = bitcoind().expect("bitcoind is not installed: `cargo xtask test` does");
    let on = OnNode::start(&program, Network::Btc);
    assert_eq!(fault(&on.chain.health().await), None, "and the wallet is made");
    let addresses: Vec<String> =
        (0..3).map(|index| on.addresses.address(Network::Btc, index).unwrap()).collect();
    on.chain.watch(&addresses[2], 2).await.unwrap();
    let mut reader = Reader::default();
    reader.read(&on.chain).await;
    merchants_wallet(&on.node);
    on.node.send(&addresses[0], "2");
    on.node.mine(1);
    reader.until(&on.chain, &addresses[0], &[Confirmed]).await;

    on.node.text("merchant", "sendtoaddress", &json!([addresses[1], "0.5"]));
    on.node.mine(1);
    let seen = reader.until(&on.chain, &addresses[1], &[Confirmed]).await;
    assert_eq!((seen[0].amount.to_text(8).as_str(), seen[0].from.as_str()), ("0.5", addresses[0].as_str()));
    // Nothing of it goes to anybody else.
    on.node.call("merchant", "sendall", &json!([[addresses[2]]]));
    on.node.mine(1);
    reader.until(&on.chain, &addresses[2], &[Confirmed]).await;
    on.node.reorganise(1);
    on.node.mine(1);
    reader.until(&on.chain, &addresses[2], &[Confirmed]).await;
}

/// A wallet with the private keys of the deposit account.
fn merchants_wallet(node: &Node) {
    node.call("", "createwallet", &json!(["merchant", false, true]));
    let secret = secret().to_string(Prefix::TPRV);
    let import = |chain: u32| {
        let text = format!("wpkh({}/{chain}/*)", secret.as_str());
        let sum = node.call("", "getdescriptorinfo", &json!([text]))["checksum"].clone();
        let sum = sum.as_str().unwrap();
        json!({"desc": format!("{text}#{sum}"), "timestamp": "now", "active": true, "internal": chain == 1, "range": 20})
    };
    let done = node.call("merchant", "importdescriptors", &json!([[import(0), import(1)]]));
    assert_eq!((&done[0]["success"], &done[1]["success"]), (&json!(true), &json!(true)), "{done}");
}

/// The node comes back without its wallet, and payments arrived meanwhile.
async fn survives_a_lost_wallet(program: &Program, network: Network) {
    let mut on = OnNode::start(program, network);
    assert_eq!(fault(&on.chain.health().await), None, "and the wallet is made");
    let addresses = [0, 1].map(|index| on.addresses.address(network, index).unwrap());
    on.chain.watch(&addresses[1], 1).await.unwrap();
    let mut reader = Reader::default();
    on.node.send(&addresses[0], "0.5");
    on.node.mine(1);
    reader.until(&on.chain, &addresses[0], &[Confirmed]).await;

    on.node.stop();
    on.node.forget_wallet("deposits");
    on.node.run();
    on.node.send(&addresses[1], "0.25");
    on.node.mine(3);
    // The gateway that makes the new wallet dies before it has looked for anything.
    let settings = regtest::settings(&on.node);
    chain(network, &settings, &on.addresses, 2).health().await;
    on.node.mine(1);

    on.chain = chain(network, &settings, &on.addresses, 2);
    let checks = on.chain.health().await;
    let said = fault(&checks).map(|check| (check.subject, check.detail.clone()));
    assert!(
        said.as_ref().is_some_and(|(subject, detail)| *subject == "wallet" && detail.contains("missing")),
        "{checks:?}"
    );
    let started = Instant::now();
    let before = reader.cursor.clone();
    while let Err(error) = on.chain.changes(reader.cursor.as_deref()).await {
        assert!(error.to_string().contains("missing"), "{error}");
        assert!(started.elapsed() < patience(), "{error}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(reader.cursor, before);
    reader.until(&on.chain, &addresses[1], &[Confirmed]).await;
    assert_eq!(fault(&on.chain.health().await), None);
    // Those of before are known again, too.
    on.node.reorganise(1);
    reader.until(&on.chain, &addresses[0], &[Confirmed]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_wallet_is_searched_from_the_cursor_on_litecoind() {
    let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
    survives_a_lost_wallet(&program, Network::Ltc).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_wallet_is_searched_from_the_cursor_on_bitcoind() {
    let program = bitcoind().expect("bitcoind is not installed: `cargo xtask test` does");
    survives_a_lost_wallet(&program, Network::Btc).await;
}

/// One payment, two owners of coins.
#[tokio::test(flavor = "multi_thread")]
async fn all_senders_of_a_payment_are_named() {
    let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
    let on = OnNode::start(&program, Network::Ltc);
    assert_eq!(fault(&on.chain.health().await), None, "and the wallet is made");
    let address = on.addresses.address(Network::Ltc, 0).unwrap();
    on.chain.watch(&address, 0).await.unwrap();
    let owners = [on.node.address(), on.node.address()];
    for owner in &owners {
        on.node.send(owner, "1.5");
    }
    on.node.mine(1);
    let coins = on.node.call(MINER, "listunspent", &json!([1, 9_999_999, owners]));
    let inputs: Value = coins
        .as_array()
        .unwrap()
        .iter()
        .map(|coin| json!({"txid": coin["txid"], "vout": coin["vout"]}))
        .collect();
    let raw = on.node.text("", "createrawtransaction", &json!([inputs, {&address: "2.999"}]));
    let signed = on.node.call(MINER, "signrawtransactionwithwallet", &json!([raw]));
    on.node.text("", "sendrawtransaction", &json!([signed["hex"], 0]));
    on.node.mine(1);
    let seen = Reader::default().until(&on.chain, &address, &[Confirmed]).await;
    let mut senders = seen[0].senders();
    senders.sort();
    let mut expected = owners.to_vec();
    expected.sort();
    assert_eq!(senders, expected);
}
