//! Converts a stored payment to the interface's resource.

use checkout_core::Amount;
use checkout_domain::access::token::Caller;
use checkout_domain::payment::acceptance::Judge;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::refund::Refund;
use checkout_domain::payment::status;
use checkout_domain::payment::{Payment, PaymentWithDeposits, Price};
use checkout_domain::rates::fiat::Fiat;
use checkout_wire as wire;
use checkout_wire::list_payment_deposits::MOST_DEPOSITS;
use checkout_wire::metadata::Metadata;
use checkout_wire::texts::Time;
use checkout_wire::{self, DepositStatus, PaymentStatus, Word};

use super::refund;

/// The payment as returned by every endpoint at `now`. Interface sections 2.1 and 2.2.
pub fn payment(record: &PaymentWithDeposits, now: u64) -> wire::Payment {
    payment_in(record, status::status_at(record, now))
}

/// The payment with all its deposits.
pub fn whole(record: &PaymentWithDeposits, now: u64) -> wire::Payment {
    wire::Payment { deposits: all_deposits(record), deposits_url: None, ..payment(record, now) }
}

/// The payment with all its deposits, for a payer.
pub fn whole_for_payer(record: &PaymentWithDeposits, now: u64) -> wire::Payment {
    wire::Payment { deposits: all_deposits(record), deposits_url: None, ..payment_for_payer(record, now) }
}

fn all_deposits(record: &PaymentWithDeposits) -> Vec<wire::Deposit> {
    let fiat = record.payment.display_currency;
    record.present_deposits().map(|found| deposit(found, record.refund(found.id), fiat)).collect()
}

/// The payment for a payer, without what is the merchant's: a payer's page has another form of its refunds.
pub fn payment_for_payer(record: &PaymentWithDeposits, now: u64) -> wire::Payment {
    let payment = payment(record, now);
    wire::Payment { business_id: None, description: None, metadata: None, refunds: Vec::new(), ..payment }
}

/// The payment for a caller.
pub fn payment_for(caller: Caller, record: &PaymentWithDeposits, now: u64) -> wire::Payment {
    match caller {
        Caller::Session { .. } => payment_for_payer(record, now),
        Caller::Organisation | Caller::Business(_) => payment(record, now),
    }
}

/// Price of one coin of the quote in the display currency.
pub fn rate(payment: &Payment) -> Option<String> {
    payment.quote.as_ref().map(|quote| quote.terms.shown.display.normalize().to_string())
}

/// The payment in a given status, the only time-dependent part.
pub fn payment_in(record: &PaymentWithDeposits, status: PaymentStatus) -> wire::Payment {
    let payment = &record.payment;
    let quote = payment.quote.as_ref();
    let fiat = payment.display_currency;
    let actual = status::actual(record);
    let actual_deposit =
        quote.map_or_else(|| Amount::ZERO.to_text(0), |quote| actual.deposit.to_text(quote.pair().decimals));
    let present: Vec<&Deposit> = record.present_deposits().collect();
    let shown = present.get(present.len().saturating_sub(MOST_DEPOSITS)..).unwrap_or_default();
    let earlier = shown.first().filter(|_| shown.len() < present.len());
    wire::Payment {
        payment_id: payment.id.to_string().into(),
        client_payment_id: payment.client_payment_id.clone().into(),
        business_id: Some(payment.business.to_string().into()),
        status: status.into(),
        kind: payment.kind.into(),
        rate_type: payment.rate_type.into(),
        processor_type: "BLOCKCHAIN".to_owned(),
        locale: payment.locale.clone().into(),
        display_currency: fiat.code().into(),
        deposit_currency: payment.currency().map(Into::into),
        expected_network: payment.network().map(Into::into),
        expected_deposit_amount: expected_deposit(payment).map(Into::into),
        expected_display_amount: expected_display(payment).map(Into::into),
        expected_uniform_amount: quote.map(|quote| Fiat::EUR.text(quote.terms.uniform).into()),
        actual_deposit_amount: actual_deposit.into(),
        actual_display_amount: fiat.text(actual.display).into(),
        actual_uniform_amount: Some(Fiat::EUR.text(actual.uniform).into()),
        expiration_minutes: payment.expiration_minutes,
        payment_initiated_at: payment.initiated_at.into(),
        payment_requested_at: quote.map(|quote| quote.requested_at.into()),
        wallet_address: quote.map(|quote| quote.address.clone()),
        deposits: shown.iter().map(|found| deposit(found, record.refund(found.id), fiat)).collect(),
        deposits_url: earlier
            .map(|first| format!("/api/v1/payments/{}/deposits?after={}", payment.id, first.id)),
        redirect_url: payment.redirect_url.clone().map(Into::into),
        overpayment_policy: Some(payment.overpayment_policy.into()),
        refund_follow_up_deposits_for_one_time_payments: Some(payment.refund_follow_ups),
        destination_tag: quote.and_then(|quote| quote.tag.clone()),
        cancelled_at: payment.cancelled_at.map(Into::into),
        accepted_at: accepted_at(record),
        description: payment.notes.description.clone().map(Into::into),
        metadata: Some(Metadata(payment.notes.metadata.clone())).filter(|metadata| !metadata.0.is_empty()),
        refunds: refund::of_payment(record),
    }
}

/// When the merchant accepted what had arrived.
fn accepted_at(record: &PaymentWithDeposits) -> Option<Time> {
    let by_merchant = record.acceptance().filter(|acceptance| acceptance.by == Judge::Merchant);
    by_merchant.map(|acceptance| acceptance.at.into())
}

fn expected_deposit(payment: &Payment) -> Option<String> {
    match (&payment.quote, &payment.price) {
        (Some(quote), _) => Some(quote.terms.expected.to_text(quote.pair().decimals)),
        (None, Price::Crypto { amount, .. }) => Some(amount.clone()),
        (None, Price::Display(_)) => None,
    }
}

fn expected_display(payment: &Payment) -> Option<String> {
    let amount = match (&payment.quote, &payment.price) {
        (_, Price::Display(amount)) => Some(*amount),
        (Some(quote), Price::Crypto { .. }) => Some(quote.terms.display),
        (None, Price::Crypto { .. }) => payment.estimate,
    };
    amount.map(|amount| payment.display_currency.text(amount))
}

pub fn deposit(deposit: &Deposit, refund: Option<&Refund>, fiat: Fiat) -> wire::Deposit {
    let confirmations = deposit.counted(deposit.required_confirmations);
    wire::Deposit {
        id: deposit.id.to_string().into(),
        deposit_amount: deposit.amount.to_text(deposit.pair().decimals).into(),
        deposit_currency: deposit.currency.into(),
        deposit_received_at: deposit.seen_at.into(),
        display_amount: fiat.text(deposit.display_amount).into(),
        display_currency: fiat.code().into(),
        being_valued: deposit.being_valued.then_some(true),
        status: if deposit.is_confirmed() { DepositStatus::Confirmed } else { DepositStatus::Unconfirmed }
            .into(),
        confirmations,
        required_confirmations: confirmations.map(|_| deposit.required_confirmations),
        from_address: deposit.from.clone(),
        to_address: deposit.to.clone(),
        transaction_id: deposit.output.transaction.clone(),
        on_chain_fee: deposit.fee.clone().into(),
        hold: deposit.hold.filter(|_| !deposit.screening.is_cleared()).map(Word::Known),
        refund: refund.and_then(|refund| refund::of_deposit(deposit, refund, fiat)),
    }
}
