//! The events of a payment in order.

use checkout_domain::payment::PaymentWithDeposits;
use checkout_simulator::records::{SandboxEvent, What};
use checkout_simulator::storage::GivenAddress;
use serde::Serialize;

use crate::console::callbacks::CallbackView;

/// One event. `what` determines which fields are set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    pub at: u64,
    pub what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<&'static str>,
    /// A number of blocks or seconds, or the number of an attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity: Option<u64>,
    /// An address, a transaction, a callback or a rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// HTTP status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Returns the events by time; events of the same second are in causal order.
pub fn events(
    record: &PaymentWithDeposits,
    given: &[GivenAddress],
    sandbox_events: &[SandboxEvent],
    callbacks: &[CallbackView],
    now: u64,
) -> Vec<Event> {
    let mut events = of_payment(record, given, now);
    events.extend(sandbox_events.iter().filter(|event| concerns(event, record, given)).map(of_sandbox_event));
    events.extend(callbacks.iter().flat_map(of_callback));
    events.sort_by_key(|event| (event.at, rank(event.what)));
    events
}

fn of_payment(record: &PaymentWithDeposits, given: &[GivenAddress], now: u64) -> Vec<Event> {
    let payment = &record.payment;
    let at = |at, what| Event { at, what, ..Event::default() };
    let mut events = vec![at(payment.initiated_at, "CREATED")];
    events.extend(given.iter().map(|given| Event {
        network: Some(given.network.code()),
        subject: Some(given.address.clone()),
        ..at(given.created_at, "ADDRESS_GIVEN")
    }));
    events.extend(payment.quote.as_ref().map(|quote| Event {
        network: Some(quote.network.code()),
        currency: Some(quote.currency.code()),
        amount: Some(quote.terms.expected.to_text(quote.pair().decimals)),
        ..at(quote.requested_at, "QUOTED")
    }));
    for deposit in &record.deposits {
        events.push(Event {
            network: Some(deposit.output.network.code()),
            currency: Some(deposit.currency.code()),
            amount: Some(deposit.amount.to_text(deposit.pair().decimals)),
            subject: Some(deposit.output.transaction.clone()),
            ..at(deposit.seen_at, "SEEN")
        });
        let refund = deposit.refund.as_ref().and_then(|refund| refund.payout.as_ref());
        events.extend(refund.and_then(|payout| payout.confirmed_at).map(|moment| at(moment, "REFUNDED")));
    }
    let over = payment.window_end().filter(|end| *end <= now);
    let in_time = |end: &u64| payment.settled_at.is_some_and(|settled| settled <= *end);
    events.extend(over.filter(|end| !in_time(end)).map(|end| at(end, "WINDOW_ENDED")));
    events.extend(payment.settled_at.map(|moment| at(moment, "PAID")));
    events
}

/// Returns whether a manual action affects a payment.
fn concerns(event: &SandboxEvent, record: &PaymentWithDeposits, given: &[GivenAddress]) -> bool {
    match event.what {
        // A clock move in the second of the payment's creation came before the payment.
        What::ClockMoved => event.at > record.payment.initiated_at,
        What::Mined | What::Reorganised => {
            given.iter().any(|given| Some(given.network) == event.network && given.created_at <= event.at)
        }
        What::Dropped => {
            record.deposits.iter().any(|deposit| Some(&deposit.output.transaction) == event.subject.as_ref())
        }
        What::Flagged | What::Unflagged => record.deposits.iter().any(|deposit| {
            Some(deposit.output.network) == event.network && Some(&deposit.from) == event.subject.as_ref()
        }),
        What::Released | What::Refused => {
            let deposits = || record.deposits.iter().map(|deposit| Some(deposit.id.to_string()));
            deposits().any(|deposit| deposit == event.subject)
        }
        What::RateSet => record.payment.quote.as_ref().is_some_and(|quote| {
            let rate = format!("{}/", quote.currency.code());
            event.subject.as_ref().is_some_and(|subject| subject.starts_with(&rate))
        }),
    }
}

fn of_sandbox_event(event: &SandboxEvent) -> Event {
    Event {
        at: event.at,
        what: event.what.as_str(),
        network: event.network.map(checkout_core::Network::code),
        quantity: Some(event.quantity),
        subject: event.subject.clone(),
        ..Event::default()
    }
}

fn of_callback(callback: &CallbackView) -> Vec<Event> {
    let subject = Some(callback.id.clone());
    let written =
        Event { at: callback.created_at, what: "CALLBACK", subject: subject.clone(), ..Event::default() };
    let attempts = callback.attempts.iter().map(|attempt| Event {
        at: attempt.started_at,
        what: "CALLBACK_TRIED",
        quantity: Some(attempt.number.into()),
        subject: subject.clone(),
        status: attempt.status,
        reason: attempt.reason.clone(),
        ..Event::default()
    });
    std::iter::once(written).chain(attempts).collect()
}

/// Orders events of the same second.
fn rank(what: &str) -> usize {
    const ORDER: [&str; 18] = [
        "CREATED",
        "CLOCK_MOVED",
        "WINDOW_ENDED",
        "RATE_SET",
        "ADDRESS_GIVEN",
        "QUOTED",
        "FLAGGED",
        "UNFLAGGED",
        "SEEN",
        "DROPPED",
        "REORGANISED",
        "MINED",
        "RELEASED",
        "REFUSED",
        "PAID",
        "CALLBACK",
        "CALLBACK_TRIED",
        "REFUNDED",
    ];
    ORDER.iter().position(|known| *known == what).unwrap_or(ORDER.len())
}
