//! Payouts of an account that numbers its payments, where a payment expires: XRP and Stellar. Whichever answers of a server are of
//! an older ledger than the others, a payment is paid once.

use async_trait::async_trait;
use checkout_core::Amount;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::ports::broadcaster::{Broadcaster, Unsent};

use crate::Payer;

/// A new ledger with an account that pays.
#[async_trait]
pub trait TestLedger: Send + Sync + Sized {
    /// The questions that a server that lags can answer.
    const QUESTIONS: [&'static str; 4];
    /// After so many ledgers a payment expires.
    const LIFETIME: u32;
    /// How the broadcaster says that.
    const EXPIRED: &'static str;
    /// How it says that the server lacks ledgers.
    const PRUNED: &'static str;

    type Broadcaster: Broadcaster;

    async fn open() -> Self;

    fn payer(&self) -> &Payer<Self::Broadcaster>;

    fn payout(&self) -> Payout;

    /// The balance of its recipient.
    fn received(&self) -> u64;

    fn close(&self, ledgers: u32);

    /// From now on a server that stays as it is answers these questions.
    fn lag(&self, questions: &[&'static str]);

    /// The server takes payments and forgets them.
    fn forget(&self, forgets: bool);

    /// The server has no ledger but its last one.
    fn prune(&self, pruned: bool);

    /// Sends a payment, which the next ledger includes.
    async fn pay(&self, signed: &Signed) {
        self.payer().waits(signed).await;
        self.close(1);
        self.payer().broadcaster.broadcast(signed).await.expect("it is paid");
    }
}

fn sets(questions: [&'static str; 4]) -> impl Iterator<Item = Vec<&'static str>> {
    (0_u32..16).map(move |set| (0..4).filter(|at| set >> at & 1 == 1).map(|at| questions[at]).collect())
}

/// Each set of questions is answered by a server that stopped before the payment got into its ledger.
///
/// # Panics
/// Panics if a payment is signed again, or not paid.
pub async fn never_signed_again_whichever_answers_lag<L: TestLedger>(ledgers: u32) {
    for lagging in sets(L::QUESTIONS) {
        let ledger = L::open().await;
        let (payer, payout, before) = (ledger.payer(), ledger.payout(), ledger.received());
        let signed = payer.signed(&payout).await;
        payer.waits(&signed).await;
        ledger.lag(&lagging);
        for _ in 0..ledgers {
            ledger.close(1);
            let found = payer.broadcaster.broadcast(&signed).await;
            assert!(matches!(found, Ok(()) | Err(Unsent::Unavailable(_))), "{lagging:?}: {found:?}");
        }
        ledger.lag(&[]);
        payer.broadcaster.broadcast(&signed).await.expect("it is paid");
        assert_eq!(u128::from(ledger.received() - before), payout.amount.atoms(), "{lagging:?}");
    }
}

/// A payment that got lost is paid once, whichever answers lag when it is signed again.
///
/// # Panics
/// Panics if it is paid more than once, or not at all.
pub async fn a_lost_payment_is_paid_once_whichever_answers_lag<L: TestLedger>(ledgers: u32, healed: u32) {
    for lagging in sets(L::QUESTIONS) {
        let ledger = L::open().await;
        let (payer, payout, before) = (ledger.payer(), ledger.payout(), ledger.received());
        let mut newest = payer.signed(&payout).await;
        let mut all = vec![newest.clone()];
        ledger.lag(&lagging);
        ledger.forget(true);
        for round in 0..ledgers {
            if round == healed {
                ledger.forget(false);
                ledger.lag(&[]);
            }
            match payer.broadcaster.broadcast(&newest).await {
                Err(Unsent::Expired(_)) => {
                    payer.numbers.stored().clear();
                    if let Ok(next) = payer.broadcaster.sign(&payout).await {
                        all.push(next.clone());
                        newest = next;
                    }
                }
                Ok(()) | Err(Unsent::Unavailable(_)) => {}
                Err(error) => panic!("{lagging:?}: {error:?}"),
            }
            ledger.close(1);
        }
        payer.broadcaster.broadcast(&newest).await.expect("it is paid");
        // Even if somebody kept all of them and submits them again.
        for signed in &all {
            let _ = payer.broadcaster.broadcast(signed).await;
        }
        ledger.close(3);
        assert_eq!(u128::from(ledger.received() - before), payout.amount.atoms(), "{lagging:?}");
    }
}

/// A lost payment is submitted again. After its expiry it is signed again with its number, which is free.
///
/// # Panics
/// Panics if it is signed again earlier, or with another number, or paid twice.
pub async fn a_lost_payment_is_signed_again_with_its_number<L: TestLedger>() {
    let ledger = L::open().await;
    let (payer, payout, before) = (ledger.payer(), ledger.payout(), ledger.received());
    let lost = payer.signed(&payout).await;
    ledger.forget(true);
    for _ in 0..L::LIFETIME {
        payer.waits(&lost).await;
        ledger.close(1);
    }
    assert!(payer.expired(&lost).await.contains(L::EXPIRED));
    ledger.forget(false);
    assert!(payer.expired(&lost).await.contains(L::EXPIRED), "it stays expired");
    payer.numbers.stored().clear();
    let next = payer.signed(&payout).await;
    assert_eq!(next.sequence, lost.sequence);
    ledger.pay(&next).await;
    assert!(payer.expired(&lost).await.contains("has its number"), "one of the two");
    assert_eq!(u128::from(ledger.received() - before), payout.amount.atoms());
}

/// The operator sent something by hand from the same account. What used the number is known before it is signed again.
///
/// # Panics
/// Panics if the payment expires before that is known, or both are paid.
pub async fn a_number_that_another_transaction_took<L: TestLedger>() {
    let ledger = L::open().await;
    let (payer, payout, before) = (ledger.payer(), ledger.payout(), ledger.received());
    let ours = payer.signed(&payout).await;
    payer.numbers.stored().clear();
    let atoms = 2 * payout.amount.atoms();
    let amount = Amount::from_atoms(atoms).expect("an amount");
    let by_hand = payer.signed(&Payout { tag: Some("7".to_owned()), amount, ..payout }).await;
    assert_eq!(ours.sequence, by_hand.sequence);
    payer.waits(&by_hand).await;
    ledger.close(2);
    ledger.prune(true);
    assert!(payer.waits(&ours).await.contains(L::PRUNED));
    ledger.prune(false);
    assert!(payer.expired(&ours).await.contains(&by_hand.transaction_id));
    assert_eq!(u128::from(ledger.received() - before), atoms);
}
