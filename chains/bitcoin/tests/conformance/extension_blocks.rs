//! Litecoin paid out of its extension blocks (MWEB), which `litecoind` has on regtest from block 432.

use checkout_chain_conformance::Reader;
use checkout_core::Network;
use checkout_domain::chain::OutputState::{Confirmed, Unconfirmed, Vanished};
use checkout_domain::chain::source::fault;
use checkout_domain::ports::addresses::Addresses as _;
use checkout_domain::ports::chain::Chain as _;
use checkout_test_nodes::{MINER, Node, litecoind};
use serde_json::json;

use crate::OnNode;

/// Confirmations until a miner takes the coins (`PEGOUT_MATURITY` of Litecoin Core).
pub(crate) const MATURITY: u32 = 6;

/// The last block of a regtest chain before extension blocks: the miners' vote takes three periods of 144 blocks.
const BEFORE: u32 = 431;

/// A wallet `hidden` whose coins are all in extension blocks.
pub(crate) fn hidden_wallet(node: &Node) {
    let height = node.call("", "getblockcount", &json!([])).as_u64().unwrap();
    node.mine(BEFORE - u32::try_from(height).unwrap());
    let own = node.text(MINER, "getnewaddress", &json!(["", "mweb"]));
    node.send(&own, "20");
    node.mine(2);
    node.call("", "createwallet", &json!(["hidden"]));
    let hidden = node.text("hidden", "getnewaddress", &json!(["", "mweb"]));
    node.send(&hidden, "10");
    node.mine(1);
}

#[tokio::test(flavor = "multi_thread")]
async fn coins_out_of_an_extension_block_are_credited_once_when_mature() {
    let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
    let on = OnNode::start(&program, Network::Ltc);
    assert_eq!(fault(&on.chain.health().await), None, "and the wallet is made");
    let address = on.addresses.address(Network::Ltc, 0).unwrap();
    on.chain.watch(&address, 0).await.unwrap();
    hidden_wallet(&on.node);
    let mut reader = Reader::default();
    reader.read(&on.chain).await;
    let mut away = reader.clone();

    on.node.text("hidden", "sendtoaddress", &json!([address, "3"]));
    on.node.mine(1);
    let seen = reader.until(&on.chain, &address, &[Unconfirmed]).await;
    assert!(seen[0].uncertain && seen[0].amount.to_text(8) == "3" && seen[0].from.is_empty(), "{seen:?}");
    on.node.mine(MATURITY - 2);
    reader.read(&on.chain).await;
    assert_eq!(reader.to(&address)[0].state, Unconfirmed);
    on.node.mine(1);
    for reader in [&mut reader, &mut away] {
        reader.until(&on.chain, &address, &[Confirmed]).await;
    }
    on.node.mine(3);
    reader.read(&on.chain).await;
    assert_eq!(reader.to(&address).len(), 1, "{:?}", reader.to(&address));

    // Another block pays it out again, in another transaction.
    let height = on.node.call("", "getblockcount", &json!([])).as_u64().unwrap();
    let first = on.node.text("", "getblockhash", &json!([height - u64::from(MATURITY) - 2]));
    on.node.call("", "invalidateblock", &json!([first]));
    let own = on.node.text(MINER, "getnewaddress", &json!(["", "mweb"]));
    on.node.send(&own, "1");
    on.node.mine(MATURITY + 4);
    let count =
        |reader: &Reader, state| reader.to(&address).iter().filter(|seen| seen.state == state).count();
    for _ in 0..20 {
        reader.read(&on.chain).await;
        if count(&reader, Confirmed) == 1 && count(&reader, Unconfirmed) == 0 {
            break;
        }
        on.node.mine(1);
    }
    assert_eq!(count(&reader, Confirmed), 1, "{:?}", reader.to(&address));
    assert_eq!(count(&reader, Vanished), reader.to(&address).len() - 1);
}
