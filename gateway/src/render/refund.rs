//! A refund in the list: an automatic one, or one that the merchant asked for.

use checkout_core::{Amount, Decimal, tag};
use checkout_domain::chain::kept_tag;
use checkout_domain::ids::PaymentId;
use checkout_domain::ledger::money::{Money, Round};
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::quote::value;
use checkout_domain::payment::refund::{Plan, Refund, Source};
use checkout_domain::payment::refund_phase::{Phase, Step};
use checkout_domain::payment::refund_said::Given;
use checkout_domain::ports::refunds::FoundRefund;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_wire as wire;
use checkout_wire::payment::{RefundReason, RefundStatus};
use checkout_wire::refunds::{FeePayer, ListedRefund, RefundCause, RefundState};
use checkout_wire::texts::AmountText;

use crate::render::memo_type::memo_type;

/// The facts of the payment in its refunds.
#[derive(Clone, Copy)]
struct Of<'a> {
    payment: PaymentId,
    client_payment_id: &'a str,
    fiat: Fiat,
}

/// `None` if the deposit has no refund any more.
pub fn listed(found: &FoundRefund) -> Option<ListedRefund> {
    let of = Of { payment: found.payment, client_payment_id: &found.client_payment_id, fiat: found.fiat };
    let listed = of_any(&found.refund, found.deposit.as_ref(), of)?;
    let why = found.why.filter(|_| matches!(found.refund.phase, Phase::Leaving(Step::Queued, _)));
    let waiting_reason = listed.waiting_reason.or_else(|| Some(why?.as_str().to_owned()));
    Some(ListedRefund { waiting_reason, ..listed })
}

/// Those that are charged to a balance.
pub fn of_payment(record: &PaymentWithDeposits) -> Vec<ListedRefund> {
    record.charged_refunds().filter_map(|refund| charged(refund, of(record))).collect()
}

/// A refund of a payment, or one that was dropped.
pub fn in_payment(record: &PaymentWithDeposits, refund: &Refund) -> Option<ListedRefund> {
    of_any(refund, record.deposit(refund.id), of(record))
}

fn of_any(refund: &Refund, deposit: Option<&Deposit>, of: Of<'_>) -> Option<ListedRefund> {
    match deposit {
        Some(deposit) => automatic(deposit, refund, of),
        None => charged(refund, of),
    }
}

fn of(record: &PaymentWithDeposits) -> Of<'_> {
    let known = &record.payment;
    Of { payment: known.id, client_payment_id: &known.client_payment_id, fiat: known.display_currency }
}

fn automatic(deposit: &Deposit, refund: &Refund, of: Of<'_>) -> Option<ListedRefund> {
    let shown = of_deposit(deposit, refund, of.fiat)?;
    let given = refund.given();
    let sent_to = given.map_or_else(|| tag::join(&deposit.from, deposit.from_tag.as_deref()), text);
    let given = given.or(refund.phase.claim().map(|claim| &claim.to));
    let is_to_sender = matches!(refund.phase, Phase::AboveLimit(_));
    Some(ListedRefund {
        amount: shown.amount,
        fee: shown.fee,
        address: (refund.phase.transfer().is_some() || is_to_sender).then_some(sent_to),
        memo_type: given.and_then(|given| memo_type(refund.pair.network, given.tag.as_deref())),
        ..listed_as(refund, of, (shown.display_amount, shown.display_fee), deposit.seen_at)?
    })
}

fn charged(refund: &Refund, of: Of<'_>) -> Option<ListedRefund> {
    let charge = refund.charge()?;
    let fiat = charge.display_currency;
    let display = (fiat.text(charge.display_amount).into(), fiat.text(charge.display_fee).into());
    let is_by_merchant = matches!(refund.source, Source::Merchant(_));
    Some(ListedRefund {
        client_refund_id: is_by_merchant.then(|| charge.client_withdrawal_id.clone().into()),
        display_currency: fiat.code().into(),
        withdrawal_account: Some(charge.account),
        settlement_currency: Some(charge.deducted.asset.code().into()),
        settlement_deducted_amount: Some(charge.deducted.to_string().into()),
        address: Some(charge.recipient.clone()).filter(|address| !address.is_empty()),
        memo_type: memo_type(refund.pair.network, charge.tag.as_deref()),
        claimed_address: refund.phase.claim().map(|_| charge.recipient.clone()),
        ..listed_as(refund, of, display, charge.created_at)?
    })
}

/// What every refund says in the same way.
fn listed_as(
    refund: &Refund,
    of: Of<'_>,
    (display_amount, display_fee): (AmountText, AmountText),
    created_at: u64,
) -> Option<ListedRefund> {
    let (Refund { pair, source, phase, .. }, claim) = (refund, refund.phase.claim());
    let (reason, deposit, fee_paid_by) = match source {
        Source::Deposit { reason: RefundReason::Overpayment, .. } => {
            (RefundCause::Overpayment, Some(refund.id), FeePayer::Payer)
        }
        Source::Deposit { reason: RefundReason::FollowUpDeposit, .. } => {
            (RefundCause::FollowUpDeposit, Some(refund.id), FeePayer::Payer)
        }
        Source::Payer(deposit, _) => (RefundCause::Claim, Some(*deposit), FeePayer::Payer),
        Source::Merchant(_) => (RefundCause::Merchant, None, FeePayer::Merchant),
    };
    Some(ListedRefund {
        refund_id: refund.id.to_string().into(),
        client_refund_id: None,
        payment_id: of.payment.to_string().into(),
        client_payment_id: of.client_payment_id.to_owned().into(),
        deposit_id: deposit.map(|deposit| deposit.to_string().into()),
        reason,
        status: phase.status()?,
        currency: pair.currency.into(),
        network: pair.network.into(),
        amount: refund.amount().to_text(pair.decimals).into(),
        fee: refund.fee.to_text(pair.decimals).into(),
        fee_paid_by,
        display_currency: of.fiat.code().into(),
        display_amount,
        display_fee,
        withdrawal_account: None,
        settlement_currency: None,
        settlement_deducted_amount: None,
        address: None,
        memo_type: None,
        transaction_id: refund.transaction_id().cloned(),
        confirmed_at: phase.transfer().and_then(|transfer| transfer.confirmed_at).map(Into::into),
        waiting_for: phase.wait().map(|(word, _)| word),
        waiting_reason: phase.wait().map(|(_, why)| why.to_owned()),
        claimed_address: claim.map(|claim| text(&claim.to)),
        claimed_at: claim.map(|claim| claim.at.into()),
        claim_url: None,
        created_at: created_at.into(),
    })
}

fn text(given: &Given) -> String {
    kept_tag::join(&given.address, given.tag.as_deref())
}

/// Interface section 2.3. Amount and fee add up to the excess, in coins and in the display currency; a NON_REFUNDABLE one
/// has no fee.
pub fn of_deposit(deposit: &Deposit, refund: &Refund, fiat: Fiat) -> Option<wire::Refund> {
    let Plan { kind, reason, gross } = refund.plan()?;
    let pair = refund.pair;
    let fee = if refund.lasts() { refund.fee } else { Amount::ZERO };
    let amount = gross.saturating_sub(fee);
    let display_gross = if gross == deposit.amount {
        deposit.display_amount
    } else {
        value(gross, pair, deposit.rate, fiat).unwrap_or_default()
    };
    // Rounded up, as in the list of fees.
    let display_fee = Money::of_amount(fee, pair)
        .and_then(|fee| fee.convert(Asset::Fiat(fiat), deposit.rate, Decimal::ONE, Round::Up))
        .map_or(Decimal::ZERO, Money::to_decimal)
        .min(display_gross);
    Some(wire::Refund {
        kind: kind.into(),
        status: match refund.phase.status() {
            Some(RefundState::Confirmed) => RefundStatus::Confirmed,
            Some(RefundState::Pending) | None => RefundStatus::Pending,
            Some(_) => RefundStatus::NonRefundable,
        }
        .into(),
        reason: reason.into(),
        amount: amount.to_text(pair.decimals).into(),
        fee: fee.to_text(pair.decimals).into(),
        display_currency: fiat.code().into(),
        display_amount: fiat.text(display_gross - display_fee).into(),
        display_fee: fiat.text(display_fee).into(),
        transaction_id: refund.transaction_id().cloned(),
        confirmed_at: refund.phase.transfer().and_then(|transfer| transfer.confirmed_at).map(Into::into),
        waiting_for: refund.phase.wait().map(|(word, _)| word.into()),
        waiting_reason: refund.phase.wait().map(|(_, why)| why.to_owned()),
    })
}
