//! An Esplora server that refuses, or that was on another chain once.

use std::sync::Arc;

use checkout_chain_bitcoin::Environment;
use checkout_chain_conformance::Reader;
use checkout_chain_doubles::Esplora;
use checkout_chain_doubles::hostile::{Costs, Odd, row};
use checkout_core::Network;
use checkout_domain::chain::OutputState::Confirmed;
use checkout_domain::ports::addresses::Addresses as _;
use checkout_domain::ports::chain::Chain as _;
use checkout_test_nodes::litecoind;
use serde_json::{Value, json};

use crate::OnNode;
use crate::esplora::{Given, NOW, chain};

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_refuses_is_told_and_read_afterwards() {
    let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
    let on = OnNode::start(&program, Network::Ltc);
    let server = Esplora::start(on.node.rpc()).await;
    let given = Arc::new(Given::default());
    let chain = chain(&server, &given, Environment::Regtest);
    let mut reader = Reader::default();
    reader.read(&chain).await;
    let give = |index| {
        let address = on.addresses.address(Network::Ltc, index).unwrap();
        given.give(&address, NOW);
        address
    };
    let refusal = row("address", Odd::Says(403, "<html>"), Costs::Later);
    let refused = give(0);
    server.arm(refusal, &refused);
    give(1);
    for _ in 0..12 {
        on.node.mine(1);
        reader.read(&chain).await;
    }
    let listed: Vec<&str> = reader.set_aside.iter().map(|entry| entry.transaction.as_str()).collect();
    assert_eq!(listed, [refused.as_str()], "once");

    // All of them: that is the server, and not an address.
    give(2);
    server.arm(refusal, "");
    assert!(chain.changes(reader.cursor.as_deref()).await.is_err());
    server.disarm();

    // Once it told of a far longer chain.
    let mut cursor: Value = serde_json::from_str(reader.cursor.as_deref().unwrap()).unwrap();
    cursor["blocks"].as_array_mut().unwrap().insert(0, json!({"height": 4_700_000, "hash": "00".repeat(32)}));
    reader.cursor = Some(cursor.to_string());
    let address = give(3);
    on.node.spend(&on.node.coin(), &address, "0.5");
    on.node.mine(1);
    reader.until(&chain, &address, &[Confirmed]).await;
    let height = on.node.call("", "getblockcount", &json!([])).as_u64();
    let cursor: Value = serde_json::from_str(reader.cursor.as_deref().unwrap()).unwrap();
    assert_eq!(cursor["blocks"][0]["height"].as_u64(), height);
}
