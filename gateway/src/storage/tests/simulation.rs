//! The simulated networks, whose tables are in the store.

use checkout_core::{Amount, Currency, Network, pair};

use super::stage::{NOW, Stage, at_once, dec};
use crate::adapters::simulated_chain::broadcaster::SimulatedBroadcaster;
use crate::adapters::simulated_chain::{SimulatedChain, Simulator};
use crate::domain::chain::payout::Purpose;
use crate::domain::chain::{OutputId, OutputState};
use crate::domain::rates::asset::Asset;
use crate::domain::sandbox_request::TransferRequest;
use crate::ports::broadcaster::{Broadcaster as _, Known};
use crate::ports::{Chain as _, Simulation as _};

fn request(address: &str) -> TransferRequest {
    TransferRequest {
        pair: pair::find(Currency::Btc, Network::Btc).unwrap(),
        address: address.to_owned(),
        tag: None,
        amount: Amount::from_atoms(u128::from(u64::MAX)).unwrap(),
        from: Some("payer".to_owned()),
        replaceable: true,
    }
}

pub(super) async fn transfers(stage: &Stage) {
    let simulator = Simulator(stage.store.clone());
    let chain = SimulatedChain::new(Network::Btc, stage.store.clone());
    let one = simulator.send(&request("a"), NOW, [1; 32]).await.unwrap();
    let two = simulator.send(&request("b"), NOW, [2; 32]).await.unwrap();
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
    assert_eq!((first.from.as_str(), first.replaceable, first.seen_at), ("payer", true, NOW));
    assert_eq!(first.amount.atoms(), u128::from(u64::MAX));
}

/// A dropped transaction is on its way again when the same bytes come; what is there stays where it is.
pub(super) async fn sent_again(stage: &Stage) {
    let simulator = Simulator(stage.store.clone());
    let chain = SimulatedChain::new(Network::Btc, stage.store.clone());
    let broadcaster = SimulatedBroadcaster::new(Network::Btc, stage.store.clone());
    let signed = broadcaster.sign(&super::payouts::payout(stage, Purpose::Refund)).await.unwrap();
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

/// Who reads while others send misses none: revisions are committed in their order.
pub(super) async fn revisions_in_order(stage: &Stage) {
    let senders = at_once(8, |sender| {
        let simulator = Simulator(stage.store.clone());
        async move {
            for number in 0..20_u8 {
                let random = [u8::try_from(sender).unwrap() * 20 + number; 32];
                simulator.send(&request("a"), NOW, random).await.unwrap();
            }
        }
    });
    let reader = async {
        let chain = SimulatedChain::new(Network::Btc, stage.store.clone());
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
        tokio::time::timeout(std::time::Duration::from_mins(1), reader).await.expect("one was skipped");
    };
    tokio::join!(senders, read);
}

pub(super) async fn rates(stage: &Stage) {
    let simulator = Simulator(stage.store.clone());
    let asset = |code| Asset::known(code).unwrap();
    for rate in ["50000", "0.00000001"] {
        simulator.keep_rate(asset("BTC"), asset("EUR"), dec(rate)).await.unwrap();
        let kept = simulator.kept_rates().await.unwrap();
        assert_eq!(kept, [(asset("BTC"), asset("EUR"), dec(rate))]);
    }
}
