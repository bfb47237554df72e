//! The typed events: their bodies in the OpenAPI document. The table is [`EventType::ALL`].

use checkout_domain::business::events::{EventGroup, EventType};
use checkout_domain::callback::Kind;
use checkout_wire::events::{EventBody, EventDeposit};
use checkout_wire::list_withdrawals::ListedWithdrawal;
use checkout_wire::{ListedRefund, Payment};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

/// Answers of the gateway.
const ANSWERS: &str = include_str!("../http/openapi/examples.json");

const BUSINESS: &str = "01a3185c-50fa-7000-8000-000000000002";

const TRANSACTION: &str = "984636b28ec469faf25d90bee8bc9d131c6b00a5ff7cce2761ffb4f41b27eb6a";

/// A typed event is stored by its name.
pub fn kind(event: EventType) -> Kind {
    Kind::new(event.name())
}

pub(super) fn schema(event: EventType, generator: &mut SchemaGenerator) -> Schema {
    let mut body = match event.group() {
        EventGroup::Payment => generator.subschema_for::<EventBody<Payment>>(),
        EventGroup::Deposit => generator.subschema_for::<EventBody<EventDeposit>>(),
        EventGroup::Refund => generator.subschema_for::<EventBody<ListedRefund>>(),
        EventGroup::Withdrawal => generator.subschema_for::<EventBody<ListedWithdrawal>>(),
    };
    body.insert("properties".to_owned(), json!({"type": {"const": event.name()}}));
    body
}

pub(super) fn example(event: EventType) -> Value {
    let answers: Value = serde_json::from_str(ANSWERS).expect("the examples are JSON");
    let mut data = match event.group() {
        EventGroup::Payment => answers["getPayment"]["200"].clone(),
        EventGroup::Deposit => answers["listDeposits"]["200"][0].clone(),
        EventGroup::Refund => answers["getRefund"]["200"].clone(),
        EventGroup::Withdrawal => answers["getWithdrawal"]["200"].clone(),
    };
    for (name, value) in changes(event).as_object_mut().into_iter().flatten() {
        match (data.as_object_mut(), value.take()) {
            (Some(data), Value::Null) => _ = data.remove(name),
            (Some(data), value) => _ = data.insert(name.clone(), value),
            (None, _) => {}
        }
    }
    json!({
        "type": event.name(), "timestamp": 1_800_000_000, "sequence": 1, "businessId": BUSINESS, "data": data,
    })
}

/// How the resource differs from the answer; `null` is missing.
fn changes(event: EventType) -> Value {
    let refund = |status: &str| json!({"status": status, "transactionId": null, "confirmedAt": null});
    match event {
        EventType::PaymentStatus
        | EventType::WithdrawalSent
        | EventType::WithdrawalConfirmed
        | EventType::WithdrawalReplaced => json!({}),
        EventType::DepositSeen => json!({"status": "UNCONFIRMED", "refund": null}),
        EventType::DepositConfirmed | EventType::DepositFinal => json!({"refund": null}),
        EventType::DepositReversed => {
            json!({"status": "UNCONFIRMED", "refund": null, "reversedFor": "VANISHED"})
        }
        EventType::DepositHeld => json!({"status": "UNCONFIRMED", "refund": null, "heldFor": "SENDER"}),
        EventType::RefundCreated | EventType::RefundAddressed | EventType::RefundApproved => {
            refund("PENDING")
        }
        EventType::RefundWaiting => {
            json!({"status": "PENDING", "address": null, "waitingFor": "ADDRESS", "waitingReason": "NOT_GIVEN"})
        }
        EventType::RefundSent => json!({"status": "PENDING", "transactionId": TRANSACTION}),
        EventType::RefundConfirmed => {
            json!({"status": "CONFIRMED", "transactionId": TRANSACTION, "confirmedAt": 1_800_000_000})
        }
        EventType::RefundFailed => refund("FAILED"),
        EventType::RefundCancelled => refund("CANCELLED"),
        EventType::WithdrawalCreated => json!({"status": "NEW", "transactionId": null}),
        EventType::WithdrawalFailed => json!({"status": "FAILED", "transactionId": null}),
        EventType::WithdrawalReverted => json!({"status": "FAILED"}),
    }
}
