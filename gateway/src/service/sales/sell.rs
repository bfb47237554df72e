//! A person presses the button of a sale link: makes its payment, once for each form.

use std::collections::BTreeMap;

use checkout_core::Decimal;
use checkout_domain::business::Business;
use checkout_domain::payment::{Notes, Payment, PaymentWithDeposits, status};
use checkout_domain::ports::StoreError;
use checkout_domain::sale::{LinkState, NotThePrice, SaleLink};
use checkout_wire::PaymentStatus;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::press;
use crate::service::App;
use crate::service::payments::create_payment::payment_url;
use crate::service::payments::payment_request::{CreateRequest, unshown};

/// In the metadata of a payment: the id of its link.
pub const METADATA: &str = "saleLink";

/// A press of the button.
#[derive(Clone, Copy, Debug)]
pub struct Press<'a> {
    /// Of the form: two presses of one form make one payment.
    pub number: Uuid,
    /// `None` if the price is fixed.
    pub typed: Option<Decimal>,
    pub locale: &'a str,
}

#[derive(Debug)]
pub enum NotSold {
    /// It was withdrawn, it ended, or everything is taken.
    State(LinkState),
    Price(NotThePrice),
    /// The form was used, and its payment is over or another one.
    Used,
    /// The business is disabled, or no longer shows prices in this currency.
    Closed,
    Store(StoreError),
}

impl From<StoreError> for NotSold {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The path of the payment's page. `link` as it was read before; what counts is read again, with its lock.
pub async fn sell(
    app: &App,
    business: &Business,
    link: &SaleLink,
    press: Press<'_>,
) -> Result<String, NotSold> {
    let amount = link.price.of(press.typed).map_err(NotSold::Price)?;
    if business.disabled || unshown(business, Some(link.price.fiat())).is_some() {
        return Err(NotSold::Closed);
    }
    let request = request(link, press, amount);
    let hash = request.hash();
    let mut tx = app.store.begin().await?;
    let now = app.clock.now();
    let found = tx.sale_link_to_sell(link.id, now).await?;
    let (link, taken) = found.ok_or(NotSold::Closed)?;
    if let Some((id, known)) = tx.payment_by_client_id(business.id, &request.client_payment_id).await? {
        let record = tx.payment(id).await?.filter(|record| known == hash && !is_over(record, now));
        return record.map(|record| path(app, business, &record.payment)).ok_or(NotSold::Used);
    }
    match link.state(taken, now) {
        LinkState::Open => {}
        state => return Err(NotSold::State(state)),
    }
    let payment = press::insert(app, tx.as_mut(), business, &request).await?.ok_or(NotSold::Used)?;
    tx.insert_sale(link.id, payment.id).await?;
    press::commit(app, tx, &payment).await?;
    Ok(path(app, business, &payment))
}

fn request(link: &SaleLink, press: Press<'_>, amount: Decimal) -> CreateRequest {
    let notes = Notes {
        description: Some(link.title.clone()),
        metadata: BTreeMap::from([(METADATA.to_owned(), link.id.to_string())]),
    };
    let id = format!("{}-{}", link.slug, told(press.number));
    let request = press::request(id, press.locale, link.price.fiat(), amount, notes);
    CreateRequest { redirect_url: link.redirect_url.clone(), ..request }
}

/// What people see of a form's number. Whoever has the number itself gets the payment's page, so it does not follow from this.
fn told(number: Uuid) -> String {
    let mut text = hex::encode(Sha256::digest(number));
    text.truncate(24);
    text
}

/// Nobody can be asked for its price any more, and it is not paid.
fn is_over(record: &PaymentWithDeposits, now: u64) -> bool {
    status::status_at(record, now) == PaymentStatus::Expired
}

/// On the host that the browser uses, because a form must not lead to another one.
fn path(app: &App, business: &Business, payment: &Payment) -> String {
    let url = payment_url(app, business, payment);
    url.strip_prefix(&app.public_url).map_or(url.clone(), str::to_owned)
}
