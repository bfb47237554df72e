//! The simulated networks, whose tables are in the store; each test runs on both stores.

use checkout_core::{Amount, Currency, Network, decimal, pair};
use checkout_domain::chain::payout::hold::Hold;
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::chain::{OutputId, OutputState};
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::Chain as _;
use checkout_domain::ports::broadcaster::{Broadcaster as _, Known};
use checkout_domain::ports::screening::Screening as _;
use checkout_domain::rates::asset::Asset;
use checkout_gateway::adapters::rule_screening::RuleScreening;
use checkout_gateway::service::app::Policy;
use checkout_simulator::Sandbox;
use checkout_simulator::chain::SimulatedChain;
use checkout_simulator::chain::broadcaster::SimulatedBroadcaster;
use checkout_simulator::chain::screening::SimulatedScreening;
use checkout_simulator::chain::simulator::Simulator;
use checkout_simulator::requests::TransferRequest;
use checkout_storage::Database;
use checkout_test_support::patience;
use futures::future::join_all;
use uuid::Uuid;

use crate::fixture::Place;

const NOW: u64 = 1_800_000_000;

#[tokio::test]
async fn transfers() {
    for place in [Place::sqlite(), Place::postgres()] {
        transfers_of(&opened(&place).await).await;
    }
}

#[tokio::test]
async fn sent_again() {
    for place in [Place::sqlite(), Place::postgres()] {
        sent_again_of(&opened(&place).await).await;
    }
}

#[tokio::test]
async fn revisions_in_order() {
    for place in [Place::sqlite(), Place::postgres()] {
        revisions_in_order_of(&opened(&place).await).await;
    }
}

#[tokio::test]
async fn rates() {
    for place in [Place::sqlite(), Place::postgres()] {
        rates_of(&opened(&place).await).await;
    }
}

#[tokio::test]
async fn senders() {
    for place in [Place::sqlite(), Place::postgres()] {
        senders_of(&opened(&place).await).await;
    }
}

/// A database with the tables of a sandbox.
async fn opened(place: &Place) -> Database {
    let database = place.open().await;
    Sandbox::new(&database)
        .app(Policy::default(), RuleScreening::new(&[]), Vec::new(), String::new())
        .await
        .unwrap();
    database
}

fn payout() -> Payout {
    Payout {
        id: Uuid::new_v4(),
        business: BusinessId(Uuid::new_v4()),
        purpose: Purpose::Refund,
        pair: pair::find(Currency::Btc, Network::Btc).unwrap(),
        amount: Amount::from_atoms(1_000).unwrap(),
        to: "payer".to_owned(),
        tag: None,
        state: PayoutState::Waiting,
        hold: Hold::Free,
        why: None,
        revision: 0,
        claimed: false,
        created_at: NOW,
    }
}

fn request(address: &str) -> TransferRequest {
    TransferRequest {
        pair: pair::find(Currency::Btc, Network::Btc).unwrap(),
        address: address.to_owned(),
        tag: None,
        amount: Amount::from_atoms(u128::from(u64::MAX)).unwrap(),
        from: Some("payer".to_owned()),
        from_tag: None,
        replaceable: true,
        transaction: None,
        sender: None,
    }
}

async fn transfers_of(store: &Database) {
    let simulator = Simulator(store.clone());
    let chain = SimulatedChain::new(Network::Btc, store.clone());
    let one = simulator.send(&request("a"), NOW, [1; 32]).await.unwrap().unwrap();
    let two = simulator.send(&request("b"), NOW, [2; 32]).await.unwrap().unwrap();
    let mut cursor: Option<String> = None;
    let mut news = async || {
        let changes = chain.changes(cursor.as_deref()).await.unwrap();
        cursor = Some(changes.cursor);
        changes
            .transfers
            .into_iter()
            .map(|transfer| (transfer.output.transaction, transfer.state))
            .collect::<Vec<_>>()
    };
    let (loose, firm) = (OutputState::Unconfirmed, OutputState::Confirmed);
    assert_eq!(news().await, [(one.clone(), loose), (two.clone(), loose)]);
    assert_eq!(news().await, []);
    assert_eq!(simulator.mine(Network::Btc, 3).await.unwrap(), 3);
    assert_eq!(news().await, [(one.clone(), firm), (two.clone(), firm)]);
    assert_eq!(simulator.drop_transfer(&one).await.unwrap(), Some(Network::Btc));
    assert_eq!(simulator.drop_transfer("none").await.unwrap(), None);
    assert_eq!(simulator.reorganise(Network::Btc, 9).await.unwrap(), 0);
    assert_eq!(news().await, [(one, OutputState::Vanished), (two, loose)]);
    let first = chain.changes(None).await.unwrap().transfers.remove(0);
    assert_eq!((first.from.as_str(), first.uncertain, first.seen_at), ("payer", true, NOW));
    assert_eq!(first.amount.atoms(), u128::from(u64::MAX));
}

/// A dropped transaction is pending again when the same bytes are sent; one that was not dropped does not change.
async fn sent_again_of(store: &Database) {
    let simulator = Simulator(store.clone());
    let chain = SimulatedChain::new(Network::Btc, store.clone());
    let broadcaster = SimulatedBroadcaster::new(Network::Btc, store.clone());
    let signed = broadcaster.sign(&payout()).await.unwrap();
    let output = OutputId { network: Network::Btc, transaction: signed.transaction_id.clone(), index: 0 };
    let check = async |known, confirmations| {
        assert_eq!(broadcaster.known(&signed.transaction_id).await.unwrap(), known);
        assert_eq!(chain.confirmations(&output).await.unwrap(), confirmations);
    };
    check(Known::Unknown, 0).await;
    for _ in 0..2 {
        broadcaster.broadcast(&signed).await.unwrap();
        check(Known::Pending, 0).await;
        simulator.mine(Network::Btc, 1).await.unwrap();
        check(Known::Confirmed(1), 1).await;
        broadcaster.broadcast(&signed).await.unwrap();
        check(Known::Confirmed(1), 1).await;
        simulator.mine(Network::Btc, 2).await.unwrap();
        check(Known::Confirmed(3), 3).await;
        simulator.reorganise(Network::Btc, 2).await.unwrap();
        check(Known::Confirmed(1), 1).await;
        simulator.reorganise(Network::Btc, 1).await.unwrap();
        check(Known::Pending, 0).await;
        simulator.mine(Network::Btc, 1).await.unwrap();
        simulator.drop_transfer(&signed.transaction_id).await.unwrap();
        check(Known::Unknown, 0).await;
    }
}

/// A reader misses no transfer of concurrent senders, because revisions are committed in order.
async fn revisions_in_order_of(store: &Database) {
    let senders = join_all((0..8_u8).map(|sender| {
        let simulator = Simulator(store.clone());
        async move {
            for number in 0..20_u8 {
                let random = [sender * 20 + number; 32];
                simulator.send(&request("a"), NOW, random).await.unwrap();
            }
        }
    }));
    let reader = async {
        let chain = SimulatedChain::new(Network::Btc, store.clone());
        let (mut cursor, mut seen): (Option<String>, _) = (None, std::collections::BTreeSet::new());
        while seen.len() < 160 {
            let changes = chain.changes(cursor.as_deref()).await.unwrap();
            for transfer in changes.transfers {
                assert!(seen.insert(transfer.output.transaction), "read twice");
            }
            cursor = Some(changes.cursor);
            tokio::task::yield_now().await;
        }
    };
    let read = async {
        tokio::time::timeout(patience(), reader).await.expect("a transfer was skipped");
    };
    tokio::join!(senders, read);
}

async fn rates_of(store: &Database) {
    let simulator = Simulator(store.clone());
    let asset = |code| Asset::known(code).unwrap();
    for rate in ["50000", "0.00000001"] {
        simulator.keep_rate(asset("BTC"), asset("EUR"), decimal::parse(rate, 8).unwrap()).await.unwrap();
        let kept = simulator.kept_rates().await.unwrap();
        assert_eq!(kept, [(asset("BTC"), asset("EUR"), decimal::parse(rate, 8).unwrap())]);
    }
}

/// An address is flagged until the control API removes the flag.
async fn senders_of(store: &Database) {
    let simulator = Simulator(store.clone());
    let screening = SimulatedScreening::new(RuleScreening::new(&[]), store.clone());
    let blocked = async |network, address| screening.screen(network, address).await.unwrap().blocked;
    for flagged in [true, true, false, false, true] {
        simulator.flag(Network::Btc, "a", flagged).await.unwrap();
        assert_eq!(blocked(Network::Btc, "a").await, flagged);
        assert!(!blocked(Network::Btc, "b").await && !blocked(Network::Ltc, "a").await);
    }
}
