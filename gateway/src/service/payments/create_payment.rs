//! Creates a payment.

use checkout_core::{Decimal, pair};
use checkout_domain::access::session_nonce::SessionNonce;
use checkout_domain::access::token::TokenHash;
use checkout_domain::business::Business;
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::quote;
use checkout_domain::payment::{Payment, PaymentWithDeposits, Price};
use checkout_domain::ports::NewPayment;
use checkout_wire::create_payment::CreatedPayment;
use checkout_wire::{FieldError, PaymentStatus};
use uuid::Uuid;

use crate::greenfield::invoice_id::invoice_id;
use crate::render::payment as render;
use crate::service::App;
use crate::service::payments::payment_request::{CreateRequest, unshown, untaken};
use crate::service::refused::{ClientId, Created, Refused, no_errors};

/// In the `redirectUrl` of an invoice, as shops write it: its id.
pub const INVOICE_ID: &str = "{InvoiceId}";

const TAKEN: Refused = Refused::Taken(ClientId::Payment);

pub async fn create(
    app: &App,
    business: &Business,
    request: &CreateRequest,
) -> Result<Created<CreatedPayment>, Refused> {
    let hash = request.hash();
    let errors = [
        untaken(business, request.deposit_currency, request.network),
        unshown(business, request.display_currency),
        too_small(app, business, request),
    ];
    let valid = no_errors(errors.into_iter().flatten());
    // Only new requests are checked against the current settings. Most requests are new and valid, so the
    // insert is tried before the look-up.
    if valid.is_ok() {
        let payment = new_payment(app, business, request);
        let token = app.tokens.session(payment.id, payment.session_nonce);
        let new = NewPayment {
            payment: payment.clone(),
            request_hash: hash.clone(),
            session: TokenHash::of(&token),
        };
        if app.store.add_payment(new).await? {
            let record = PaymentWithDeposits::new(payment);
            return Ok(Created { body: answer(app, business, &record), replayed: false });
        }
    }
    let mut tx = app.store.begin().await?;
    let Some((id, known)) = tx.payment_by_client_id(business.id, &request.client_payment_id).await? else {
        return Err(valid.err().unwrap_or(TAKEN));
    };
    let record = tx.payment(id).await?;
    drop(tx);
    replay(app, business, record, known == hash)
}

/// The error of a price below what nodes relay on every network of the given currency. Without a rate there is none.
fn too_small(app: &App, business: &Business, request: &CreateRequest) -> Option<FieldError> {
    let currency = request.deposit_currency?;
    let fiat = request.display_currency.unwrap_or_else(|| business.default_display());
    let rates = app.market_rates(currency, fiat).ok()?;
    let pairs = pair::EVERY_PAIR.iter().filter(|pair| pair.deposit && pair.currency == currency);
    let pairs = pairs.filter(|pair| request.network.is_none_or(|network| network == pair.network));
    let refusal = |pair| {
        let terms = quote::terms(&request.price, fiat, pair, rates.shown()).ok()?;
        quote::can_be_sent(terms.expected, pair).err()
    };
    // `None` if one network takes it.
    let refusals: Option<Vec<_>> = pairs.map(refusal).collect();
    let field = match request.price {
        Price::Display(_) => "displayAmount",
        Price::Crypto { .. } => "depositAmount",
    };
    refusals?.first().map(|first| FieldError::of(field, "too_small", first.to_string()))
}

/// A repeated request has the same answer, whatever happened since: the payment as it was created, and the
/// same `paymentUrl`.
fn replay(
    app: &App,
    business: &Business,
    record: Option<PaymentWithDeposits>,
    same: bool,
) -> Result<Created<CreatedPayment>, Refused> {
    match record {
        Some(PaymentWithDeposits { payment, .. }) if same => {
            let payment = Payment {
                quote: None,
                status: PaymentStatus::New,
                settled_at: None,
                cancelled_at: None,
                acceptance: None,
                display_currency: payment.first_display_currency,
                ..payment
            };
            let record = PaymentWithDeposits::new(payment);
            Ok(Created { body: answer(app, business, &record), replayed: true })
        }
        _ => Err(TAKEN),
    }
}

fn answer(app: &App, business: &Business, record: &PaymentWithDeposits) -> CreatedPayment {
    CreatedPayment {
        payment_info: render::payment(record, record.payment.initiated_at),
        payment_url: payment_url(app, business, &record.payment).into(),
    }
}

/// The payer's link. It contains the session token, so it is a secret of payer and merchant.
pub fn payment_url(app: &App, business: &Business, payment: &Payment) -> String {
    let token = app.tokens.session(payment.id, payment.session_nonce);
    format!(
        "{}/checkout/{}?sessionToken={token}&theme={}&locale={}",
        app.public_url,
        payment.id,
        business.theme.as_str(),
        payment.locale
    )
}

pub(crate) fn new_payment(app: &App, business: &Business, request: &CreateRequest) -> Payment {
    let payment = unnamed(app, business, request);
    if !request.is_invoice {
        return payment;
    }
    let redirect_url =
        payment.redirect_url.as_ref().map(|url| url.replace(INVOICE_ID, &invoice_id(&payment)));
    Payment { redirect_url, ..payment }
}

fn unnamed(app: &App, business: &Business, request: &CreateRequest) -> Payment {
    let display_currency = request.display_currency.unwrap_or_else(|| business.default_display());
    Payment {
        id: PaymentId(app.new_id()),
        business: business.id,
        client_payment_id: request.client_payment_id.clone(),
        kind: request.kind,
        rate_type: request.rate_type,
        locale: request.locale.clone(),
        display_currency,
        first_display_currency: display_currency,
        display_currency_given: request.display_currency.is_some(),
        price: request.price.clone(),
        requested_currency: request.deposit_currency,
        requested_network: request.network,
        expiration_minutes: request.expiration_minutes,
        redirect_url: request.redirect_url.clone(),
        overpayment_policy: business.overpayment_policy,
        refund_follow_ups: business.refund_follow_ups,
        underpayment_tolerance: business.underpayment_tolerance,
        initiated_at: app.clock.now(),
        quote: None,
        status: PaymentStatus::New,
        settled_at: None,
        session_nonce: SessionNonce(Uuid::from_bytes(app.random())),
        estimate: estimate(app, business, request),
        cancelled_at: None,
        acceptance: None,
        notes: request.notes.clone(),
    }
}

/// The value of a crypto price at the current rate, if there is one.
fn estimate(app: &App, business: &Business, request: &CreateRequest) -> Option<Decimal> {
    let Price::Crypto { currency, .. } = &request.price else { return None };
    let fiat = request.display_currency.unwrap_or_else(|| business.default_display());
    let network = request.network.or_else(|| pair::deposit_networks(*currency).next())?;
    let pair = pair::find(*currency, network)?;
    let rates = app.market_rates(*currency, fiat).ok()?;
    quote::terms(&request.price, fiat, pair, rates.shown()).ok().map(|terms| terms.display)
}
