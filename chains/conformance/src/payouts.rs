//! Payouts: a transaction broadcast repeatedly appears on the chain once.

use std::time::{Duration, Instant};

use checkout_core::{Amount, Network, pair};
use checkout_gateway::domain::chain::payout::{Payout, Progress, Purpose, Signed};
use checkout_gateway::ports::broadcaster::{Broadcaster, Known};

use uuid::Uuid;

use crate::TestChain;

const TIMEOUT: Duration = Duration::from_secs(30);

async fn payout(chain: &dyn TestChain, network: Network) -> Payout {
    let pair = pair::PAIRS.iter().find(|pair| pair.network == network && pair.contract.is_none());
    let pair = pair.expect("every network has a coin");
    Payout {
        id: Uuid::nil(),
        business: Uuid::nil(),
        purpose: Purpose::Withdrawal,
        pair,
        amount: Amount::parse("0.25", pair.decimals).expect("an amount"),
        to: chain.other_address().await,
        tag: None,
        progress: Progress::Waiting,
        signed: None,
        created_at: 1,
    }
}

async fn until(broadcaster: &dyn Broadcaster, signed: &Signed, expected: Known) {
    let started = Instant::now();
    loop {
        let known = broadcaster.known(&signed.transaction_id).await.expect("the network can be asked");
        if known == expected {
            return;
        }
        assert!(started.elapsed() < TIMEOUT, "{known:?}, not {expected:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

pub(crate) async fn signed_once_and_sent_often(chain: &dyn TestChain, broadcaster: &dyn Broadcaster) {
    let payout = payout(chain, broadcaster.network()).await;
    let signed = broadcaster.sign(&payout).await.expect("it can be signed");
    until(broadcaster, &signed, Known::Unknown).await;
    for _ in 0..3 {
        broadcaster.broadcast(&signed).await.expect("a network that has the bytes is content");
    }
    until(broadcaster, &signed, Known::Pending).await;
    chain.mine(1).await;
    until(broadcaster, &signed, Known::Confirmed(1)).await;
    broadcaster.broadcast(&signed).await.expect("a network that has the bytes is content");
    chain.mine(2).await;
    until(broadcaster, &signed, Known::Confirmed(3)).await;
    chain.reorganise(3).await;
    until(broadcaster, &signed, Known::Pending).await;
    broadcaster.broadcast(&signed).await.expect("a network that has the bytes is content");
    chain.mine(1).await;
    until(broadcaster, &signed, Known::Confirmed(1)).await;
}

/// Both are signed before the first one is sent.
pub(crate) async fn two_payouts_spend_different_coins(chain: &dyn TestChain, broadcaster: &dyn Broadcaster) {
    let payout = payout(chain, broadcaster.network()).await;
    let one = broadcaster.sign(&payout).await.expect("it can be signed");
    let two = broadcaster.sign(&payout).await.expect("it can be signed");
    assert_ne!(one.transaction_id, two.transaction_id);
    for signed in [&one, &two] {
        broadcaster.broadcast(signed).await.expect("the network takes it");
    }
    chain.mine(1).await;
    for signed in [&one, &two] {
        until(broadcaster, signed, Known::Confirmed(1)).await;
    }
}
