//! Payouts of an account that numbers its payments, where a payment expires: XRP and Stellar. Whichever answers of a server are of
//! an older ledger than the others, a payment is paid once.

use checkout_core::Amount;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::ports::broadcaster::{Broadcaster as _, Holding, Unsent};

use crate::accounts::TestAccount;

/// # Panics
/// Panics if a lost payment is not paid, or paid twice.
pub async fn lost_payments<A: TestAccount>() {
    what_the_accounts_hold::<A>().await;
    a_lost_payment_is_paid_once_whichever_answers_lag::<A>().await;
    a_lost_payment_is_signed_again_with_its_number::<A>().await;
    a_number_that_another_transaction_took::<A>().await;
}

/// Sends a payment, which the next ledger includes.
///
/// # Panics
/// Panics if it does not.
pub async fn pay<A: TestAccount>(account: &A, signed: &Signed) {
    account.payer().waits(signed).await;
    account.close(1);
    account.payer().broadcaster.broadcast(signed).await.expect("it is paid");
}

/// What was paid is not held any more, nor its fee. That of all deposits counts once.
async fn what_the_accounts_hold<A: TestAccount>() {
    let account = A::open().await;
    let (payer, payout) = (account.payer(), account.payout());
    let held = async |deposits| {
        let found = payer.broadcaster.holdings(deposits).await.expect("the server answers");
        let [Holding { pair, amount }] = found[..] else { panic!("{found:?}") };
        assert_eq!((pair.currency, pair.network), (payout.pair.currency, payout.pair.network));
        amount.atoms()
    };
    let (alone, others) = (held(None).await, u128::from(account.balance(A::PAYER)));
    assert_eq!(held(Some(A::PAYER)).await, alone + others, "another account");
    let signed = payer.signed(&payout).await;
    pay(&account, &signed).await;
    let cost = alone - held(None).await - payout.amount.atoms();
    assert!((1..1_000).contains(&cost), "{cost}");
    let own = &signed.sequence.expect("a number").account;
    assert_eq!(held(Some(own)).await, held(None).await, "the same account");
}

fn sets(questions: [&'static str; 4]) -> impl Iterator<Item = Vec<&'static str>> {
    (0_u32..16).map(move |set| (0..4).filter(|at| set >> at & 1 == 1).map(|at| questions[at]).collect())
}

/// Each set of questions is answered by a server that stopped before the payment got into its ledger.
///
/// # Panics
/// Panics if a payment is signed again, or not paid.
pub async fn never_signed_again_whichever_answers_lag<A: TestAccount>() {
    for lagging in sets(A::QUESTIONS) {
        let account = A::open().await;
        let (payer, payout, before) = (account.payer(), account.payout(), account.balance(A::PAYER));
        let signed = payer.signed(&payout).await;
        payer.waits(&signed).await;
        account.lag(&lagging);
        for _ in 0..A::LIFETIME + 24 {
            account.close(1);
            let found = payer.broadcaster.broadcast(&signed).await;
            assert!(matches!(found, Ok(()) | Err(Unsent::Unavailable(_))), "{lagging:?}: {found:?}");
        }
        account.lag(&[]);
        payer.broadcaster.broadcast(&signed).await.expect("it is paid");
        assert_eq!(u128::from(account.balance(A::PAYER) - before), payout.amount.atoms(), "{lagging:?}");
    }
}

/// A payment that got lost is paid once, whichever answers lag when it is signed again.
async fn a_lost_payment_is_paid_once_whichever_answers_lag<A: TestAccount>() {
    for lagging in sets(A::QUESTIONS) {
        let account = A::open().await;
        let (payer, payout, before) = (account.payer(), account.payout(), account.balance(A::PAYER));
        let mut newest = payer.signed(&payout).await;
        let mut all = vec![newest.clone()];
        account.lag(&lagging);
        account.forget(true);
        for round in 0..A::LIFETIME * 7 / 2 {
            if round == A::LIFETIME * 9 / 4 {
                account.forget(false);
                account.lag(&[]);
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
            account.close(1);
        }
        payer.broadcaster.broadcast(&newest).await.expect("it is paid");
        // Even if somebody kept all of them and submits them again.
        for signed in &all {
            let _ = payer.broadcaster.broadcast(signed).await;
        }
        account.close(3);
        assert_eq!(u128::from(account.balance(A::PAYER) - before), payout.amount.atoms(), "{lagging:?}");
    }
}

/// A lost payment is submitted again. After its expiry it is signed again with its number, which is free.
async fn a_lost_payment_is_signed_again_with_its_number<A: TestAccount>() {
    let account = A::open().await;
    let (payer, payout, before) = (account.payer(), account.payout(), account.balance(A::PAYER));
    let lost = payer.signed(&payout).await;
    account.forget(true);
    for _ in 0..A::LIFETIME {
        payer.waits(&lost).await;
        account.close(1);
    }
    assert!(payer.expired(&lost).await.contains(A::EXPIRED));
    account.forget(false);
    assert!(payer.expired(&lost).await.contains(A::EXPIRED), "it stays expired");
    payer.numbers.stored().clear();
    let next = payer.signed(&payout).await;
    assert_eq!(next.sequence, lost.sequence);
    pay(&account, &next).await;
    assert!(payer.expired(&lost).await.contains("has its number"), "one of the two");
    assert_eq!(u128::from(account.balance(A::PAYER) - before), payout.amount.atoms());
}

/// The operator sent something by hand from the same account. What used the number is known before it is signed again.
async fn a_number_that_another_transaction_took<A: TestAccount>() {
    let account = A::open().await;
    let (payer, payout, before) = (account.payer(), account.payout(), account.balance(A::PAYER));
    let ours = payer.signed(&payout).await;
    payer.numbers.stored().clear();
    let atoms = 2 * payout.amount.atoms();
    let amount = Amount::from_atoms(atoms).expect("an amount");
    let by_hand = payer.signed(&Payout { tag: Some("7".to_owned()), amount, ..payout }).await;
    assert_eq!(ours.sequence, by_hand.sequence);
    payer.waits(&by_hand).await;
    account.close(2);
    account.prune(true);
    assert!(payer.waits(&ours).await.contains(A::PRUNED));
    account.prune(false);
    assert!(payer.expired(&ours).await.contains(&by_hand.transaction_id));
    assert_eq!(u128::from(account.balance(A::PAYER) - before), atoms);
}
