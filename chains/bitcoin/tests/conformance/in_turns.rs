//! Of two servers behind one URL, which answer in turns, one is odd: that costs nothing but time.

use checkout_chain_conformance::{Reader, TestChain as _};
use checkout_chain_doubles::hostile::{Costs, Odd, row};
use checkout_domain::chain::OutputState::Confirmed;
use checkout_domain::ports::chain::Chain;
use checkout_test_nodes::Node;

use crate::behind_a_server;
use crate::esplora::{NOW, OnEsplora};
use crate::odd_answers::NO_BLOCK;

/// Reads until the payment to an address is credited, while the servers take turns, and once more by the right one alone.
async fn credited(
    (chain, node): (&dyn Chain, &Node),
    reader: &mut Reader,
    address: &str,
    about: &str,
    disarm: impl Fn(),
) {
    let mut tried = 0;
    while reader.to(address).iter().all(|transfer| transfer.state != Confirmed) {
        node.mine(1);
        let _ = reader.try_read(chain).await;
        tried += 1;
        assert!(tried < 20, "{about}: {:?}", reader.set_aside);
    }
    disarm();
    node.mine(1);
    reader.read(chain).await;
    let credited = reader.to(address);
    assert_eq!(credited.len(), 1, "{about}");
    assert_eq!((credited[0].amount.atoms(), credited[0].state), (20_000_000, Confirmed), "{about}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_credited_once_by_two_esplora_servers() {
    let on = OnEsplora::start().await;
    let mut next = 0;
    for (call, odd) in [
        ("*", Odd::Is("/vout/0/value", "null")),
        ("*", Odd::Is("/vout/0/value", "18446744073709551615")),
        ("*", Odd::Is("/vin", "[]")),
        ("*", Odd::Is("/status/block_hash", NO_BLOCK)),
        ("*", Odd::Is("/status/block_height", "1")),
        ("*", Odd::Is("/status/confirmed", "false")),
        ("address", Odd::LeftOut),
        ("block", Odd::Head("/height", "400")),
    ] {
        for seed in [1, 2] {
            let address = on.give(next, NOW);
            next += 1;
            let mut reader = Reader::default();
            reader.read(&on.chain).await;
            let id = on.send(&[(address.clone(), "0.2")]).await.remove(0);
            on.server.arm(row(call, odd, Costs::Entry), &id);
            on.server.take_turns(seed);
            let about = format!("{call} {odd:?} {seed}");
            credited((&on.chain, on.node()), &mut reader, &address, &about, || on.server.disarm()).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_credited_once_by_two_nodes() {
    let (on, server, _, chain) = behind_a_server(30).await;
    let mut next = 0;
    for (call, odd) in [
        ("listsinceblock", Odd::Is("/amount", "null")),
        ("listsinceblock", Odd::Is("/amount", "0.7")),
        ("*", Odd::Is("/confirmations", "null")),
        ("*", Odd::Is("/confirmations", "-1")),
        ("gettransaction", Odd::Is("/hex", "null")),
        ("getblockheader", Odd::Head("/height", "400")),
    ] {
        for seed in [1, 2] {
            let address = on.deposit_address(next).await;
            next += 1;
            let mut reader = Reader::default();
            reader.read(&chain).await;
            let id = on.send(&[(address.clone(), "0.2")]).await.remove(0);
            server.arm(row(call, odd, Costs::Entry), &id);
            server.take_turns(seed);
            let about = format!("{call} {odd:?} {seed}");
            credited((&chain, &on.node), &mut reader, &address, &about, || server.disarm()).await;
        }
    }
}
