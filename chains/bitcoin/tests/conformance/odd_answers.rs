//! Odd answers of an Esplora server about several outputs, and about the place of a block.

use checkout_chain_conformance::{Reader, TestChain as _};
use checkout_chain_doubles::hostile::{Costs, Odd, row};
use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::OutputState::Confirmed;
use checkout_domain::ports::chain::Chain as _;
use serde_json::json;

use crate::esplora::{NOW, OnEsplora};

/// Where the address of each output stands.
const ADDRESSES: [&str; 3] =
    ["/vout/0/scriptpubkey_address", "/vout/1/scriptpubkey_address", "/vout/2/scriptpubkey_address"];

/// One transaction pays two addresses, and one output after the other is odd for so many blocks.
#[tokio::test(flavor = "multi_thread")]
async fn each_output_of_a_transaction_is_credited_when_it_can_be_read() {
    let on = OnEsplora::start().await;
    let mut next = 0;
    let mut check = async |call, turns: &[usize], blocks| {
        let addresses = [on.give(next, NOW), on.give(next + 1, NOW)];
        next += 2;
        let mut reader = Reader::default();
        reader.read(&on.chain).await;
        let id = on.send(&[(addresses[0].clone(), "0.2"), (addresses[1].clone(), "0.3")]).await.remove(0);
        let outputs = on.node().call("", "getrawtransaction", &json!([id, true]))["vout"].clone();
        let at = |address: &String| {
            let mut outputs = outputs.as_array().unwrap().iter();
            outputs.position(|output| output["scriptPubKey"]["addresses"][0] == *address).unwrap()
        };
        for turn in turns {
            let pointer = ADDRESSES[at(&addresses[*turn])];
            on.server.arm(row(call, Odd::Lacks(pointer), Costs::Entry), &id);
            for _ in 0..blocks {
                on.node().mine(1);
                reader.read(&on.chain).await;
            }
        }
        let is_listed = reader.set_aside.iter().any(|entry| entry.transaction == id);
        assert_eq!(is_listed, call == "*", "{call} {turns:?} {blocks}");
        on.server.disarm();
        on.node().mine(1);
        reader.read(&on.chain).await;
        let credited = addresses.each_ref().map(|address| reader.to(address).len());
        assert_eq!(credited, [1, 1], "{call} {turns:?} {blocks}");
        assert!(reader.known.values().all(|transfer| transfer.state == Confirmed));
        let reports = reader.reports;
        on.node().mine(1);
        reader.read(&on.chain).await;
        assert_eq!(reader.reports, reports, "{call} {turns:?} {blocks}: once");
    };
    for turns in [&[0, 1][..], &[1, 0], &[0], &[1]] {
        check("*", turns, 1).await;
        check("address", turns, 1).await;
    }
    // Its block is too old for the cursor.
    check("*", &[0], 30).await;
}

/// A server can name a block that is not at this height.
#[tokio::test(flavor = "multi_thread")]
async fn confirmations_are_of_a_block_that_is_where_it_says() {
    let on = OnEsplora::start().await;
    let address = on.give(0, NOW);
    let transaction = on.send(&[(address.clone(), "0.2")]).await.remove(0);
    on.node().mine(3);
    let output = OutputId { network: Network::Ltc, transaction: transaction.clone(), index: 0 };
    let check = async |pointer, text, expected: Option<u64>| {
        on.server.arm(row("*", Odd::Is(pointer, text), Costs::Entry), &transaction);
        let found = on.chain.look_up(&transaction).await.ok().flatten();
        assert_eq!(found.map(|found| found.confirmations), expected, "{pointer} {text}");
        assert_eq!(on.chain.confirmations(&output).await.ok(), expected, "{pointer} {text}");
        on.server.disarm();
    };
    check("/status/block_time", "7", Some(3)).await;
    check("/status/block_height", "1", None).await;
    check("/status/block_height", "400", Some(0)).await;
    check("/status/block_height", "null", None).await;
    check("/status/block_hash", "null", None).await;
    check("/status/confirmed", "false", Some(0)).await;
}
