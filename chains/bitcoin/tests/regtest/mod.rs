//! The settings of a node on a chain of its own.

use checkout_chain_bitcoin::{Environment, Settings};
use checkout_test_nodes::{MINER, Node, PASSWORD, USER};

pub(crate) fn settings(node: &Node) -> Settings {
    Settings {
        url: node.url(),
        user: Some(USER.to_owned()),
        password: Some(PASSWORD.to_owned()),
        network: Environment::Regtest,
        wallet: "deposits".to_owned(),
        payout_wallet: Some(MINER.to_owned()),
        ..Settings::default()
    }
}
