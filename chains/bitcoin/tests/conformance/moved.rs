//! A transfer that a reorganisation moved to a later block while nothing was read.

use checkout_chain_conformance::{Reader, TestChain as _};
use checkout_core::Network;
use checkout_domain::chain::OutputState::{Confirmed, Unconfirmed};
use checkout_domain::ports::chain::Chain;
use checkout_test_nodes::{Node, litecoind};

use crate::OnNode;
use crate::esplora::{NOW, OnEsplora};

/// Its confirmations are counted anew, so that it is reported without them first.
async fn check(node: &Node, chain: &dyn Chain, address: &str) {
    let mut reader = Reader::default();
    reader.read(chain).await;
    node.send(address, "0.5");
    node.mine(3);
    let known = reader.until(chain, address, &[Confirmed]).await;
    node.reorganise(3);
    node.mine(1);
    let (mut states, mut cursor) = (Vec::new(), reader.cursor.clone());
    while states.last() != Some(&Confirmed) {
        let changes = chain.changes(cursor.as_deref()).await.unwrap();
        assert!(cursor.as_ref() != Some(&changes.cursor), "nothing is told of it");
        let own = changes.transfers.iter().filter(|transfer| transfer.output == known[0].output);
        states.extend(own.map(|transfer| transfer.state));
        cursor = Some(changes.cursor);
    }
    assert_eq!(states, [Unconfirmed, Confirmed]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_tells_that_a_transfer_moved() {
    let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
    let on = OnNode::start(&program, Network::Ltc);
    on.chain.health().await;
    let address = on.deposit_address(7).await;
    on.chain.watch(&address, 7).await.unwrap();
    check(&on.node, &on.chain, &address).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_esplora_server_tells_that_a_transfer_moved() {
    let on = OnEsplora::start().await;
    let address = on.give(1, NOW);
    check(on.node(), &on.chain, &address).await;
}
