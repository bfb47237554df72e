//! Tests the adapter against a server that follows Horizon's documentation.

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
use checkout_chain_doubles::{Fault, Horizon};
use checkout_chain_stellar::{Key, MAIN, MAX_FEE, Node, Signer, StellarBroadcaster, StellarChain};
use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::payout::Payout;
use serde_json::{Value, json};

/// The account that receives deposits, and one of a payer.
const OURS: &str = "GDAO7QLKQJFKNJN6OYBG6LCXEQD3TXBC2WGXX7J7AN5LGXMKDOHOYQ6M";
const PAYER: &str = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";

const SEED: &str = "SAAZIQLXORXE4VVQ5CHS4BU2LTVOWYWLATOZAHDFPGIRDL6A4RNONRS3";

struct World {
    server: Horizon,
    watched: Watched<StellarChain>,
    payer: Payer<StellarBroadcaster>,
    /// The account that pays.
    account: String,
}

impl Deref for World {
    type Target = Payer<StellarBroadcaster>;

    fn deref(&self) -> &Self::Target {
        &self.payer
    }
}

impl World {
    async fn new() -> Self {
        Self::signing(Key::from_seed(SEED).unwrap().into()).await
    }

    async fn signing(signer: Signer) -> Self {
        let server = Horizon::start().await;
        let account = signer.account();
        for (account, stroops) in [(OURS, 100_000_000), (&account, 1_000_000_000), (PAYER, 50_000_000)] {
            server.ledger().fund(account, stroops);
        }
        let node = Arc::new(Node::new(&server.url, MAIN).unwrap());
        let watched = Watched { chain: StellarChain::new(Arc::clone(&node), OURS.to_owned()) };
        let payer = Payer::new(|numbers| StellarBroadcaster::new(node, signer, numbers, MAX_FEE));
        Self { server, watched, payer, account }
    }
}

#[async_trait]
impl TestAccount for World {
    type Chain = StellarChain;
    type Broadcaster = StellarBroadcaster;

    const OURS: &'static str = OURS;
    const PAYER: &'static str = PAYER;
    const SENDS_ONE_AT_A_TIME: bool = true;
    /// 180 seconds, in ledgers of five seconds.
    const LIFETIME: u32 = 36;
    const EXPIRED: &'static str = "it expired at";
    const PRUNED: &'static str = "deleted ledgers";
    const QUESTIONS: [&'static str; 4] = ["account", "transactions", "transaction", "ledgers"];

    async fn open() -> Self {
        Self::new().await
    }

    fn watched(&self) -> &Watched<StellarChain> {
        &self.watched
    }

    fn payer(&self) -> &Payer<StellarBroadcaster> {
        &self.payer
    }

    fn deposit(&self, memo: u32, stroops: u64) -> String {
        let amount = Amount::from_atoms(stroops.into()).unwrap().to_text(7);
        let memo = json!({"memo_type": "id", "memo": memo.to_string()});
        self.server.ledger().put(payment(&amount), vec![], memo)
    }

    fn payout(&self) -> Payout {
        payout(PAYER, None, 10_000_000)
    }

    fn balance(&self, account: &str) -> u64 {
        self.server.ledger().accounts.get(account).map_or(0, |account| account.stroops)
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
        ledger.first = if pruned { ledger.last } else { 40_000_000 };
    }
}

fn payout(to: &str, tag: Option<&str>, stroops: u128) -> Payout {
    checkout_chain_conformance::payout((Currency::Xlm, Network::Xlm), to, tag, stroops)
}

fn payment(amount: &str) -> Value {
    json!({"type": "payment", "type_i": 1, "asset_type": "native", "from": PAYER, "to": OURS, "amount": amount})
}
