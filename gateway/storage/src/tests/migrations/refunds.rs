//! Until version 23, what was said about an automatic refund stood in its deposit, too: its row was deleted while nothing was planned.

use checkout_core::{Amount, Currency, Network, pair};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::refund::{Claim, Decision, Given, Refund, Source};
use checkout_domain::payment::refund_phase::{End, Phase, Transfer};
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::withdrawal::rules::Unapproved;
use checkout_wire::payment::{RefundReason, RefundType};

use super::rows::{DEPOSIT, PAYMENT, REFUND};
use super::{Old, fill, id};
use crate::tests::stage::Stage;

const WAITS: &str = "UPDATE refunds SET payout = NULL, waits_for = ";
const ASKED: &str = "UPDATE refunds SET asked_address = 'bc1-asked', asked_tag = '7', asked_at = 5";
const NONE: &str = "DELETE FROM refunds";

fn given(address: &str) -> Given {
    Given { address: address.to_owned(), tag: Some("7".to_owned()) }
}

/// A refund of the rows in `rows.rs`.
fn refund(phase: Phase, claim: Option<Claim>, decision: Option<Decision>) -> Refund {
    let [gross, fee] = [110, 10].map(|atoms| Amount::from_atoms(atoms).unwrap());
    let source = Source::Deposit { kind: RefundType::Partial, reason: RefundReason::Overpayment };
    let pair = pair::find(Currency::Btc, Network::Btc).unwrap();
    Refund { id: id(DEPOSIT), pair, gross, fee, source, claim, decision, phase }
}

fn dropped(claim: Option<Claim>, decision: Option<Decision>) -> Refund {
    let source = Source::Deposit { kind: RefundType::Full, reason: RefundReason::Overpayment };
    let refund = refund(Phase::Dropped, claim, decision);
    Refund { source, gross: Amount::ZERO, fee: Amount::ZERO, ..refund }
}

fn transfer(confirmed_at: Option<u64>) -> Transfer {
    Transfer { payout: id(REFUND), transaction_id: Some("payout-1".to_owned()), confirmed_at, planned_at: 1 }
}

async fn check(stage: &Stage, statements: &[&str], expected: Option<Refund>) {
    let place = stage.place.another();
    let old = Old::make(&place, 23).await;
    fill(&old).await;
    for statement in statements {
        old.run((*statement).to_owned()).await;
    }
    old.close().await;
    let database = place.open().await;
    let record = database.payment(PaymentId(id(PAYMENT))).await.unwrap().unwrap();
    assert_eq!(record.refunds.get(&id(DEPOSIT)), expected.as_ref(), "{statements:?}");
    database.close().await;
}

pub(in crate::tests) async fn refunds(stage: &Stage) {
    let claim = |refusal: Option<&str>| {
        Some(Claim { to: given("bc1-asked"), at: 5, refusal: refusal.map(str::to_owned) })
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
    let needs_address = |why| Phase::NeedsAddress(why);

    check(stage, &[NONE], None).await;
    check(stage, &[NONE, kept], Some(dropped(claim(None), None))).await;
    check(stage, &[NONE, decided], Some(dropped(None, Some(approved.clone())))).await;
    let both = dropped(claim(Some("no")), Some(decision(None)));
    check(stage, &[NONE, kept, "UPDATE deposits SET kept_refusal = 'no'", sender], Some(both)).await;
    let contract = refund(needs_address(NoRefundAddress::Contract), None, None);
    check(stage, &[&no_address], Some(contract)).await;
    let not_this = refund(needs_address(NoRefundAddress::ClaimRefused), claim(Some("no")), None);
    check(stage, &[&refused, &asked], Some(not_this)).await;
    let waiting = refund(Phase::NeedsApproval(Unapproved::Claim), claim(None), None);
    check(stage, &[&unapproved, ASKED], Some(waiting)).await;
    let ended = refund(Phase::Ended(End::NotWorthItsFee), None, Some(approved));
    check(stage, &[worthless, decided], Some(ended)).await;
    let sent = refund(Phase::Sent(transfer(None)), claim(None), Some(decision(None)));
    check(stage, &[ASKED, sender], Some(sent)).await;
    let done = refund(Phase::Confirmed(transfer(Some(9))), None, None);
    check(stage, &[confirmed, follow_up], Some(Refund { source: full, ..done })).await;
}
