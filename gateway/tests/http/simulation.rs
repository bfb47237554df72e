//! The simulated networks, whose tables are in the store; each test runs on both stores.

use checkout_core::{Amount, Currency, Network, decimal, pair};
use checkout_domain::chain::payout::hold::Hold;
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::chain::{OutputId, OutputState};
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::broadcaster::{Broadcaster as _, Known};
use checkout_domain::ports::rereading::Reread;
use checkout_domain::ports::screening::Screening as _;
use checkout_domain::ports::{Chain as _, Changes};
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

#[tokio::test]
async fn executed_again() {
    for place in [Place::sqlite(), Place::postgres()] {
        executed_again_of(&opened(&place).await).await;
    }
}

#[tokio::test]
async fn behind_and_without_fields() {
    for place in [Place::sqlite(), Place::postgres()] {
        behind_and_without_fields_of(&opened(&place).await).await;
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

/// What a block did leaves with it. Other facts are another output, the same ones are the same.
async fn executed_again_of(store: &Database) {
    let (simulator, chain) = (Simulator(store.clone()), SimulatedChain::new(Network::Btc, store.clone()));
    let other = TransferRequest { amount: Amount::from_atoms(2).unwrap(), ..request("a") };
    let id = simulator.send(&request("a"), NOW, [1; 32]).await.unwrap().unwrap();
    let execute = async |moves| simulator.execute_again(&id, moves, Network::Btc, NOW).await.unwrap();
    let mut cursor: Option<String> = None;
    let mut news = async || {
        let changes = chain.changes(cursor.as_deref()).await.unwrap();
        cursor = Some(changes.cursor);
        let news = changes.transfers.iter().map(|one| (one.output.index, one.amount.atoms(), one.state));
        news.collect::<Vec<_>>()
    };
    let (first, gone, firm) = (u128::from(u64::MAX), OutputState::Vanished, OutputState::Confirmed);
    simulator.mine(Network::Btc, 1).await.unwrap();
    assert_eq!(news().await, [(0, first, firm)]);
    assert!(!execute(Some(&other)).await, "it is in a block");
    for (moves, expected) in [
        (Some(&other), &[(0, first, gone), (1, 2, firm)][..]),
        (None, &[(1, 2, gone)]),
        (Some(&other), &[(1, 2, firm)]),
        (Some(&request("a")), &[(1, 2, gone), (0, first, firm)]),
    ] {
        simulator.reorganise(Network::Btc, 1).await.unwrap();
        assert!(execute(moves).await);
        simulator.mine(Network::Btc, 1).await.unwrap();
        let told: Vec<_> = news().await.into_iter().filter(|one| one.2 != OutputState::Unconfirmed).collect();
        assert_eq!(told, expected);
    }
}

/// A node that is behind tells of nothing new. Fields that it lost are read when it has them again.
async fn behind_and_without_fields_of(store: &Database) {
    let (simulator, chain) = (Simulator(store.clone()), SimulatedChain::new(Network::Btc, store.clone()));
    simulator.run_ahead(Network::Btc, -600).await.unwrap();
    let id = simulator.send(&request("a"), NOW, [1; 32]).await.unwrap().unwrap();
    simulator.mine(Network::Btc, 3).await.unwrap();
    let output = OutputId { network: Network::Btc, transaction: id.clone(), index: 0 };
    for (lag, height, confirmations) in [(1, 2, 2), (2, 1, 1), (3, 0, 0), (9, 0, 0), (0, 3, 3)] {
        simulator.lag(Network::Btc, lag).await.unwrap();
        assert_eq!(chain.tip().await.unwrap().height, height, "{lag}");
        assert_eq!(chain.confirmations(&output).await.unwrap(), confirmations, "{lag}");
        assert_eq!(chain.changes(None).await.unwrap().transfers.is_empty(), lag > 0, "{lag}");
    }
    simulator.lose_fields(&id, true).await.unwrap();
    let Changes { transfers, set_aside, cursor, .. } = chain.changes(None).await.unwrap();
    assert_eq!((transfers, set_aside.len(), &set_aside[0].transaction), (Vec::new(), 1, &id));
    let rereading = chain.rereading().unwrap();
    assert!(matches!(rereading.read_again(&set_aside[0]).await.unwrap(), Reread::Still(_)));
    simulator.lose_fields(&id, false).await.unwrap();
    let Reread::Read(found) = rereading.read_again(&set_aside[0]).await.unwrap() else {
        panic!("it is read")
    };
    let told = rereading.rejoin(&cursor, &set_aside[0], found).await.unwrap().unwrap().transfers;
    assert_eq!((told.len(), told[0].seen_at, told[0].state), (1, NOW - 600, OutputState::Confirmed));
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
