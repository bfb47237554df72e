//! Until version 23, what was said about an automatic refund stood in its deposit, too: its row was deleted while nothing was planned.

use std::collections::BTreeMap;

use checkout_core::{Amount, Currency, Network, pair};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::page::Page;
use checkout_domain::payment::refund::{Refund, Source};
use checkout_domain::payment::refund_filter::RefundFilter;
use checkout_domain::payment::refund_phase::{End, Phase, Step, Transfer};
use checkout_domain::payment::refund_said::{Claim, Decision, Given, Said};
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::ports::refunds::{FoundRefund, RefundStore as _};
use checkout_domain::withdrawal::Refunded;
use checkout_wire::payment::{RefundReason, RefundType};
use uuid::Uuid;

use super::rows::{BUSINESS, DEPOSIT, PAYMENT, REFUND, WITHDRAWAL};
use super::{Old, fill, id};
use crate::tests::stage::Stage;

const WAITS: &str = "UPDATE refunds SET payout = NULL, waits_for = ";
const ASKED: &str = "UPDATE refunds SET asked_address = 'bc1-asked', asked_tag = '7', asked_at = 5";
const NONE: &str = "DELETE FROM refunds";

fn given(address: &str) -> Given {
    Given { address: address.to_owned(), tag: Some("7".to_owned()) }
}

/// A refund of the rows in `rows.rs`.
fn refund(phase: Phase) -> Refund {
    let [gross, fee] = [110, 10].map(|atoms| Amount::from_atoms(atoms).unwrap());
    let source = Source::Deposit { kind: RefundType::Partial, reason: RefundReason::Overpayment };
    let pair = pair::find(Currency::Btc, Network::Btc).unwrap();
    Refund { id: id(DEPOSIT), pair, gross, fee, source, phase }
}

fn dropped(claim: Option<Claim>, decision: Option<Decision>) -> Refund {
    let source = Source::Deposit { kind: RefundType::Full, reason: RefundReason::Overpayment };
    let refund = refund(Phase::Dropped(Said { claim, decision }));
    Refund { source, gross: Amount::ZERO, fee: Amount::ZERO, ..refund }
}

fn transfer(confirmed_at: Option<u64>, said: Said) -> Transfer {
    let transaction_id = Some("payout-1".to_owned());
    Transfer { payout: id(REFUND), transaction_id, confirmed_at, planned_at: 1, said }
}

/// Those of version 23 with these changes, as they are read now.
async fn migrated(stage: &Stage, statements: &[&str]) -> (BTreeMap<Uuid, Refund>, Vec<FoundRefund>) {
    let place = stage.place.another();
    let old = Old::make(&place, 23).await;
    fill(&old).await;
    for statement in statements {
        old.run((*statement).to_owned()).await;
    }
    old.close().await;
    let database = place.open().await;
    let record = database.payment(PaymentId(id(PAYMENT))).await.unwrap().unwrap();
    let page = Page { after: None, before: None, descending: false, limit: 9 };
    let listed = database.refunds(BusinessId(id(BUSINESS)), &RefundFilter::default(), &page).await.unwrap();
    database.close().await;
    (record.refunds, listed)
}

async fn check(stage: &Stage, statements: &[&str], expected: Option<Refund>) {
    let (refunds, listed) = migrated(stage, statements).await;
    assert_eq!(refunds.get(&id(DEPOSIT)), expected.as_ref(), "{statements:?}");
    assert_eq!(
        listed.len(),
        usize::from(expected.is_some_and(|refund| refund.is_planned())),
        "{statements:?}"
    );
}

async fn check_charged(stage: &Stage, statements: &[&str], refunded: Refunded, expected: Phase) {
    let (refunds, listed) = migrated(stage, statements).await;
    let refund = &refunds[&id(WITHDRAWAL)];
    assert_eq!(refund.phase, expected, "{statements:?}");
    assert_eq!(refund.charge().unwrap().refunds, Some(refunded), "{statements:?}");
    let listed: Vec<_> = listed.into_iter().map(|found| (found.refund.id, found.client_payment_id)).collect();
    let order = "order-1".to_owned();
    assert_eq!(listed, [(id(DEPOSIT), order.clone()), (id(WITHDRAWAL), order)], "{statements:?}");
}

pub(in crate::tests) async fn refunds(stage: &Stage) {
    let claim = |refusal: Option<&str>| {
        Some(Claim { refusal: refusal.map(str::to_owned), ..Claim::new(given("bc1-asked"), 5) })
    };
    let decision = |to: Option<Given>| Decision { to, at: 6, gross: None };
    let approved = Decision { gross: Amount::from_atoms(50).ok(), ..decision(Some(given("bc1-decided"))) };
    let kept = "UPDATE deposits SET kept_address = 'bc1-asked', kept_tag = '7', kept_at = 5";
    let decided = "UPDATE deposits SET claimed_address = 'bc1-decided', claimed_tag = '7', claimed_at = 6, claimed_gross = '50'";
    let (asked, sender) = (format!("{ASKED}, asked_refusal = 'no'"), "UPDATE deposits SET claimed_at = 6");
    let no_address = format!("{WAITS} 'ADDRESS', waits_reason = 'CONTRACT'");
    let refused = format!("{WAITS} 'ADDRESS', waits_reason = 'CLAIM_REFUSED'");
    let unapproved = format!("{WAITS} 'APPROVAL', waits_reason = 'CLAIM'");
    let worthless = "UPDATE refunds SET payout = NULL, status = 'NON_REFUNDABLE'";
    let confirmed = "UPDATE payouts SET state = 'CONFIRMED', confirmed_at = 9 WHERE kind = 'REFUND'";
    let follow_up = "UPDATE refunds SET kind = 'FULL', reason = 'FOLLOW_UP_DEPOSIT', status = 'CONFIRMED'";
    let full = Source::Deposit { kind: RefundType::Full, reason: RefundReason::FollowUpDeposit };

    check(stage, &[NONE], None).await;
    check(stage, &[NONE, kept], Some(dropped(claim(None), None))).await;
    check(stage, &[NONE, decided], Some(dropped(None, Some(approved.clone())))).await;
    let both = dropped(claim(Some("no")), Some(decision(None)));
    check(stage, &[NONE, kept, "UPDATE deposits SET kept_refusal = 'no'", sender], Some(both)).await;
    // What waited for an approval to the sender's address was no press on "it is my own wallet".
    let to_sender = Claim::new(Given { address: "bc1-sender".to_owned(), tag: None }, 5);
    let back = "UPDATE deposits SET kept_address = from_address, kept_tag = from_tag, kept_at = 5";
    check(stage, &[NONE, back], Some(dropped(Some(to_sender.clone()), None))).await;
    let asked_back = "UPDATE refunds SET asked_address = 'bc1-sender', asked_at = 5";
    check(stage, &[&unapproved, asked_back], Some(refund(Phase::Claimed(to_sender)))).await;
    let contract = refund(Phase::NeedsAddress { why: NoRefundAddress::Contract, refused: None });
    check(stage, &[&no_address], Some(contract)).await;
    let not_this =
        refund(Phase::NeedsAddress { why: NoRefundAddress::ClaimRefused, refused: claim(Some("no")) });
    check(stage, &[&refused, &asked], Some(not_this)).await;
    let waiting = refund(Phase::Claimed(claim(None).unwrap()));
    check(stage, &[&unapproved, ASKED], Some(waiting)).await;
    let ended = refund(Phase::Ended(End::NotWorthItsFee, Said { claim: None, decision: Some(approved) }));
    check(stage, &[worthless, decided], Some(ended)).await;
    let said = Said { claim: claim(None), decision: Some(decision(None)) };
    let sent = refund(Phase::Leaving(Step::Sent, transfer(None, said)));
    check(stage, &[ASKED, sender], Some(sent)).await;
    let done = refund(Phase::Leaving(Step::Confirmed, transfer(Some(9), Said::default())));
    check(stage, &[confirmed, follow_up], Some(Refund { source: full, ..done })).await;
}

/// What became of a refund for which a balance is charged stood in the row of what is charged.
pub(in crate::tests) async fn charged_refunds(stage: &Stage) {
    let made = "UPDATE payouts SET kind = 'MERCHANT_REFUND' WHERE kind = 'WITHDRAWAL'";
    let of_payment =
        |set: &str| format!("UPDATE withdrawals SET payment = '{PAYMENT}', refund_status = 'PENDING', {set}");
    let payout = |set: &str| format!("UPDATE payouts SET {set} WHERE kind = 'MERCHANT_REFUND'");
    let refunded = |claim_of: Option<Uuid>| Refunded {
        payment: PaymentId(id(PAYMENT)),
        of_unpaid: claim_of.is_none(),
        claim_of,
        after: Some(3),
    };
    let claim = |refusal: Option<&str>| {
        let to = Given { address: "bc1-sender".to_owned(), tag: None };
        Some(Claim { refusal: refusal.map(str::to_owned), ..Claim::new(to, 5) })
    };
    let merchants = "of_unpaid = 1, after_seq = 3";

    let unaddressed = [made, &of_payment(merchants), &payout("state = 'UNADDRESSED', to_address = ''")];
    let waits = "UPDATE withdrawals SET refund_waits = 'ADDRESS'";
    let expected = Phase::NeedsAddress { why: NoRefundAddress::NotGiven, refused: None };
    check_charged(stage, &[&unaddressed[..], &[waits]].concat(), refunded(None), expected).await;

    let asked =
        of_payment(&format!("{merchants}, claimed_at = 5, approval = 'WAITING', refund_waits = 'APPROVAL'"));
    let expected = Phase::Claimed(claim(None).unwrap());
    check_charged(stage, &[made, &asked], refunded(None), expected).await;

    let payers = format!(
        "after_seq = 3, claim_of = '{DEPOSIT}', claimed_at = 5, claim_refusal = 'no', approval = 'REJECTED'"
    );
    let (blocked, failed) =
        (of_payment(&format!("{payers}, status = 'BLOCKED'")), payout("state = 'FAILED'"));
    let expected = Phase::Ended(End::Blocked, Said { claim: claim(Some("no")), decision: None });
    let refused = [made, &blocked, &failed];
    check_charged(stage, &refused, refunded(Some(id(DEPOSIT))), expected).await;

    let queued = Transfer { payout: id(WITHDRAWAL), transaction_id: None, ..transfer(None, Said::default()) };
    let queued = Phase::Leaving(Step::Queued, queued);
    check_charged(stage, &[made, &of_payment(merchants)], refunded(None), queued).await;
}
