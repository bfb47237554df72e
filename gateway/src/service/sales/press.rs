//! What a press on a sale link and one at a counter have in common: each makes a `ONE_TIME` payment at a fixed rate.

use checkout_core::Decimal;
use checkout_domain::access::token::TokenHash;
use checkout_domain::business::Business;
use checkout_domain::payment::{Notes, Payment, Price};
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::rules::DEFAULT_EXPIRATION_MINUTES;
use checkout_wire::{PaymentType, RateType};

use crate::service::App;
use crate::service::payments::create_payment::new_payment;
use crate::service::payments::payment_request::CreateRequest;

/// The request with this `clientPaymentId`, whose number at the end is used once.
pub(super) fn request(id: String, locale: &str, fiat: Fiat, amount: Decimal, notes: Notes) -> CreateRequest {
    CreateRequest {
        client_payment_id: id,
        locale: locale.to_owned(),
        kind: PaymentType::OneTime,
        rate_type: RateType::Fixed,
        display_currency: Some(fiat),
        price: Price::Display(amount),
        deposit_currency: None,
        network: None,
        expiration_minutes: DEFAULT_EXPIRATION_MINUTES,
        redirect_url: None,
        notes,
        is_invoice: false,
    }
}

/// `None` if its number was used meanwhile.
pub(super) async fn insert(
    app: &App,
    tx: &mut dyn Tx,
    business: &Business,
    request: &CreateRequest,
) -> Stored<Option<Payment>> {
    let payment = new_payment(app, business, request);
    let session = TokenHash::of(&app.tokens.session(payment.id, payment.session_nonce));
    if !tx.insert_payment(&payment, &request.hash()).await? {
        return Ok(None);
    }
    tx.put_session(&session, payment.id, app.clock.now()).await?;
    Ok(Some(payment))
}

/// Commits. An outcome that is unknown is looked up.
pub(super) async fn commit(app: &App, tx: Box<dyn Tx>, payment: &Payment) -> Stored<()> {
    match tx.commit().await {
        Err(error) if !(error.is_unknown() && matches!(app.store.payment(payment.id).await, Ok(Some(_)))) => {
            Err(error)
        }
        _ => Ok(()),
    }
}
