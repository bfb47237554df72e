//! `POST /api/v1/payments`

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::response::Response;
use checkout_core::{Currency, Decimal, Network, pair};
use checkout_domain::payment::Price;
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::create_payment::{CreatePayment, CreatedPayment};
use checkout_wire::rules::DEFAULT_EXPIRATION_MINUTES;
use checkout_wire::{LOCALES, MAX_EXPIRATION_MINUTES, PaymentType, RateType};

use crate::http::Shared;
use crate::http::auth::{Bearer, ChangePayments};
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::refused::created;
use crate::http::requests::client_id::client_id;
use crate::http::requests::fields::Fields;
use crate::http::requests::notes;
use crate::http::resolve_business;
use crate::service::payments::create_payment;
use crate::service::payments::payment_request::CreateRequest;
use crate::texts::amount::{Fault, positive_amount, positive_decimal};
use crate::texts::origin::check_link;

/// The maximum price, in whole units of any fiat currency.
const MAX_FIAT: u64 = 1_000_000_000_000;

/// The maximum price in whole coins, above the supply of every currency.
const MAX_COINS: u128 = 1_000_000_000_000;

const ABOUT: &str = "Creates a payment with a price in fiat (`displayAmount`) or in a cryptocurrency (`depositAmount`). The payer chooses \
currency and network on the page at `paymentUrl`; a merchant with its own page sends the choice with PATCH. \
A price that nodes would not relay in the given `depositCurrency`, such as 17 satoshis for €0.01, returns 422 with `too_small`.\n\n\
`clientPaymentId` makes the request idempotent: the same request returns the stored answer with status 200; a different request with \
the same id returns 409.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("createPayment")
        .tag(tag::PAYMENTS)
        .summary("Initiate a payment")
        .description(ABOUT)
        .answers::<CreatedPayment>(201, "The payment and its checkout page.")
        .answers::<CreatedPayment>(200, "The stored answer to an earlier, identical request: the payment as it was created. GET has its current state.")
        .refuses(403, &["business_disabled"])
        .refuses(409, &["client_payment_id_taken"])
        .refuses(503, &["outcome_unknown", "no_rate"])
        .leads_to("getPayment", "paymentId", "/paymentInfo/paymentId")
        .leads_to("updatePayment", "paymentId", "/paymentInfo/paymentId")
        .leads_to("getCheckout", "paymentId", "/paymentInfo/paymentId")
        .leads_to("getBusiness", "id", "/paymentInfo/businessId")
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ChangePayments>,
    Body(fields, _): Body<CreatePayment>,
) -> Result<Response, Refusal> {
    let read = |fields: &mut Fields| read(fields, app.policy.sandbox);
    let (business, request) = resolve_business::enabled(&app, caller, fields, read).await?;
    Ok(created(create_payment::create(&app, &business, &request).await?))
}

/// Reads the body by the rules common to all businesses. Interface section 4.1.
pub fn read(fields: &mut Fields, sandbox: bool) -> Option<CreateRequest> {
    let client_payment_id = client_id(fields, "clientPaymentId");
    let locale = locale(fields);
    let kind = fields.word("type", PaymentType::KNOWN, PaymentType::known);
    let kind = kind.unwrap_or(PaymentType::OneTime);
    let rate_type = fields.word("rateType", RateType::KNOWN, RateType::known);
    let rate_type = rate_type.unwrap_or_else(|| default_rate_type(kind));
    let display_currency: Option<Fiat> =
        fields.parsed("displayCurrency", "unknown_currency", "is not a known fiat currency");
    let deposit_currency = fields.currency("depositCurrency");
    let network = network(fields, deposit_currency);
    let price = price(fields, display_currency, deposit_currency, network);
    let expiration_minutes = fields.integer("expirationMinutes", 0, MAX_EXPIRATION_MINUTES);
    let redirect_url = fields.text("redirectUrl");
    if let Some(error) = redirect_url.as_deref().and_then(|url| check_link(url, sandbox).err()) {
        fields.error("redirectUrl", error.code(), error.detail());
    }
    let notes = notes::read(fields);
    let default_minutes = match kind {
        PaymentType::OneTime => DEFAULT_EXPIRATION_MINUTES,
        PaymentType::Reusable => 0,
    };
    let minutes = expiration_minutes.and_then(|minutes| u32::try_from(minutes).ok());
    Some(CreateRequest {
        client_payment_id: client_payment_id?,
        locale: locale?,
        kind,
        rate_type,
        display_currency,
        price: price?,
        deposit_currency,
        network,
        expiration_minutes: minutes.unwrap_or(default_minutes),
        redirect_url,
        notes,
        is_invoice: false,
    })
}

/// FIXED if the window limits the merchant's risk; a payment that never expires is FLOATING.
fn default_rate_type(kind: PaymentType) -> RateType {
    match kind {
        PaymentType::OneTime => RateType::Fixed,
        PaymentType::Reusable => RateType::Floating,
    }
}

pub(in crate::http) fn locale(fields: &mut Fields) -> Option<String> {
    let locale = fields.required_text("locale")?;
    if !LOCALES.contains(&locale.as_str()) {
        fields.error("locale", "unknown_locale", format!("must be one of {}", LOCALES.join(", ")));
    }
    Some(locale)
}

/// Reads `network`; with a currency, the pair must exist.
pub(super) fn network(fields: &mut Fields, currency: Option<Currency>) -> Option<Network> {
    let network = fields.network()?;
    if let Some(currency) = currency {
        let carries = pair::find(currency, network).is_some_and(|pair| pair.deposit);
        if !carries {
            let networks = fields.opt_ins().networks_of(currency, |pair| pair.deposit);
            let detail = format!("{currency} can be deposited on {networks}");
            fields.error("network", "unsupported_pair", detail);
            return None;
        }
    }
    Some(network)
}

/// Exactly one of the two amounts, each with its required fields.
fn price(
    fields: &mut Fields,
    fiat: Option<Fiat>,
    currency: Option<Currency>,
    network: Option<Network>,
) -> Option<Price> {
    let display = display_amount(fields, fiat);
    let deposit = fields.decimal_text("depositAmount");
    match (fields.has("displayAmount"), fields.has("depositAmount")) {
        (true, true) => {
            let detail = "give exactly one of displayAmount and depositAmount";
            fields.error("displayAmount", "conflicting_amounts", detail);
            fields.error("depositAmount", "conflicting_amounts", detail);
        }
        (false, false) => {
            let detail = "one of displayAmount and depositAmount is required";
            fields.error("displayAmount", "required", detail);
        }
        (true, false) | (false, true) => {}
    }
    let Some(amount) = deposit else { return display.map(Price::Display) };
    for needed in ["displayCurrency", "depositCurrency"] {
        if !fields.has(needed) {
            fields.error(needed, "required", "is required with depositAmount");
        }
    }
    let amount = fields.accept("depositAmount", check_coins(&amount, currency, network))?;
    Some(Price::Crypto { currency: currency?, amount })
}

/// Reads `displayAmount` by the minor unit of its currency.
pub(super) fn display_amount(fields: &mut Fields, fiat: Option<Fiat>) -> Option<Decimal> {
    fiat_amount(fields, "displayAmount", fiat)
}

/// Reads an amount above zero by the minor unit of its currency.
pub(in crate::http) fn fiat_amount(fields: &mut Fields, name: &str, fiat: Option<Fiat>) -> Option<Decimal> {
    let text = fields.decimal_text(name)?;
    // If the currency is invalid, the amount is checked with the usual two places.
    let decimals = fiat.map_or(2, Fiat::decimals);
    let amount = match positive_decimal(&text, decimals) {
        Ok(amount) if amount > Decimal::from(MAX_FIAT) => Err(("too_large", "is too large".to_owned())),
        amount => amount,
    };
    fields.accept(name, amount)
}

/// Checks a crypto amount for the network, or for every network that can still be chosen.
fn check_coins(text: &str, currency: Option<Currency>, network: Option<Network>) -> Result<String, Fault> {
    let pairs = pair::EVERY_PAIR.iter().filter(|pair| pair.deposit);
    let pairs = pairs.filter(|pair| currency.is_none_or(|currency| pair.currency == currency));
    let decimals = pairs.filter(|pair| network.is_none_or(|network| pair.network == network));
    // An unknown currency is a separate error; its amount is checked with the maximum number of places.
    let decimals = decimals.map(|pair| pair.decimals);
    let decimals = if currency.is_some() { decimals.min() } else { decimals.max() }.unwrap_or(18);
    let amount = positive_amount(text, decimals)?;
    if amount.atoms() / 10_u128.pow(u32::from(decimals)) >= MAX_COINS {
        return Err(("too_large", "is too large".to_owned()));
    }
    Ok(amount.to_text(decimals))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::http::requests::names::Names;

    fn read(body: &Value) -> Result<CreateRequest, Vec<(String, String)>> {
        let names = Names::of::<CreatePayment>();
        let mut fields = Fields::parse(body.to_string().as_bytes(), names).unwrap();
        let request = super::read(&mut fields, false).filter(|_| fields.is_valid());
        match request {
            Some(request) => Ok(request),
            None => Err(fields.into_errors().into_iter().map(|f| (f.pointer, f.code)).collect()),
        }
    }

    fn sound() -> Value {
        json!({"clientPaymentId": "order-1", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "19.99"})
    }

    #[test]
    fn defaults() {
        let request = read(&sound()).unwrap();
        assert_eq!(request.kind, PaymentType::OneTime);
        assert_eq!(request.rate_type, RateType::Fixed);
        assert_eq!(request.expiration_minutes, 30);
        let mut body = sound();
        body["type"] = json!("REUSABLE");
        let request = read(&body).unwrap();
        assert_eq!(request.rate_type, RateType::Floating);
        assert_eq!(request.expiration_minutes, 0);
    }

    #[test]
    fn the_hash_is_of_the_meaning() {
        let hash = |body: Value| read(&body).unwrap().hash();
        let with = |name: &str, value: Value| {
            let mut body = sound();
            body[name] = value;
            hash(body)
        };
        let original = hash(sound());
        assert_eq!(original, with("type", json!("ONE_TIME")), "a default that is spelled out");
        assert_eq!(original, with("network", Value::Null), "null is absent");
        assert_ne!(original, with("displayAmount", json!("19.98")));
        assert_ne!(original, with("displayCurrency", json!("USD")));
        assert_ne!(original, with("redirectUrl", json!("https://shop.example/")));
        assert_ne!(original, with("expirationMinutes", json!(31)));
        assert_eq!(with("displayAmount", json!(20)), with("displayAmount", json!("20.00")));
        assert_eq!(with("displayAmount", json!(20)), with("displayAmount", json!("20.000")));
        assert_eq!(with("expirationMinutes", json!(31)), with("expirationMinutes", json!(31.0)));
    }
}
