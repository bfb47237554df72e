//! A counter, and a sale at it.

use checkout_domain::payment::{PaymentWithDeposits, status};
use checkout_domain::sale::counter::Counter;
use checkout_wire::counters as wire;

use super::payment::payment;

pub fn counter(counter: &Counter) -> wire::Counter {
    wire::Counter {
        counter_id: counter.id.to_string().into(),
        title: counter.title.clone().into(),
        display_currency: counter.fiat.code().into(),
        max_amount: counter.fiat.text(counter.max).into(),
        created_at: counter.created_at.into(),
        withdrawn_at: counter.withdrawn_at.map(Into::into),
    }
}

/// The link of a counter. The secret is behind `#`, which no browser sends: it is in no log and in no `Referer`.
pub fn counter_url(public_url: &str, secret: &str) -> String {
    format!("{public_url}/counter#{secret}")
}

/// The sale as it is at `now`; `page` is the payer's page and its code.
pub fn counter_sale(
    record: &PaymentWithDeposits,
    page: Option<(String, String)>,
    now: u64,
) -> wire::CounterSale {
    let shown = payment(record, now);
    let received = status::counted(record).map(|deposit| deposit.display_amount).sum();
    let (url, qr_code) = page.unzip();
    wire::CounterSale {
        payment_id: shown.payment_id,
        status: status::status_at(record, now).into(),
        display_currency: shown.display_currency,
        display_amount: shown.expected_display_amount.unwrap_or_else(|| "0".into()),
        received_amount: record.payment.display_currency.text(received).into(),
        covered: status::is_covered(record),
        held: record.deposits.iter().any(|deposit| deposit.stands() && deposit.is_foreign()),
        payment_url: url.map(Into::into),
        qr_code,
        cancelled_at: record.payment.cancelled_at.map(Into::into),
        expires_at: record.payment.window_end().map(Into::into),
    }
}
