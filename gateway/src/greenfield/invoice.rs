//! Converts a stored payment to an invoice and its payment methods.

use checkout_core::{Amount, Pair};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::{PaymentWithDeposits, Price, Quote, status};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::invoice_id::invoice_id;
use super::invoice_status::{InvoiceStatus, StatusFacts};
use super::kept::Kept;
use super::methods;

/// How long after its end a late payment is looked for: as long as it is watched, which has no end. This is a time that clients
/// can read.
const MONITORING: u64 = 7 * 86_400;

#[derive(Debug, Serialize)]
pub struct Invoice {
    #[serde(skip)]
    pub status: InvoiceStatus,
    #[serde(flatten)]
    fields: Value,
    metadata: Box<RawValue>,
}

/// At `now`, with the link of its page. Without it the id is that of the payment, which opens nothing.
pub fn invoice(record: &PaymentWithDeposits, now: u64, link: Option<&str>) -> Invoice {
    let payment = &record.payment;
    let (status, additional) = StatusFacts::of(record, status::status_at(record, now)).invoice();
    let (amount, currency) = price(record);
    let kept = Kept::of(&payment.notes.metadata);
    let mut checkout = kept.checkout();
    checkout.insert("redirectURL".to_owned(), json!(payment.redirect_url));
    checkout.insert("expirationMinutes".to_owned(), json!(payment.expiration_minutes));
    let end = payment.window_end();
    let fields = json!({
        "id": link.map_or_else(|| payment.id.to_string(), |_| invoice_id(payment)),
        "storeId": payment.business.to_string(),
        "type": "Standard",
        "amount": amount,
        "paidAmount": paid(record),
        "currency": currency,
        "status": status.as_str(),
        "additionalStatus": additional.as_str(),
        "availableStatusesForManualMarking": [],
        "checkoutLink": link,
        "createdTime": payment.initiated_at,
        "expirationTime": end,
        "monitoringExpiration": end.map(|end| end + MONITORING),
        "monitoringTime": end.map(|end| end + MONITORING),
        "archived": false,
        "checkout": checkout,
        "receipt": {"enabled": null, "showQR": null, "showPayments": null},
    });
    Invoice { status, fields, metadata: kept.metadata() }
}

fn price(record: &PaymentWithDeposits) -> (String, &'static str) {
    match &record.payment.price {
        Price::Display(amount) => {
            let fiat = record.payment.display_currency;
            (fiat.text(*amount), fiat.code())
        }
        Price::Crypto { currency, amount } => (amount.clone(), currency.code()),
    }
}

/// In the currency of the price.
fn paid(record: &PaymentWithDeposits) -> String {
    let actual = status::actual(record);
    match (&record.payment.price, &record.payment.quote) {
        (Price::Display(_), _) => record.payment.display_currency.text(actual.display),
        (Price::Crypto { .. }, Some(quote)) => actual.deposit.to_text(quote.pair().decimals),
        (Price::Crypto { .. }, None) => "0".to_owned(),
    }
}

/// The pairs that the payer was shown or paid with.
pub fn payment_methods(record: &PaymentWithDeposits) -> Vec<Value> {
    let mut pairs: Vec<&'static Pair> = Vec::new();
    let shown = record.quotes.iter().map(Quote::pair);
    for pair in shown.chain(record.present_deposits().map(Deposit::pair)) {
        if !pairs.iter().any(|known| std::ptr::eq(*known, pair)) {
            pairs.push(pair);
        }
    }
    pairs.into_iter().map(|pair| method(record, pair)).collect()
}

fn method(record: &PaymentWithDeposits, pair: &'static Pair) -> Value {
    let is_of = |quote: &&Quote| std::ptr::eq(quote.pair(), pair);
    let quote = record.quotes.iter().rev().find(is_of);
    let deposits = || record.present_deposits().filter(|deposit| std::ptr::eq(deposit.pair(), pair));
    let sum =
        deposits().fold(Amount::ZERO, |all, deposit| all.checked_add(deposit.amount).unwrap_or(Amount::MAX));
    let sum = sum.to_text(pair.decimals);
    let expected = quote.map(|quote| quote.terms.expected);
    let is_current = record.payment.quote.as_ref().is_some_and(|quote| is_of(&quote));
    // Of another pair than the last one, nothing is asked for any more.
    let due = if is_current { status::remaining(record) } else { None };
    let rate =
        quote.map(|quote| quote.terms.shown.display).or_else(|| deposits().next().map(|found| found.rate));
    let id = methods::id(pair);
    json!({
        "paymentMethodId": id,
        "paymentMethod": id,
        "currency": pair.currency.code(),
        "cryptoCode": pair.currency.code(),
        "activated": true,
        "destination": quote.map(|quote| quote.address.clone()).or_else(|| deposits().next().map(|found| found.to.clone())),
        "paymentLink": null,
        "rate": rate.map(|rate| rate.normalize().to_string()),
        "paymentMethodPaid": sum,
        "totalPaid": sum,
        "due": due.unwrap_or_else(|| Amount::ZERO.to_text(pair.decimals)),
        "amount": expected.unwrap_or_default().to_text(pair.decimals),
        "networkFee": "0",
        "paymentMethodFee": "0",
        "payments": deposits().map(payment).collect::<Vec<_>>(),
        "additionalData": {"destinationTag": quote.and_then(|quote| quote.tag.clone())},
    })
}

/// A deposit.
pub fn payment(deposit: &Deposit) -> Value {
    json!({
        "id": format!("{}-{}", deposit.output.transaction, deposit.output.index),
        "receivedDate": deposit.seen_at,
        "value": deposit.amount.to_text(deposit.pair().decimals),
        "fee": "0",
        "status": if deposit.is_confirmed() { "Settled" } else { "Processing" },
        "destination": deposit.to,
    })
}
