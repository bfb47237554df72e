//! Odd answers about several outputs of a transaction, and about the place of a block.

use checkout_chain_bitcoin::NodeWallet;
use checkout_chain_conformance::{Reader, TestChain as _};
use checkout_chain_doubles::hostile::{Costs, Odd, row};
use checkout_core::{Currency, Network};
use checkout_domain::chain::OutputId;
use checkout_domain::chain::OutputState::Confirmed;
use checkout_domain::ports::broadcaster::{Broadcaster as _, Known};
use checkout_domain::ports::chain::Chain as _;
use serde_json::json;

use crate::esplora::{NOW, OnEsplora};
use crate::{Environment, behind_a_server, esplora};

/// Where the address of each output stands.
const ADDRESSES: [&str; 3] =
    ["/vout/0/scriptpubkey_address", "/vout/1/scriptpubkey_address", "/vout/2/scriptpubkey_address"];

/// No height of the last block.
const HEIGHTS: [&str; 8] = ["400", "1", "0", "-1", "7.5", r#""7""#, "null", "18446744073709551615"];

/// A hash that no block has.
pub(crate) const NO_BLOCK: &str = r#""00000000000000000000000000000000000000000000000000000000000000ff""#;

/// One transaction pays two addresses, and one output after the other is odd for this many blocks.
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

/// A server can name a block that is not at this height, or a height that is not the last one's.
#[tokio::test(flavor = "multi_thread")]
async fn confirmations_are_of_a_block_that_is_where_it_says() {
    let on = OnEsplora::start().await;
    let address = on.give(0, NOW);
    let transaction = on.send(&[(address.clone(), "0.2")]).await.remove(0);
    on.node().mine(3);
    let output = OutputId { network: Network::Ltc, transaction: transaction.clone(), index: 0 };
    let check = async |call, odd, expected: Option<u64>| {
        on.server.arm(row(call, odd, Costs::Entry), &transaction);
        // A new process knows no last block.
        let chain = esplora::chain(&on.server, &on.given, Environment::Regtest);
        let found = chain.look_up(&transaction).await.ok().flatten();
        assert_eq!(found.map(|found| found.confirmations), expected, "{call} {odd:?}");
        assert_eq!(chain.confirmations(&output).await.ok(), expected, "{call} {odd:?}");
        assert_eq!(chain.tip().await.is_ok(), call == "*" || expected.is_some(), "{call} {odd:?}");
        on.server.disarm();
    };
    check("*", Odd::Is("/status/block_time", "7"), Some(3)).await;
    check("*", Odd::Is("/status/block_height", "1"), None).await;
    check("*", Odd::Is("/status/block_height", "400"), Some(0)).await;
    check("*", Odd::Is("/status/block_height", "null"), None).await;
    check("*", Odd::Is("/status/block_hash", "null"), None).await;
    check("*", Odd::Is("/status/confirmed", "false"), Some(0)).await;
    for height in HEIGHTS {
        check("block", Odd::Head("/height", height), None).await;
    }
    check("block", Odd::Head("/previousblockhash", "null"), Some(3)).await;
    check("block", Odd::Head("/previousblockhash", "7"), Some(3)).await;
    check("block", Odd::Head("/previousblockhash", NO_BLOCK), None).await;
}

/// The wallet of a node and its blocks each tell how deep a transaction is: the fewer count.
#[tokio::test(flavor = "multi_thread")]
async fn confirmations_of_a_node_are_told_twice() {
    let (on, server, settings, chain) = behind_a_server(1).await;
    let to = on.deposit_address(0).await;
    let payouts = NodeWallet::new(Network::Ltc, &settings).unwrap();
    let key = (Currency::Ltc, Network::Ltc);
    let signed = payouts.sign(&checkout_chain_conformance::payout(key, &to, None, 50_000_000)).await.unwrap();
    payouts.broadcast(&signed).await.unwrap();
    on.node.mine(3);
    let id = signed.transaction_id;
    let output = OutputId { network: Network::Ltc, transaction: id.clone(), index: 0 };
    let check = async |call, odd, expected: Option<u64>| {
        server.arm(row(call, odd, Costs::Entry), &id);
        let found = chain.look_up(&id).await.ok().flatten();
        assert_eq!(found.map(|found| found.confirmations), expected, "{call} {odd:?}");
        assert_eq!(chain.confirmations(&output).await.ok(), expected, "{call} {odd:?}");
        let known = payouts.known(&id).await.ok();
        let is_known =
            expected.map(|blocks| if blocks == 0 { Known::Unknown } else { Known::Confirmed(blocks) });
        assert_eq!(known, is_known, "{call} {odd:?}");
        server.disarm();
    };
    check("gettransaction", Odd::Is("/confirmations", "400"), Some(3)).await;
    check("gettransaction", Odd::Is("/confirmations", "2"), Some(2)).await;
    check("gettransaction", Odd::Is("/confirmations", "9223372036854775807"), Some(3)).await;
    check("gettransaction", Odd::Is("/confirmations", "9223372036854775808"), None).await;
    check("gettransaction", Odd::Is("/confirmations", "2.5"), None).await;
    check("gettransaction", Odd::Is("/confirmations", r#""2""#), None).await;
    check("gettransaction", Odd::Is("/blockhash", NO_BLOCK), None).await;
    check("gettransaction", Odd::Lacks("/blockhash"), None).await;
    check("getblockheader", Odd::Head("/confirmations", "400"), Some(3)).await;
    check("getblockheader", Odd::Head("/confirmations", "0"), Some(0)).await;
    check("getblockheader", Odd::Head("/confirmations", r#""2""#), None).await;
    for height in HEIGHTS {
        server.arm(row("getblockheader", Odd::Head("/height", height), Costs::Answer), "");
        assert!(chain.tip().await.is_err(), "{height}");
    }
}

/// A payment that waits, of which all that the wallet says is that it is deep in the chain.
#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_alone_confirms_nothing() {
    let (on, server, _, chain) = behind_a_server(1).await;
    let address = on.deposit_address(0).await;
    let mut reader = Reader::default();
    reader.read(&chain).await;
    let id = on.send(&[(address.clone(), "0.2")]).await.remove(0);
    server.arm(row("*", Odd::Is("/confirmations", "400"), Costs::Entry), &id);
    for _ in 0..2 {
        reader.read(&chain).await;
        assert_eq!(reader.to(&address), []);
        assert_eq!(reader.set_aside.iter().map(|entry| &entry.transaction).collect::<Vec<_>>(), [&id]);
    }
    server.disarm();
    on.node.mine(1);
    reader.until(&chain, &address, &[Confirmed]).await;
}
