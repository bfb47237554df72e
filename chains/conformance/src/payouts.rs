//! Payouts: a transaction broadcast repeatedly appears on the chain once.

use std::time::{Duration, Instant};

use checkout_core::address::{Address, Options};
use checkout_core::{Amount, Network, pair};
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::ports::broadcaster::{Broadcaster, Known, Unsent};
use checkout_test_support::patience;

use crate::TestChain;

async fn payout(chain: &dyn TestChain, network: Network) -> Payout {
    let mut pairs = pair::EVERY_PAIR.iter().filter(|pair| pair.network == network);
    let coin = pairs.clone().find(|pair| pair.contract.is_none());
    let pair = coin.or_else(|| pairs.next()).expect("every network has a currency");
    let amount = Amount::parse("0.25", pair.decimals).expect("an amount");
    crate::payout((pair.currency, network), &chain.other_address().await, None, amount.atoms())
}

/// Signs and stores.
async fn signed(chain: &dyn TestChain, broadcaster: &dyn Broadcaster, payout: &Payout) -> Signed {
    let signed = broadcaster.sign(payout).await.expect("it can be signed");
    if let (Some(numbers), Some(sequence)) = (chain.numbers(), &signed.sequence) {
        let number = sequence.number;
        assert!(numbers.stored().insert(number), "{number} belongs to another payout");
    }
    signed
}

async fn is_own(broadcaster: &dyn Broadcaster, address: &str) -> bool {
    let any = Options { allow_test_networks: true, ..Options::STRICT };
    let address = Address::parse_with(broadcaster.network(), address, &any).expect("an address");
    broadcaster.is_own(&address).await.expect("the network tells")
}

async fn until(broadcaster: &dyn Broadcaster, signed: &Signed, expected: Known) {
    let started = Instant::now();
    loop {
        let known = broadcaster.known(&signed.transaction_id).await.expect("the network can be asked");
        if known == expected {
            return;
        }
        assert!(started.elapsed() < patience(), "{known:?}, not {expected:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Before it is confirmed it may count as not sent.
async fn broadcast(chain: &dyn TestChain, broadcaster: &dyn Broadcaster, signed: &Signed) {
    match broadcaster.broadcast(signed).await {
        Ok(()) => {}
        Err(Unsent::Unavailable(_)) if chain.confirms_what_stays() => {}
        Err(error) => panic!("a network that has the bytes, or can have them, is content: {error:?}"),
    }
}

pub(crate) async fn signed_once_and_sent_often(chain: &dyn TestChain, broadcaster: &dyn Broadcaster) {
    let payout = payout(chain, broadcaster.network()).await;
    let signed = signed(chain, broadcaster, &payout).await;
    if let Some(sequence) = &signed.sequence {
        assert!(is_own(broadcaster, &sequence.account).await, "the account that pays");
        assert!(!is_own(broadcaster, &payout.to).await, "another one");
    }
    let first = chain.blocks_when_confirmed() - chain.blocks_when_seen();
    until(broadcaster, &signed, Known::Unknown).await;
    for _ in 0..3 {
        broadcast(chain, broadcaster, &signed).await;
    }
    let waits = if chain.shows_waiting_payouts() { Known::Pending } else { Known::Unknown };
    until(broadcaster, &signed, waits).await;
    chain.mine(1).await;
    until(broadcaster, &signed, Known::Confirmed(first)).await;
    broadcaster.broadcast(&signed).await.expect("a network that has the bytes is content");
    chain.mine(2).await;
    until(broadcaster, &signed, Known::Confirmed(first + 2)).await;
    if chain.confirms_what_stays() {
        return;
    }
    chain.reorganise(3).await;
    let waits = match chain.blocks_when_seen() {
        0 => Known::Pending,
        blocks => Known::Confirmed(blocks),
    };
    until(broadcaster, &signed, waits).await;
    broadcaster.broadcast(&signed).await.expect("a network that has the bytes is content");
    chain.mine(1).await;
    until(broadcaster, &signed, Known::Confirmed(chain.blocks_when_confirmed())).await;
}

/// Both are signed before the first one is sent, if the network takes both.
pub(crate) async fn two_payouts_spend_different_coins(chain: &dyn TestChain, broadcaster: &dyn Broadcaster) {
    let payout = payout(chain, broadcaster.network()).await;
    let one = signed(chain, broadcaster, &payout).await;
    if chain.sends_one_at_a_time() {
        let early = broadcaster.sign(&payout).await;
        assert!(matches!(early, Err(Unsent::Unavailable(_))), "the first waits: {early:?}");
        confirm(chain, broadcaster, &[&one]).await;
    }
    let two = signed(chain, broadcaster, &payout).await;
    assert_ne!(one.transaction_id, two.transaction_id);
    if chain.sends_one_at_a_time() {
        confirm(chain, broadcaster, &[&two]).await;
    } else {
        confirm(chain, broadcaster, &[&one, &two]).await;
    }
}

/// The next block has them.
async fn confirm(chain: &dyn TestChain, broadcaster: &dyn Broadcaster, all: &[&Signed]) {
    for signed in all {
        broadcast(chain, broadcaster, signed).await;
    }
    chain.mine(1).await;
    for signed in all {
        let first = chain.blocks_when_confirmed() - chain.blocks_when_seen();
        until(broadcaster, signed, Known::Confirmed(first)).await;
    }
}
