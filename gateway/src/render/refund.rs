//! A refund in the list: an automatic one, or one that the merchant asked for.

use checkout_core::{Amount, Decimal, tag};
use checkout_domain::chain::kept_tag;
use checkout_domain::ids::PaymentId;
use checkout_domain::ledger::money::{Money, Round};
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::merchant_refund::MerchantRefund;
use checkout_domain::payment::quote::value;
use checkout_domain::payment::refund::{Given, Refund, Wait};
use checkout_domain::ports::refunds::{AnyRefund, FoundRefund};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_wire as wire;
use checkout_wire::payment::{RefundReason, RefundStatus};
use checkout_wire::refunds::{FeePayer, ListedRefund, RefundCause, RefundState};
use uuid::Uuid;

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
    match &found.refund {
        AnyRefund::Automatic(deposit) => automatic(deposit, of),
        AnyRefund::Merchant(refund) => Some(merchant(refund, of)),
    }
}

/// The refunds that the merchant asked for.
pub fn of_payment(record: &PaymentWithDeposits) -> Vec<ListedRefund> {
    record.merchant_refunds.iter().map(|refund| merchant(refund, of(record))).collect()
}

/// A refund of a payment, by its id.
pub fn in_payment(record: &PaymentWithDeposits, id: Uuid) -> Option<ListedRefund> {
    let own = record.deposits.iter().find(|deposit| deposit.id == id);
    let mut asked = record.merchant_refunds.iter();
    own.and_then(|deposit| of_deposit_in(record, deposit)).or_else(|| {
        asked.find(|refund| refund.withdrawal.id == id).map(|refund| merchant(refund, of(record)))
    })
}

/// The automatic refund of a deposit of this payment.
pub fn of_deposit_in(record: &PaymentWithDeposits, deposit: &Deposit) -> Option<ListedRefund> {
    automatic(deposit, of(record))
}

fn of(record: &PaymentWithDeposits) -> Of<'_> {
    let known = &record.payment;
    Of { payment: known.id, client_payment_id: &known.client_payment_id, fiat: known.display_currency }
}

fn automatic(deposit: &Deposit, of: Of<'_>) -> Option<ListedRefund> {
    let refund = deposit.refund.as_ref()?;
    let shown = of_deposit(refund, deposit, of.fiat);
    let named = deposit.claim.as_ref().and_then(|claim| claim.to.as_ref());
    let text = |given: &Given| kept_tag::join(&given.address, given.tag.as_deref());
    let sent_to = named.map_or_else(|| tag::join(&deposit.from, deposit.from_tag.as_deref()), text);
    let asked = refund.asked.as_ref();
    let given = named.or(asked.map(|asked| &asked.to));
    Some(ListedRefund {
        refund_id: deposit.id.to_string().into(),
        client_refund_id: None,
        payment_id: of.payment.to_string().into(),
        client_payment_id: of.client_payment_id.to_owned().into(),
        deposit_id: Some(deposit.id.to_string().into()),
        reason: match refund.plan.reason {
            RefundReason::Overpayment => RefundCause::Overpayment,
            RefundReason::FollowUpDeposit => RefundCause::FollowUpDeposit,
        },
        status: match refund.status() {
            RefundStatus::Pending => RefundState::Pending,
            RefundStatus::Confirmed => RefundState::Confirmed,
            RefundStatus::NonRefundable => RefundState::NonRefundable,
        },
        currency: deposit.currency.into(),
        network: deposit.output.network.into(),
        amount: shown.amount,
        fee: shown.fee,
        fee_paid_by: FeePayer::Payer,
        display_currency: shown.display_currency,
        display_amount: shown.display_amount,
        display_fee: shown.display_fee,
        withdrawal_account: None,
        settlement_currency: None,
        settlement_deducted_amount: None,
        address: (refund.payout.is_some() || refund.waits == Some(Wait::Approval)).then_some(sent_to),
        memo_type: given.and_then(|given| memo_type(deposit.output.network, given.tag.as_deref())),
        transaction_id: shown.transaction_id,
        confirmed_at: shown.confirmed_at,
        waiting_for: refund.waits.map(Wait::word),
        waiting_reason: shown.waiting_reason,
        claimed_address: asked.map(|asked| text(&asked.to)),
        claimed_at: asked.map(|asked| asked.at.into()),
        claim_url: None,
        created_at: deposit.seen_at.into(),
    })
}

fn merchant(refund: &MerchantRefund, of: Of<'_>) -> ListedRefund {
    let MerchantRefund { withdrawal, progress, confirmed_at, .. } = refund;
    let (pair, fiat) = (withdrawal.pair, withdrawal.display_currency);
    let waits = refund.waits();
    let asked = withdrawal.asked;
    let of_payer = asked.is_some_and(|asked| asked.of.is_some());
    let address = Some(&withdrawal.recipient).filter(|address| !address.is_empty());
    ListedRefund {
        refund_id: withdrawal.id.to_string().into(),
        client_refund_id: (!of_payer).then(|| withdrawal.client_withdrawal_id.clone().into()),
        payment_id: of.payment.to_string().into(),
        client_payment_id: of.client_payment_id.to_owned().into(),
        deposit_id: asked.and_then(|asked| asked.of).map(|deposit| deposit.to_string().into()),
        reason: if of_payer { RefundCause::Claim } else { RefundCause::Merchant },
        status: refund.state(),
        currency: pair.currency.into(),
        network: pair.network.into(),
        amount: withdrawal.amount.to_text(pair.decimals).into(),
        fee: withdrawal.fee.to_text(pair.decimals).into(),
        fee_paid_by: if of_payer { FeePayer::Payer } else { FeePayer::Merchant },
        display_currency: fiat.code().into(),
        display_amount: fiat.text(withdrawal.display_amount).into(),
        display_fee: fiat.text(withdrawal.display_fee).into(),
        withdrawal_account: Some(withdrawal.account),
        settlement_currency: Some(withdrawal.deducted.asset.code().into()),
        settlement_deducted_amount: Some(withdrawal.deducted.to_string().into()),
        address: address.cloned(),
        memo_type: memo_type(pair.network, withdrawal.tag.as_deref()),
        transaction_id: withdrawal.transaction_id.clone().filter(|_| progress.is_binding()),
        confirmed_at: confirmed_at.filter(|_| progress.is_confirmed()).map(Into::into),
        waiting_for: waits.map(|(word, _)| word),
        waiting_reason: waits.map(|(_, reason)| reason.to_owned()),
        claimed_address: address.filter(|_| asked.is_some()).cloned(),
        claimed_at: asked.map(|asked| asked.at.into()),
        claim_url: None,
        created_at: withdrawal.created_at.into(),
    }
}

/// Interface section 2.3. Amount and fee add up to the excess, in coins and in the display currency; a NON_REFUNDABLE one
/// has no fee.
pub fn of_deposit(refund: &Refund, deposit: &Deposit, fiat: Fiat) -> wire::Refund {
    let pair = deposit.pair();
    let fee = if refund.is_impossible() { Amount::ZERO } else { refund.fee };
    let amount = refund.plan.gross.saturating_sub(fee);
    let display_gross = if refund.plan.gross == deposit.amount {
        deposit.display_amount
    } else {
        value(refund.plan.gross, pair, deposit.rate, fiat).unwrap_or_default()
    };
    // Rounded up, as in the list of fees.
    let display_fee = Money::of_amount(fee, pair)
        .and_then(|fee| fee.convert(Asset::Fiat(fiat), deposit.rate, Decimal::ONE, Round::Up))
        .map_or(Decimal::ZERO, Money::to_decimal)
        .min(display_gross);
    let sent = refund.payout.as_ref().filter(|payout| payout.progress.is_binding());
    wire::Refund {
        kind: refund.plan.kind.into(),
        status: refund.status().into(),
        reason: refund.plan.reason.into(),
        amount: amount.to_text(pair.decimals).into(),
        fee: fee.to_text(pair.decimals).into(),
        display_currency: fiat.code().into(),
        display_amount: fiat.text(display_gross - display_fee).into(),
        display_fee: fiat.text(display_fee).into(),
        transaction_id: sent.and_then(|payout| payout.transaction_id.clone()),
        confirmed_at: sent.and_then(|payout| payout.confirmed_at).map(Into::into),
        waiting_for: refund.waits.map(|wait| wait.word().into()),
        waiting_reason: refund.waits.map(|wait| wait.reason().to_owned()),
    }
}
