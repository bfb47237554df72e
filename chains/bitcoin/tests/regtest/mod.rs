//! The settings of a node on a chain of its own.

use std::sync::Arc;

use checkout_chain_bitcoin::{Environment, Settings};
use checkout_test_nodes::{MINER, Node, PASSWORD, USER};

pub(crate) fn settings(node: &Node) -> Settings {
    Settings {
        url: node.url(),
        esplora: None,
        poll_seconds: None,
        requests_per_hour: None,
        requests_per_day: None,
        gate: Arc::default(),
        requests_per_second: None,
        user: Some(USER.to_owned()),
        password: Some(PASSWORD.to_owned()),
        cookie_file: None,
        network: Environment::Regtest,
        wallet: "deposits".to_owned(),
        payout_wallet: Some(MINER.to_owned()),
        max_fee_rate: None,
        fallback_fee_rate: None,
        replace_after_seconds: None,
        replace_after_blocks: None,
    }
}
