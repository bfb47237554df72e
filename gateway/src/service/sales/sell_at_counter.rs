//! Somebody types an amount at a counter: makes its payment, once for each number.

use std::collections::BTreeMap;

use checkout_core::Decimal;
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::{Notes, PaymentWithDeposits};
use checkout_domain::ports::Stored;
use checkout_domain::sale::NotThePrice;
use checkout_domain::sale::counter::Counter;
use checkout_wire::FieldError;
use uuid::Uuid;

use super::press;
use crate::service::App;
use crate::service::payments::cancel_payment::{self, Cancelled};
use crate::service::payments::payment_request::unshown;
use crate::service::refused::{ClientId, Created, Refused, no_errors};

/// In the metadata of a payment: the id of its counter.
pub const METADATA: &str = "counter";

const USED: Refused = Refused::Taken(ClientId::CounterSale);

/// A valid request.
#[derive(Clone, Debug)]
pub struct NewSale {
    pub number: Uuid,
    pub amount: Decimal,
    /// What is sold; without it, the title of the counter.
    pub note: Option<String>,
    pub locale: String,
}

/// The payment; the same request has the same one, as it is now.
pub async fn sell(
    app: &App,
    counter: &Counter,
    sale: NewSale,
) -> Result<Created<PaymentWithDeposits>, Refused> {
    let amount = counter.price().of(Some(sale.amount)).map_err(|wrong| wrong_amount(counter, wrong))?;
    let business = app.store.business(counter.business).await?.ok_or(Refused::NoCounter)?;
    let notes = Notes {
        description: Some(sale.note.unwrap_or_else(|| counter.title.clone())),
        metadata: BTreeMap::from([(METADATA.to_owned(), counter.id.to_string())]),
    };
    let id = format!("{}-{}", counter.id, sale.number);
    let request = press::request(id, &sale.locale, counter.fiat, amount, notes);
    let mut tx = app.store.begin().await?;
    let found = tx.counter_to_sell(counter.id).await?;
    found.filter(|counter| counter.withdrawn_at.is_none()).ok_or(Refused::NoCounter)?;
    if let Some((id, known)) = tx.payment_by_client_id(business.id, &request.client_payment_id).await? {
        let record = tx.payment(id).await?.filter(|_| known == request.hash()).ok_or(USED)?;
        return Ok(Created { body: record, replayed: true });
    }
    // Only a new sale is checked against the current settings.
    if business.disabled {
        return Err(Refused::Disabled);
    }
    no_errors(unshown(&business, Some(counter.fiat)))?;
    let payment = press::insert(app, tx.as_mut(), &business, &request).await?.ok_or(USED)?;
    tx.insert_counter_sale(counter.id, payment.id).await?;
    press::commit(app, tx, &payment).await?;
    Ok(Created { body: PaymentWithDeposits::new(payment), replayed: false })
}

fn wrong_amount(counter: &Counter, wrong: NotThePrice) -> Refused {
    let detail = match wrong {
        NotThePrice::AboveMax => format!("must be at most {}", counter.fiat.text(counter.max)),
        NotThePrice::BelowMin | NotThePrice::Fixed => "must be above zero".to_owned(),
    };
    Refused::Invalid(vec![FieldError::of("displayAmount", "out_of_range", detail)])
}

/// A sale of the counter; `None` if it has none with this payment.
pub async fn read(app: &App, counter: &Counter, id: PaymentId) -> Stored<Option<PaymentWithDeposits>> {
    if !app.store.is_counter_sale(counter.id, id).await? {
        return Ok(None);
    }
    app.store.payment(id).await
}

/// Ends a sale of the counter to which no deposit was seen.
pub async fn cancel(app: &App, counter: &Counter, id: PaymentId) -> Stored<Cancelled> {
    if !app.store.is_counter_sale(counter.id, id).await? {
        return Ok(Cancelled::NoPayment);
    }
    cancel_payment::cancel(app, id).await
}
