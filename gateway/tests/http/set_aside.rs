//! Entries of a chain that could not be read: they are listed and read again, and everything else is credited.

use std::sync::Arc;

use async_trait::async_trait;
use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::set_aside::{SetAside, pause};
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::chain::{Chain, ChainError, Changes};
use checkout_domain::ports::rereading::{Rejoined, Reread, Rereading};
use checkout_gateway::service::{App, record_transfers};
use parking_lot::Mutex;
use serde_json::json;

use super::World;

/// A network with one payment that can be read and one that cannot.
struct OddChain {
    good: Transfer,
    odd: Transfer,
    again: Mutex<Again>,
    /// After the next read.
    cursor: String,
}

/// What another look at the odd one finds.
#[derive(Clone, Copy)]
enum Again {
    Fails,
    Reads,
    /// Its block left the chain.
    Left,
}

#[async_trait]
impl Chain for OddChain {
    fn network(&self) -> Network {
        Network::Btc
    }

    async fn changes(&self, _: Option<&str>) -> Result<Changes, ChainError> {
        let entry = SetAside {
            network: Network::Btc,
            transaction: self.odd.output.transaction.clone(),
            part: "log 1".to_owned(),
            height: 7,
            block: "b7".to_owned(),
            why: "it has no receipt".to_owned(),
        };
        let read = Changes::new(vec![self.good.clone()], self.cursor.clone(), false);
        Ok(Changes { set_aside: vec![entry], ..read })
    }

    async fn confirmations(&self, _: &OutputId) -> Result<u64, ChainError> {
        Ok(1)
    }

    fn rereading(&self) -> Option<&dyn Rereading> {
        Some(self)
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        Ok(Tip { height: 7, hash: "b7".to_owned(), time: None })
    }

    async fn health(&self) -> Vec<Check> {
        Vec::new()
    }
}

#[async_trait]
impl Rereading for OddChain {
    async fn read_again(&self, _: &SetAside) -> Result<Reread, ChainError> {
        Ok(match *self.again.lock() {
            Again::Fails => Reread::Still("it still has none".to_owned()),
            Again::Reads | Again::Left => Reread::Read(vec![self.odd.clone()]),
        })
    }

    async fn rejoin(
        &self,
        cursor: &str,
        _: &SetAside,
        transfers: Vec<Transfer>,
    ) -> Result<Option<Rejoined>, ChainError> {
        let is_left = matches!(*self.again.lock(), Again::Left);
        Ok((!is_left).then(|| Rejoined { transfers, cursor: format!("{cursor} again") }))
    }
}

fn transfer(transaction: &str, to: &str, amount: &str) -> Transfer {
    Transfer {
        output: OutputId { network: Network::Btc, transaction: transaction.to_owned(), index: 0 },
        currency: Currency::Btc,
        amount: Amount::parse(amount, 8).unwrap(),
        to: to.to_owned(),
        tag: None,
        from: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2".to_owned(),
        from_tag: None,
        other_senders: Vec::new(),
        fee: "0".to_owned(),
        seen_at: super::START,
        state: OutputState::Confirmed,
        uncertain: false,
    }
}

async fn odd(world: &World) -> (App, Arc<OddChain>, String, String) {
    let (one, _) = world.quoted(json!({"clientPaymentId": "good"}), "BTC", "BTC").await;
    let (two, _) = world.quoted(json!({"clientPaymentId": "odd"}), "BTC", "BTC").await;
    let mut transfers = Vec::new();
    for (id, transaction) in [(&one, "tx-good"), (&two, "tx-odd")] {
        let payment = world.payment(id).await;
        transfers.push(transfer(transaction, payment["walletAddress"].as_str().unwrap(), "0.00166667"));
    }
    let odd = transfers.pop().unwrap();
    let (good, again) = (transfers.pop().unwrap(), Mutex::new(Again::Fails));
    let chain = Arc::new(OddChain { good, odd, again, cursor: "read".to_owned() });
    let mut app = App::clone(&world.app);
    app.chains.insert(Network::Btc, chain.clone());
    record_transfers::catch_up(&app, Network::Btc).await.unwrap();
    (app, chain, one, two)
}

async fn deposits(world: &World, id: &str) -> usize {
    world.app.store.payment(id.parse().unwrap()).await.unwrap().unwrap().deposits.len()
}

/// What `/readyz` says of entries that could not be read.
async fn warning(world: &World) -> String {
    let ready = world.get("/readyz", "").await.json;
    let warnings = ready["warnings"].as_array().cloned().unwrap_or_default();
    warnings.iter().filter_map(|text| text.as_str()).collect::<Vec<_>>().join("; ")
}

#[tokio::test]
async fn the_payer_beside_an_odd_entry_is_credited_and_the_odd_entry_is_listed() {
    let world = World::new().await;
    let (app, _, good, odd) = odd(&world).await;
    assert_eq!((deposits(&world, &good).await, deposits(&world, &odd).await), (1, 0));
    let told = warning(&world).await;
    for part in ["BTC: 1 entry set aside", "tx-odd in block 7: it has no receipt", "chains pending"] {
        assert!(told.contains(part), "{told}");
    }
    let metrics = world.get("/metrics", "").await;
    let metrics = String::from_utf8(metrics.bytes).unwrap();
    assert!(metrics.contains("checkout_chain_set_aside{network=\"BTC\"} 1"), "{metrics}");
    assert_eq!(app.store.set_aside(9).await.unwrap().len(), 1);
}

/// A server that leaves out a log of the transaction gives the next ones other numbers.
#[tokio::test]
async fn a_transfer_that_is_read_again_under_another_index_is_credited_once() {
    let world = World::new().await;
    let (app, _, good, _) = odd(&world).await;
    let first = app.store.payment(good.parse().unwrap()).await.unwrap().unwrap().deposits[0].clone();
    let check = async |index: u32, amount: &str, expected: usize| {
        let mut transfer = transfer("tx-good", &first.to, amount);
        transfer.output.index = index;
        let mut app = App::clone(&app);
        let again = Again::Fails;
        let odd = OddChain {
            good: transfer.clone(),
            odd: transfer,
            again: Mutex::new(again),
            cursor: format!("{index}"),
        };
        app.chains.insert(Network::Btc, Arc::new(odd));
        record_transfers::catch_up(&app, Network::Btc).await.unwrap();
        assert_eq!(deposits(&world, &good).await, expected, "{index} {amount}");
    };
    check(1, "0.00166667", 1).await;
    check(0, "0.00166667", 1).await;
    check(7, "0.00166668", 2).await;
    check(8, "0.00166668", 2).await;
}

#[tokio::test]
async fn an_odd_entry_is_read_again_and_credited_once() {
    let check = async |again: Again, expected: usize| {
        let world = World::new().await;
        let (app, chain, _, odd) = odd(&world).await;
        record_transfers::read_again(&app, Network::Btc).await.unwrap();
        assert_eq!(app.store.set_aside(9).await.unwrap()[0].tries, 0, "its pause is not over");
        world.advance(pause(0).unwrap()).await;
        record_transfers::read_again(&app, Network::Btc).await.unwrap();
        let open = &app.store.set_aside(9).await.unwrap()[0];
        assert_eq!((open.tries, open.entry.why.as_str()), (1, "it still has none"));
        *chain.again.lock() = again;
        world.advance(pause(1).unwrap()).await;
        for _ in 0..2 {
            record_transfers::read_again(&app, Network::Btc).await.unwrap();
        }
        assert_eq!(deposits(&world, &odd).await, expected);
        assert_eq!((app.store.set_aside(9).await.unwrap(), warning(&world).await), (vec![], String::new()));
        let cursor = app.store.cursor(Network::Btc).await.unwrap().unwrap();
        assert_eq!(cursor, if expected == 1 { "read again" } else { "read" });
    };
    check(Again::Reads, 1).await;
    check(Again::Left, 0).await;
}
