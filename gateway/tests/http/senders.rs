//! Transfers with several senders, or an unknown one: all are screened.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::screening::AddressOwner;
use checkout_domain::chain::screening::Screening as State;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::chain::{Chain, ChainError, Changes};
use checkout_domain::ports::screening::{Screened, Screening, ScreeningError};
use checkout_gateway::service::App;
use checkout_gateway::service::transfers::{record_transfers, screen_deposits};
use serde_json::json;

use super::World;
use super::flagged::BITCOIN;

const SHADY: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

/// One confirmed transfer.
struct One {
    to: String,
    senders: Vec<&'static str>,
}

#[async_trait]
impl Chain for One {
    fn network(&self) -> Network {
        Network::Btc
    }

    async fn changes(&self, _: Option<&str>) -> Result<Changes, ChainError> {
        let transfer = Transfer {
            output: OutputId { network: Network::Btc, transaction: "tx-1".to_owned(), index: 0 },
            currency: Currency::Btc,
            amount: Amount::parse("0.00166667", 8).unwrap(),
            to: self.to.clone(),
            tag: None,
            from: self.senders[0].to_owned(),
            from_tag: None,
            other_senders: self.senders[1..].iter().map(|&sender| sender.to_owned()).collect(),
            fee: "0".to_owned(),
            seen_at: super::START,
            state: OutputState::Confirmed,
            uncertain: false,
        };
        Ok(Changes::new(vec![transfer], "behind".to_owned(), false))
    }

    async fn confirmations(&self, _: &OutputId) -> Result<u64, ChainError> {
        Ok(1)
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        Ok(Tip { height: 1, hash: "1".to_owned(), time: None })
    }

    async fn health(&self) -> Vec<Check> {
        Vec::new()
    }
}

/// Blocks one address, and answers only when it is asked to.
struct Rules {
    is_on: bool,
    speaks: AtomicBool,
}

#[async_trait]
impl Screening for Rules {
    async fn screen(&self, _: Network, address: &str) -> Result<Screened, ScreeningError> {
        if !self.speaks.load(Ordering::SeqCst) {
            return Err(ScreeningError("no answer".into()));
        }
        let owner = AddressOwner { name: "Somebody".to_owned(), category: "MIXER".to_owned() };
        Ok(Screened { owner, blocked: address == SHADY })
    }

    fn is_on(&self) -> bool {
        self.is_on
    }
}

/// Receives a transfer of these senders. Returns the state of the deposit, and the name of a flagged owner.
async fn received(senders: &[&'static str], is_on: bool, answers_at_once: bool) -> (State, Option<String>) {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let to = world.payment(&id).await["walletAddress"].as_str().unwrap().to_owned();
    let rules = Arc::new(Rules { is_on, speaks: AtomicBool::new(answers_at_once) });
    let mut app = App::clone(&world.app);
    app.screening = rules.clone();
    app.chains.insert(Network::Btc, Arc::new(One { to, senders: senders.to_vec() }));
    record_transfers::catch_up(&app, Network::Btc).await.unwrap();
    rules.speaks.store(true, Ordering::SeqCst);
    screen_deposits::run(&app).await.unwrap();
    let record = app.store.payment(id.parse().unwrap()).await.unwrap().unwrap();
    let deposit = &record.deposits[0];
    (deposit.screening, deposit.sender.as_ref().map(|owner| owner.name.clone()))
}

#[tokio::test]
async fn money_of_which_a_part_is_shady_or_of_unknown_origin_is_held() {
    let check = async |senders: &[&'static str], is_on, expected: State, owner: Option<&str>| {
        // The senders that wait for an answer are stored.
        for answers_at_once in [true, false] {
            let (state, name) = received(senders, is_on, answers_at_once).await;
            assert_eq!((state, name.as_deref()), (expected, owner), "{senders:?} {is_on} {answers_at_once}");
        }
    };
    check(&[BITCOIN], true, State::Passed, None).await;
    check(&[SHADY], true, State::Flagged, Some("Somebody")).await;
    check(&[BITCOIN, SHADY], true, State::Flagged, Some("Somebody")).await;
    check(&[BITCOIN, ""], true, State::Flagged, Some("Unknown sender")).await;
    check(&[""], true, State::Flagged, Some("Unknown sender")).await;
    // Only the built-in list: an unknown sender is nobody on it.
    check(&[""], false, State::Passed, None).await;
    check(&["", SHADY], false, State::Flagged, Some("Somebody")).await;
}
