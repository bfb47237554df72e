//! Stores typed events, in the transaction of what happened. They are the difference between a payment before and after the change.

use checkout_domain::business::Business;
use checkout_domain::business::events::EventType;
use checkout_domain::callback::{Callback, Kind, State};
use checkout_domain::ids::BusinessId;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::stages::{Reversal, Stages, Subject};
use checkout_domain::ports::payments::ListedDeposit;
use checkout_domain::ports::{Store, Stored, Tx};
use checkout_wire::ListedRefund;
use checkout_wire::events::{EventBody, EventDeposit, ReversedFor};
use checkout_wire::refunds::RefundState;
use serde::Serialize;
use uuid::Uuid;

use crate::events::typed;
use crate::greenfield::delivery;
use crate::greenfield::kept::Kept;
use crate::render;
use crate::service::App;

/// Most deposits and refunds of a payment in an event: what is longer than a request should be is read from the API.
const MOST: usize = 20;

/// Ids and time of new events.
pub struct EventStamp<'a> {
    pub new_id: &'a (dyn Fn() -> Uuid + Sync),
    pub now: u64,
}

/// The events, in order.
pub type Events = Vec<(EventType, Subject)>;

/// Stores what happened to a payment, which is locked.
pub async fn payment(
    app: &App,
    tx: &mut dyn Tx,
    business: &Business,
    events: Events,
    record: &PaymentWithDeposits,
) -> Stored<()> {
    let source = EventStamp { new_id: &|| app.new_id(), now: app.clock.now() };
    put(app.store.as_ref(), &source, tx, business, events, record).await
}

/// Stores that the status of a payment, which is locked, changed. `tx` has the change.
pub async fn status(app: &App, tx: &mut dyn Tx, record: &PaymentWithDeposits) -> Stored<()> {
    let Some(business) = app.store.business(record.payment.business).await? else { return Ok(()) };
    payment(app, tx, &business, vec![(EventType::PaymentStatus, Subject::Payment)], record).await
}

/// Stores what happened to a payment, which is locked, since `before`: it is read again.
pub async fn since(app: &App, tx: &mut dyn Tx, before: &PaymentWithDeposits) -> Stored<()> {
    let source = EventStamp { new_id: &|| app.new_id(), now: app.clock.now() };
    since_from(app.store.as_ref(), &source, tx, before).await
}

/// The same without a gateway.
pub async fn since_from(
    store: &dyn Store,
    source: &EventStamp<'_>,
    tx: &mut dyn Tx,
    before: &PaymentWithDeposits,
) -> Stored<()> {
    let Some(business) = store.business(before.payment.business).await? else { return Ok(()) };
    if !business.hears_events() {
        return Ok(());
    }
    let Some(after) = tx.payment(before.payment.id).await? else { return Ok(()) };
    put(store, source, tx, &business, Stages::of(before).events(&after), &after).await
}

async fn put(
    store: &dyn Store,
    source: &EventStamp<'_>,
    tx: &mut dyn Tx,
    business: &Business,
    mut events: Events,
    record: &PaymentWithDeposits,
) -> Stored<()> {
    let mut callbacks = to_shops(store, source, tx, business, &events, record).await?;
    events.retain(|(event, _)| business.wants(*event));
    if !events.is_empty() {
        let subject = record.payment.id.0;
        let first = tx.next_sequence(subject).await?;
        callbacks.extend((first..).zip(events).filter_map(|(sequence, (event, about))| {
            Fact { source, business, event, subject, sequence }.about(record, about)
        }));
    }
    if callbacks.is_empty() { Ok(()) } else { tx.put_callbacks(&callbacks).await }
}

/// The deliveries to the webhooks of shops, of a payment that a shop asked for. What others read is the payment before the change.
async fn to_shops(
    store: &dyn Store,
    source: &EventStamp<'_>,
    tx: &mut dyn Tx,
    business: &Business,
    events: &Events,
    record: &PaymentWithDeposits,
) -> Stored<Vec<Callback>> {
    let mut callbacks = Vec::new();
    let payment = &record.payment;
    let has_webhooks = business.greenfield.as_ref().is_some_and(|shops| !shops.webhooks.is_empty());
    if !has_webhooks || !Kept::is_in(&payment.notes.metadata) {
        return Ok(callbacks);
    }
    let (Some(before), Some(after)) = (store.payment(payment.id).await?, tx.payment(payment.id).await?)
    else {
        return Ok(callbacks);
    };
    let events = delivery::events(events, &before, &after);
    for webhook in business.greenfield.iter().flat_map(|shops| &shops.webhooks) {
        for event in &events {
            if !webhook.wants(event.0.as_str()) {
                continue;
            }
            let id = (source.new_id)();
            let body = delivery::body(event, &after, [&webhook.id, &id.to_string()], source.now);
            callbacks.push(Callback {
                id,
                business: business.id,
                kind: Kind::of_webhook(&webhook.id),
                // Typed events count those of the payment.
                subject: id,
                sequence: 1,
                body,
                created_at: source.now,
                state: State::Pending,
                attempts: 0,
                failures: 0,
                due_at: Some(source.now),
            });
        }
    }
    Ok(callbacks)
}

/// Stores what happened to a withdrawal, which is locked.
pub async fn withdrawal(
    app: &App,
    tx: &mut dyn Tx,
    business: BusinessId,
    id: Uuid,
    event: EventType,
) -> Stored<()> {
    let Some(business) = app.store.business(business).await?.filter(|business| business.wants(event)) else {
        return Ok(());
    };
    let Some(withdrawal) = tx.withdrawal(id).await? else { return Ok(()) };
    let sequence = tx.next_sequence(id).await?;
    let source = EventStamp { new_id: &|| app.new_id(), now: app.clock.now() };
    let fact = Fact { source: &source, business: &business, event, subject: id, sequence };
    tx.put_callback(&fact.callback(render::withdrawal::listed(&withdrawal))).await
}

struct Fact<'a> {
    source: &'a EventStamp<'a>,
    business: &'a Business,
    event: EventType,
    subject: Uuid,
    sequence: u32,
}

impl Fact<'_> {
    fn about(&self, record: &PaymentWithDeposits, about: Subject) -> Option<Callback> {
        match about {
            Subject::Payment => Some(self.callback(short(record))),
            Subject::Deposit(id, reversal) => {
                let deposit = record.deposit(id)?;
                Some(self.callback(event_deposit(record, deposit, reversal)))
            }
            Subject::Refund(id) => {
                Some(self.callback(render::refund::in_payment(record, record.refund(id)?)?))
            }
            Subject::Dropped(refund) => {
                let refund = render::refund::in_payment(record, &refund)?;
                Some(self.callback(ListedRefund { status: RefundState::Cancelled, ..refund }))
            }
        }
    }

    fn callback(&self, data: impl Serialize) -> Callback {
        let now = self.source.now;
        let body = EventBody {
            kind: self.event.name().to_owned(),
            timestamp: now.into(),
            sequence: self.sequence,
            business_id: self.business.id.to_string().into(),
            data,
        };
        Callback {
            id: (self.source.new_id)(),
            business: self.business.id,
            kind: typed::kind(self.event),
            subject: self.subject,
            sequence: self.sequence,
            body: serde_json::to_string(&body).expect("texts and numbers are JSON"),
            created_at: now,
            state: State::Pending,
            attempts: 0,
            failures: 0,
            due_at: Some(now),
        }
    }
}

/// The payment as it is stored, with its newest deposits and refunds.
fn short(record: &PaymentWithDeposits) -> checkout_wire::Payment {
    let mut payment = render::payment::payment_in(record, record.payment.status);
    if payment.deposits.len() > MOST {
        payment.deposits.drain(..payment.deposits.len() - MOST);
        payment.deposits_url = payment.deposits.first().map(|first| {
            let (payment, first) = (record.payment.id, first.id.as_str());
            format!("/api/v1/payments/{payment}/deposits?after={first}")
        });
    }
    let refunds = payment.refunds.len().saturating_sub(MOST);
    payment.refunds.drain(..refunds);
    payment
}

fn event_deposit(
    record: &PaymentWithDeposits,
    deposit: &Deposit,
    reversal: Option<Reversal>,
) -> EventDeposit {
    let payment = &record.payment;
    let listed = ListedDeposit {
        deposit: deposit.clone(),
        refund: record.refund(deposit.id).cloned(),
        payment: payment.id,
        client_payment_id: payment.client_payment_id.clone(),
        fiat: payment.display_currency,
    };
    EventDeposit {
        deposit: render::deposit::listed(&listed),
        reversed_for: reversal.map(|reversal| match reversal {
            Reversal::Vanished => ReversedFor::Vanished,
            Reversal::Reorganised => ReversedFor::Reorganised,
            Reversal::Refused => ReversedFor::Refused,
        }),
    }
}
