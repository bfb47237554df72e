//! The deliveries to the webhooks of shops: what a change of a payment is for them. A delivery is sent as long as it is true.

use checkout_domain::business::events::EventType;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::stages::Subject;
use checkout_domain::payment::{PaymentWithDeposits, status};
use checkout_domain::words;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::invoice::payment;
use super::invoice_id::{invoice_id, payment_of};
use super::invoice_status::{AdditionalStatus, InvoiceStatus, StatusFacts, would_pay};
use super::kept::Kept;
use super::methods;

words! {
    /// What is sent. A shop that creates an invoice has it as the answer: there is no `InvoiceCreated`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum InvoiceEvent {
        ReceivedPayment = "InvoiceReceivedPayment",
        PaymentSettled = "InvoicePaymentSettled",
        Processing = "InvoiceProcessing",
        Expired = "InvoiceExpired",
        Settled = "InvoiceSettled",
        Invalid = "InvoiceInvalid",
    }
}

/// The events of a change, in order, each with its own fields: those of deposits, and one if the invoice has another status.
pub fn events(
    events: &[(EventType, Subject)],
    before: &PaymentWithDeposits,
    record: &PaymentWithDeposits,
) -> Vec<(InvoiceEvent, Value)> {
    let mut all = Vec::new();
    for (event, subject) in events {
        let deposit = match subject {
            Subject::Deposit(id, _) => record.deposit(*id),
            Subject::Payment | Subject::Refund(_) | Subject::Dropped(_) => None,
        };
        match (event, deposit) {
            (EventType::DepositSeen, Some(deposit)) => {
                all.push((InvoiceEvent::ReceivedPayment, about(record, deposit)));
            }
            (EventType::DepositConfirmed, Some(deposit)) => {
                // It was seen in a block at first: a shop is told of each payment before it is settled.
                if deposit.confirmed_seq == Some(deposit.seen_seq) {
                    all.push((InvoiceEvent::ReceivedPayment, about(record, deposit)));
                }
                all.push((InvoiceEvent::PaymentSettled, about(record, deposit)));
            }
            _ => {}
        }
    }
    all.extend(moved(before, record));
    all
}

fn moved(before: &PaymentWithDeposits, record: &PaymentWithDeposits) -> Option<(InvoiceEvent, Value)> {
    let (was, _) = StatusFacts::of(before, before.payment.status).invoice();
    let (status, additional) = StatusFacts::of(record, record.payment.status).invoice();
    if status == was {
        return None;
    }
    let over = additional == AdditionalStatus::PaidOver;
    match status {
        InvoiceStatus::Settled => {
            let marked = additional == AdditionalStatus::Marked;
            Some((InvoiceEvent::Settled, json!({"overPaid": over, "manuallyMarked": marked})))
        }
        InvoiceStatus::Processing => Some((InvoiceEvent::Processing, json!({"overPaid": over}))),
        InvoiceStatus::Expired => {
            let part = additional == AdditionalStatus::PaidPartial;
            Some((InvoiceEvent::Expired, json!({"partiallyPaid": part})))
        }
        // A payer who chooses anew after the end makes it New, too.
        InvoiceStatus::New if was != InvoiceStatus::Expired => {
            Some((InvoiceEvent::Invalid, json!({"manuallyMarked": false})))
        }
        InvoiceStatus::New | InvoiceStatus::Invalid => None,
    }
}

fn about(record: &PaymentWithDeposits, deposit: &Deposit) -> Value {
    let id = methods::id(deposit.pair());
    // Plugins take an order for failed by this, so what follows a payment in time is not late.
    let paid_at = record.payment.quote.as_ref().and_then(|quote| status::paid_at(record, quote));
    let is_late = record.payment.window_is_over(deposit.seen_at)
        && !status::is_follow_up(paid_at, deposit)
        && !would_pay(record, |other| other.seen_seq < deposit.seen_seq);
    json!({"afterExpiration": is_late, "paymentMethodId": id, "paymentMethod": id, "payment": payment(deposit)})
}

/// The body of a delivery to a webhook.
pub fn body(
    (event, fields): &(InvoiceEvent, Value),
    record: &PaymentWithDeposits,
    [webhook, delivery]: [&str; 2],
    now: u64,
) -> String {
    let payment = &record.payment;
    let own = json!({
        "deliveryId": delivery,
        "webhookId": webhook,
        "originalDeliveryId": delivery,
        "isRedelivery": false,
        "type": event.as_str(),
        "timestamp": now,
        "storeId": payment.business.to_string(),
        "invoiceId": invoice_id(payment),
    });
    let metadata = Kept::of(&payment.notes.metadata).metadata();
    serde_json::to_string(&DeliveryBody { own, fields, metadata }).expect("texts and numbers are JSON")
}

#[derive(Serialize)]
struct DeliveryBody<'a> {
    #[serde(flatten)]
    own: Value,
    #[serde(flatten)]
    fields: &'a Value,
    metadata: Box<RawValue>,
}

/// The body for readers who may not open the payer's page.
pub fn without_secret(body: &str) -> String {
    let id = Told::of(body).map(|told| told.invoice_id);
    let bare = id.as_ref().and_then(|id| Some((id, payment_of(id)?.to_string())));
    bare.map_or_else(String::new, |(id, bare)| body.replace(id, &bare))
}

/// What a delivery says, from its body.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    #[serde(rename = "type")]
    pub event: String,
    pub invoice_id: String,
    #[serde(default)]
    pub after_expiration: bool,
}

impl Told {
    pub fn of(body: &str) -> Option<Self> {
        serde_json::from_str(body).ok()
    }

    /// Whether it is true of the payment as it is.
    pub fn holds(&self, record: &PaymentWithDeposits) -> bool {
        let (status, _) = StatusFacts::of(record, record.payment.status).invoice();
        match InvoiceEvent::known(&self.event) {
            Some(InvoiceEvent::Settled) => status == InvoiceStatus::Settled,
            Some(InvoiceEvent::Processing) => status == InvoiceStatus::Processing,
            Some(InvoiceEvent::Expired) => status == InvoiceStatus::Expired,
            Some(InvoiceEvent::Invalid) => status == InvoiceStatus::New,
            // The order of a settled invoice would fail.
            Some(InvoiceEvent::ReceivedPayment) => !self.after_expiration || status != InvoiceStatus::Settled,
            Some(InvoiceEvent::PaymentSettled) | None => true,
        }
    }
}
