//! Tests the adapter against a server that follows rippled's documentation.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod conformance;
mod deposits;
mod health;
mod hostile;
mod payouts;

use std::ops::Deref;
use std::sync::Arc;

use async_trait::async_trait;
use checkout_chain_conformance::accounts::TestAccount;
use checkout_chain_conformance::{Payer, Watched};
use checkout_chain_doubles::{Fault, Rippled};
use checkout_chain_xrp::{Key, MAIN, MAX_FEE, Node, Signer, XrpBroadcaster, XrpChain};
use checkout_core::{Currency, Network};
use checkout_domain::chain::payout::Payout;
use serde_json::{Value, json};

/// The account that receives deposits, and one of a payer.
const OURS: &str = "rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH";
const PAYER: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";

/// Keys from published examples.
const ED25519: &str = "sEdTM1uX8pu2do5XvTnutH6HsouMaM2";
const SECP256K1: &str = "snoPBrXtMeMyMHUVTgbuqAfg1SUTb";

struct World {
    server: Rippled,
    watched: Watched<XrpChain>,
    payer: Payer<XrpBroadcaster>,
    /// The account that pays.
    account: String,
}

impl Deref for World {
    type Target = Payer<XrpBroadcaster>;

    fn deref(&self) -> &Self::Target {
        &self.payer
    }
}

impl World {
    async fn new(seed: &str) -> Self {
        Self::signing(Key::from_seed(seed).unwrap().into()).await
    }

    async fn signing(signer: Signer) -> Self {
        let server = Rippled::start().await;
        let account = signer.account();
        for (account, drops) in [(OURS, 100_000_000), (&account, 1_000_000_000), (PAYER, 5_000_000)] {
            server.ledger().fund(account, drops);
        }
        let node = Arc::new(Node::new(&server.url, MAIN).unwrap());
        let watched = Watched { chain: XrpChain::new(Arc::clone(&node), OURS.to_owned()) };
        let payer = Payer::new(|numbers| XrpBroadcaster::new(node, signer, numbers, MAX_FEE));
        Self { server, watched, payer, account }
    }
}

#[async_trait]
impl TestAccount for World {
    type Chain = XrpChain;
    type Broadcaster = XrpBroadcaster;

    const OURS: &'static str = OURS;
    const PAYER: &'static str = PAYER;
    const SENDS_ONE_AT_A_TIME: bool = false;
    const LIFETIME: u32 = 20;
    const EXPIRED: &'static str = "has not used its number";
    const PRUNED: &'static str = "does not have all ledgers";
    const QUESTIONS: [&'static str; 4] = ["server_info", "tx", "account_info", "account_tx"];

    async fn open() -> Self {
        Self::new(ED25519).await
    }

    fn watched(&self) -> &Watched<XrpChain> {
        &self.watched
    }

    fn payer(&self) -> &Payer<XrpBroadcaster> {
        &self.payer
    }

    fn deposit(&self, tag: u32, drops: u64) -> String {
        let drops = json!(drops.to_string());
        let tx = json!({"Destination": OURS, "DestinationTag": tag, "Amount": drops});
        self.server.ledger().put(tx, delivered(&drops))
    }

    fn payout(&self) -> Payout {
        payout(PAYER, None, 1_000_000)
    }

    fn balance(&self, account: &str) -> u64 {
        self.server.ledger().accounts.get(account).map_or(0, |account| account.drops)
    }

    fn close(&self, ledgers: u32) {
        self.server.ledger().close_many(ledgers);
    }

    fn last(&self) -> u32 {
        self.server.ledger().last
    }

    fn set_last(&self, ledger: u32) {
        self.server.ledger().last = ledger;
    }

    fn set_fault(&self, fault: Fault) {
        self.server.ledger().fault = fault;
    }

    fn lag(&self, questions: &[&'static str]) {
        self.server.ledger().lag(questions);
    }

    fn forget(&self, forgets: bool) {
        self.server.ledger().forgets = forgets;
    }

    fn prune(&self, pruned: bool) {
        let mut ledger = self.server.ledger();
        ledger.first = if pruned { ledger.last } else { 1000 };
    }
}

fn payout(to: &str, tag: Option<&str>, drops: u128) -> Payout {
    checkout_chain_conformance::payout((Currency::Xrp, Network::Xrp), to, tag, drops)
}

fn delivered(amount: &Value) -> Value {
    json!({"delivered_amount": amount})
}
