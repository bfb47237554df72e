use checkout_core::{Amount, Currency, Network, pair};
use checkout_domain::chain::OutputState;
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::chain::payout::{Payout, Purpose, Signed};
use checkout_domain::page::Page;
use checkout_domain::payment::Payment;
use checkout_domain::payment::refund_filter::RefundFilter;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::ports::payouts::PayoutStore as _;
use checkout_domain::ports::refunds::RefundStore as _;
use checkout_domain::withdrawal::{Refunded, Withdrawal};
use checkout_wire::create_withdrawal::WithdrawalStatus;
use checkout_wire::refunds::RefundState;
use uuid::Uuid;

use super::payouts::{Step, change, withdrawal};
use super::stage::{NOW, Stage, at_once, deposit};
use crate::query;

fn atoms(atoms: u128) -> Amount {
    Amount::from_atoms(atoms).unwrap()
}

/// A payment with 1,000 atoms in a confirmed deposit.
pub(super) async fn paid(stage: &Stage, client_id: &str) -> Payment {
    let payment = stage.stored(client_id).await;
    let mut deposit = deposit(client_id, 1);
    (deposit.state, deposit.confirmed_seq, deposit.amount) = (OutputState::Confirmed, Some(2), atoms(1000));
    let mut tx = stage.begin().await;
    tx.insert_deposit(payment.id, stage.business.id, &deposit).await.unwrap();
    tx.commit().await.unwrap();
    payment
}

fn unaddressed(payout: Payout) -> Payout {
    Payout { state: PayoutState::Unaddressed, purpose: Purpose::MerchantRefund, ..payout }
}

pub(super) fn refund(
    stage: &Stage,
    payment: &Payment,
    client_id: &str,
    amount: u128,
) -> (Payout, Withdrawal) {
    let pair = pair::find(Currency::Btc, Network::Btc).unwrap();
    let (payout, withdrawal) = withdrawal(stage, client_id);
    let to = String::new();
    let payout = Payout { pair, amount: atoms(amount), to: to.clone(), ..unaddressed(payout) };
    let recipient = String::new();
    let refunds = Some(Refunded { payment: payment.id, of_unpaid: false, claim_of: None, after: Some(2) });
    (payout, Withdrawal { pair, refunds, amount: atoms(amount), to, recipient, ..withdrawal })
}

/// A poll of the payment sees each step of the transfer.
pub(super) async fn a_step_of_its_transfer_changes_the_payment(stage: &Stage) {
    let payment = paid(stage, "order").await;
    let (payout, withdrawal) = refund(stage, &payment, "r", 300);
    let mut tx = stage.begin().await;
    tx.insert_payout(&payout).await.unwrap();
    assert!(tx.insert_withdrawal(&withdrawal, "hash").await.unwrap());
    tx.commit().await.unwrap();
    let version = async || stage.store.payment(payment.id).await.unwrap().unwrap().version;
    let before = version().await;
    let signed = query("UPDATE payouts SET state = 'SIGNED', transaction_id = 'id' WHERE id = $1");
    assert_eq!(stage.store.apply(signed.bind(payout.id)).await.unwrap(), 1);
    assert!(version().await > before);
}

/// Of fifty refunds at once, as many are made as the deposit covers.
pub(super) async fn never_more_than_was_received(stage: &Stage) {
    let payment = paid(stage, "order").await;
    let made = at_once(50, |number| {
        let store = stage.store.clone();
        let (payout, withdrawal) = refund(stage, &payment, &format!("r-{number}"), 300);
        let payment = payment.id;
        async move {
            let mut tx = store.begin().await.unwrap();
            let record = tx.payment(payment).await.unwrap().unwrap();
            let id = &withdrawal.client_withdrawal_id;
            let known = tx.merchant_refund_by_client_id(withdrawal.business, id).await.unwrap();
            if known.is_some() || record.refundable(withdrawal.pair).rest() < withdrawal.amount {
                return false;
            }
            tx.insert_payout(&payout).await.unwrap();
            assert!(tx.insert_withdrawal(&withdrawal, "hash").await.unwrap());
            tx.commit().await.unwrap();
            true
        }
    });
    assert_eq!(made.await.iter().filter(|made| **made).count(), 3);
    let record = stage.store.payment(payment.id).await.unwrap().unwrap();
    let refundable = record.refundable(pair::find(Currency::Btc, Network::Btc).unwrap());
    assert_eq!((refundable.charged, refundable.rest(), refundable.is_covered()), (900, atoms(100), true));
}

/// A withdrawal and a refund of one id are two; two refunds of one id are not.
pub(super) async fn ids(stage: &Stage) {
    let payment = paid(stage, "order").await;
    let (payout, known) = withdrawal(stage, "same");
    let mut tx = stage.begin().await;
    tx.insert_payout(&payout).await.unwrap();
    assert!(tx.insert_withdrawal(&known, "hash").await.unwrap());
    for is_new in [true, false] {
        let (payout, withdrawal) = refund(stage, &payment, "same", 1);
        tx.insert_payout(&payout).await.unwrap();
        assert_eq!(tx.insert_withdrawal(&withdrawal, "other").await.unwrap(), is_new);
    }
    let business = stage.business.id;
    let (found, hash) = tx.merchant_refund_by_client_id(business, "same").await.unwrap().unwrap();
    assert_eq!((found.payment(), hash.as_str()), (Some(payment.id), "other"));
    let (found, hash) = tx.withdrawal_by_client_id(business, "same").await.unwrap().unwrap();
    assert_eq!((found.payment(), hash.as_str()), (None, "hash"));
    tx.commit().await.unwrap();
    assert_eq!(stage.store.newest_withdrawals(9).await.unwrap().len(), 1, "refunds are no withdrawals");
}

/// Each state is found by its word, whether rows are compared with it or read.
pub(super) async fn states(stage: &Stage) {
    let payment = paid(stage, "order").await;
    let mut expected: Vec<(Uuid, RefundState)> = Vec::new();
    let (new, done, failed, blocked) = (
        WithdrawalStatus::New,
        WithdrawalStatus::Completed,
        WithdrawalStatus::Failed,
        WithdrawalStatus::Blocked,
    );
    let first = || Signed { transaction_id: "id".to_owned(), bytes: vec![1], sequence: None };
    let waiting = |payout| Payout { state: PayoutState::Waiting, ..payout };
    let signed = |payout| waiting(payout).signed(first(), NOW);
    let sent = |payout| signed(payout)?.sent(&first());
    let confirmed = |payout| sent(payout)?.confirmed(&first(), NOW);
    let steps: [(&str, Step<'_>, WithdrawalStatus, RefundState); 10] = [
        ("unaddressed", &Some, new, RefundState::Pending),
        ("waiting", &|payout| Some(waiting(payout)), new, RefundState::Pending),
        ("signed", &signed, new, RefundState::Pending),
        ("sent", &sent, done, RefundState::Pending),
        ("confirmed", &confirmed, done, RefundState::Confirmed),
        ("final", &|payout| confirmed(payout)?.settled(), done, RefundState::Confirmed),
        ("cancelled", &Payout::cancelled, failed, RefundState::Cancelled),
        ("failed", &|payout| waiting(payout).failed(), failed, RefundState::Failed),
        ("blocked", &|payout| waiting(payout).failed(), blocked, RefundState::Blocked),
        ("reverted", &|payout| sent(payout)?.reverted(), failed, RefundState::Failed),
    ];
    for (name, step, status, state) in steps {
        let (payout, mut withdrawal) = refund(stage, &payment, name, 1);
        let mut tx = stage.begin().await;
        tx.insert_payout(&payout).await.unwrap();
        assert!(tx.insert_withdrawal(&withdrawal, "hash").await.unwrap());
        tx.commit().await.unwrap();
        assert!(change(stage, payout.id, step).await);
        withdrawal.status = status;
        let mut tx = stage.begin().await;
        tx.update_withdrawal(&withdrawal).await.unwrap();
        tx.commit().await.unwrap();
        expected.push((withdrawal.id, state));
    }
    let page = Page { after: None, before: None, descending: false, limit: 100 };
    for word in RefundState::KNOWN {
        let wanted = RefundState::known(word).unwrap();
        let filter =
            RefundFilter { status: Some(wanted), payment: Some(payment.id), ..RefundFilter::default() };
        let found = stage.store.refunds(stage.business.id, &filter, &page).await.unwrap();
        let mut have: Vec<Uuid> = Vec::new();
        for found in found {
            assert!(found.deposit.is_none(), "{word}: an automatic one");
            assert_eq!(found.refund.phase.status(), Some(wanted));
            have.push(found.refund.id);
        }
        let mut ids: Vec<Uuid> =
            expected.iter().filter(|(_, known)| *known == wanted).map(|(id, _)| *id).collect();
        ids.sort();
        assert_eq!(have, ids, "{word}");
    }
}

/// One address, once; each step raises the version of the payment.
pub(super) async fn addressed(stage: &Stage) {
    let payment = paid(stage, "order").await;
    let (payout, withdrawal) = refund(stage, &payment, "r-1", 5);
    let version = async || stage.store.payment(payment.id).await.unwrap().unwrap().version;
    let mut versions = vec![version().await];
    let mut tx = stage.begin().await;
    tx.insert_payout(&payout).await.unwrap();
    assert!(tx.insert_withdrawal(&withdrawal, "hash").await.unwrap());
    tx.commit().await.unwrap();
    versions.push(version().await);
    assert!(
        stage.store.open_payouts(None, None).await.unwrap().is_empty(),
        "nothing is signed without an address"
    );
    let to = || ("there".to_owned(), Some("7".to_owned()));
    for is_first in [true, false] {
        assert_eq!(change(stage, payout.id, |payout| payout.addressed(to().0, to().1)).await, is_first);
    }
    let mut tx = stage.begin().await;
    tx.put_recipient(payout.id, "there?dt=7", NOW).await.unwrap();
    tx.commit().await.unwrap();
    versions.push(version().await);
    let open = stage.store.open_payouts(None, None).await.unwrap();
    assert_eq!(
        (open[0].to.as_str(), open[0].tag.as_deref(), &open[0].state),
        ("there", Some("7"), &PayoutState::Waiting)
    );
    assert_eq!(stage.store.refunded_payment(payout.id).await.unwrap(), Some(payment.id));
    let record = stage.store.payment(payment.id).await.unwrap().unwrap();
    assert_eq!(record.refund(payout.id).unwrap().charge().unwrap().recipient, "there?dt=7");
    assert!(versions.is_sorted_by(|one, next| one < next), "{versions:?}");
}
