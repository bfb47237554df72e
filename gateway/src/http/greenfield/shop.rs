//! The business of a request: the one whose token it has, if it answers shops, and its payment.

use std::marker::PhantomData;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use checkout_domain::access::actor::Actor;
use checkout_domain::access::scope::Scope;
use checkout_domain::access::token::Caller;
use checkout_domain::business::Business;
use checkout_domain::business::greenfield::Greenfield;
use checkout_domain::ids::BusinessId;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::ports::credentials::Known;

use crate::greenfield::invoice_id;
use crate::greenfield::kept::Kept;
use crate::http::Shared;
use crate::http::auth::{self, Use};
use crate::http::problem::Refusal;
use crate::service::App;

pub(super) struct Shop<U> {
    pub(super) business: Business,
    pub(super) greenfield: Greenfield,
    pub(super) known: Known,
    pub(super) token: String,
    allowed: PhantomData<U>,
}

impl<U> Shop<U> {
    pub(super) fn actor(&self) -> Actor {
        Actor::of_token(&self.token)
    }

    /// Whether its token may open the pages of payers, which it could do with its own payments.
    pub(super) fn may_pay(&self) -> bool {
        self.known.scopes.allow(&[Scope::Payments])
    }

    /// Of a payment that no shop asked for, the payer's page is not for shops.
    pub(super) fn opens(&self, record: &PaymentWithDeposits) -> bool {
        self.may_pay() && Kept::is_in(&record.payment.notes.metadata)
    }
}

impl<U: Use> FromRequestParts<Shared> for Shop<U> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let known = auth::known(parts, app).await?;
        let token = auth::token(parts)?.to_owned();
        let Caller::Business(id) = auth::allowed::<U>(known)? else { return Err(no_store()) };
        if parameter(parts, app, "storeId").await?.is_some_and(|store| store != id.to_string()) {
            return Err(no_store());
        }
        let business = app.store.business(id).await?.ok_or_else(no_store)?;
        let greenfield = business.greenfield.clone().ok_or_else(no_store)?;
        Ok(Self { business, greenfield, known, token, allowed: PhantomData })
    }
}

/// Its invoice.
pub(super) struct ShopInvoice<U> {
    pub(super) shop: Shop<U>,
    pub(super) record: PaymentWithDeposits,
}

impl<U: Use + Send> FromRequestParts<Shared> for ShopInvoice<U> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let shop = Shop::<U>::from_request_parts(parts, app).await?;
        let id = parameter(parts, app, "invoiceId").await?.unwrap_or_default();
        let payment = invoice_id::payment_of(&id).ok_or_else(Refusal::no_payment)?;
        let record = app.store.payment(payment).await?;
        let is_own = |record: &PaymentWithDeposits| {
            let payment = &record.payment;
            payment.business == shop.business.id
                && (id == payment.id.to_string() || invoice_id::opens(&id, payment))
        };
        let record = record.filter(is_own).ok_or_else(Refusal::no_payment)?;
        Ok(Self { shop, record })
    }
}

/// A parameter of the path, if the route has it. One that is no UTF-8 names nothing.
async fn parameter(parts: &mut Parts, app: &Shared, name: &str) -> Result<Option<String>, Refusal> {
    let parameters = RawPathParams::from_request_parts(parts, app).await.map_err(|_| no_store())?;
    Ok(parameters.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_owned()))
}

pub(super) fn no_store() -> Refusal {
    Refusal::not_found(
        "The token has no store that answers this API. An operator turns it on: `checkout business update --greenfield`.",
    )
}

/// Changes what a business has for shops.
pub(super) async fn change<T>(
    app: &App,
    business: BusinessId,
    change: impl FnOnce(&mut Greenfield) -> Result<T, Refusal> + Send,
) -> Result<T, Refusal> {
    let mut tx = app.store.begin().await?;
    let mut business = tx.business(business).await?.ok_or_else(no_store)?;
    let changed = change(business.greenfield.as_mut().ok_or_else(no_store)?)?;
    tx.put_business(&business).await?;
    tx.commit().await?;
    Ok(changed)
}
