//! The id by which callbacks are found. A callback of the interface is about a deposit, not about its payment.

use checkout_domain::callback::filter::CallbackFilter;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::page::Page;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::ports::Stored;
use checkout_wire::FieldError;
use uuid::Uuid;

use crate::service::App;
use crate::service::refused::Refused;

const FIRST: Page = Page { after: None, before: None, descending: true, limit: 1 };

/// Refuses the id of a payment or a refund of the business about which there can be no callback.
pub async fn check(app: &App, business: BusinessId, subject: Uuid) -> Result<(), Refused> {
    let filter = CallbackFilter { subject: Some(subject), ..CallbackFilter::default() };
    if !app.store.callback_page(business, &filter, &FIRST).await?.is_empty() {
        return Ok(());
    }
    let Some(detail) = other_subject(app, business, subject).await? else { return Ok(()) };
    Err(FieldError::of("subjectId", "not_a_subject", detail).into())
}

async fn other_subject(app: &App, business: BusinessId, id: Uuid) -> Stored<Option<String>> {
    let payment = app.store.payment(PaymentId(id)).await?;
    if let Some(record) = payment.filter(|record| record.payment.business == business) {
        let owner = app.store.business(business).await?;
        let takes_events = owner.is_some_and(|owner| owner.event_url.is_some());
        return Ok((!takes_events).then(|| of_payment(&record)));
    }
    let refund = app.store.refund(id).await?.filter(|found| found.business == business);
    Ok(refund.filter(|found| found.payment.0 != id).map(|found| {
        format!("is the id of a refund: its events have the id of its payment, {}", found.payment)
    }))
}

fn of_payment(record: &PaymentWithDeposits) -> String {
    let deposits: Vec<String> = record.deposits.iter().map(|deposit| deposit.id.to_string()).collect();
    let which = match deposits.as_slice() {
        [] => "it has no deposit yet".to_owned(),
        [only] => format!("that is {only}"),
        several => format!("those are {}", several.join(", ")),
    };
    format!("is the id of a payment without typed events: a callback has the id of its deposit; {which}")
}
