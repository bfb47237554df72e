//! `POST /api/v1/stores/{storeId}/invoices`: the request of a payment in other words, read by the same rules.

use axum::Json;
use axum::extract::State;
use checkout_core::{Currency, Network};
use checkout_domain::business::Business;
use checkout_domain::payment::{PaymentWithDeposits, status};
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::create_payment::CreatePayment;
use checkout_wire::{FieldError, LOCALES, MAX_CLIENT_ID, PaymentStatus};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::given::Given;
use super::invoices::shown;
use super::shop::Shop;
use super::stores::offered;
use crate::greenfield::invoice::Invoice;
use crate::greenfield::kept::{self, Kept, TooLong};
use crate::greenfield::{invoice_id, methods};
use crate::http::Shared;
use crate::http::auth::ChangePayments;
use crate::http::payments::create_payment::read;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::http::requests::id;
use crate::http::requests::names::Names;
use crate::service::App;
use crate::service::payments::create_payment::{self, INVOICE_ID};
use crate::service::payments::payment_request::CreateRequest;
use crate::service::refused::Refused;
use crate::texts::origin::check_link;

/// Most invoices of one order.
const MOST_OF_AN_ORDER: u32 = 50;

/// Characters of an order's id: its invoices have `-2` to `-50` behind it.
const LONGEST_ORDER: usize = MAX_CLIENT_ID - 3;

#[derive(Deserialize)]
pub(super) struct NewInvoice {
    amount: Option<Box<RawValue>>,
    currency: Option<String>,
    metadata: Option<Box<RawValue>>,
    checkout: Option<Box<RawValue>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Checkout {
    expiration_minutes: Option<Value>,
    payment_methods: Option<Vec<String>>,
    #[serde(rename = "redirectURL")]
    redirect_url: Option<String>,
    default_language: Option<String>,
}

pub(super) async fn handle(
    State(app): State<Shared>,
    shop: Shop<ChangePayments>,
    Given(new): Given<NewInvoice>,
) -> Result<Json<Invoice>, Refusal> {
    let business = &shop.business;
    if business.disabled {
        return Err(Refused::Disabled.into());
    }
    let record = create(&app, business, new).await?;
    Ok(Json(shown(&app, &shop, &record)))
}

async fn create(app: &App, business: &Business, new: NewInvoice) -> Result<PaymentWithDeposits, Refusal> {
    let kept = Kept { metadata: new.metadata.clone(), checkout: new.checkout.clone() };
    let order = kept.order_id();
    if order.as_ref().is_some_and(|id| id.chars().count() > LONGEST_ORDER) {
        let detail = format!("must have at most {LONGEST_ORDER} characters");
        return Err(Refusal::invalid(vec![FieldError::of("clientPaymentId", "too_long", detail)]));
    }
    let first = order.unwrap_or_else(|| app.new_id().to_string());
    let mut request = request(app, business, &new, &first)?;
    request.notes.metadata = kept.to_metadata().map_err(|TooLong| {
        let detail = "are longer than an invoice can have here: together about 9,000 characters";
        Refusal::invalid(vec![FieldError::of("metadata", "too_long", detail)])
    })?;
    // An order has an invoice after another, and each a name of its own. The same request has the invoice that can still be paid.
    for number in 1..=MOST_OF_AN_ORDER {
        if number > 1 {
            request.client_payment_id = format!("{first}-{number}");
        }
        let created = match create_payment::create(app, business, &request).await {
            Ok(created) => created,
            Err(Refused::Taken(_)) => continue,
            Err(refused) => return Err(refused.into()),
        };
        let id = id::payment(&created.body.payment_info.payment_id).ok_or_else(Refusal::no_payment)?;
        let record = app.store.payment(id).await?.ok_or_else(Refusal::no_payment)?;
        if !created.replayed || is_open(&record, app.clock.now()) {
            return Ok(record);
        }
    }
    let detail = format!("has {MOST_OF_AN_ORDER} invoices, which is the most");
    Err(Refusal::invalid(vec![FieldError::of("clientPaymentId", "too_many", detail)]))
}

/// Whether the payer can still be asked for the price.
fn is_open(record: &PaymentWithDeposits, now: u64) -> bool {
    match status::status_at(record, now) {
        PaymentStatus::New | PaymentStatus::Pending | PaymentStatus::Awaiting => {
            !record.payment.window_is_over(now)
        }
        PaymentStatus::Deposited | PaymentStatus::Overpaid | PaymentStatus::Expired => false,
    }
}

fn request(
    app: &App,
    business: &Business,
    new: &NewInvoice,
    client_payment_id: &str,
) -> Result<CreateRequest, Refusal> {
    let checkout: Checkout = match new.checkout.as_ref().filter(|raw| raw.get() != "null") {
        Some(raw) => serde_json::from_str(raw.get())
            .map_err(|error| Refusal::unreadable(format!("`checkout`: {error}.")))?,
        None => Checkout::default(),
    };
    let Some(amount) = new.amount.as_ref().and_then(|raw| kept::text(raw)) else {
        let detail = "is required: there are no invoices of any amount";
        return Err(Refusal::invalid(vec![FieldError::of("displayAmount", "required", detail)]));
    };
    let currency = new.currency.as_deref().unwrap_or_else(|| business.default_display().code());
    let mut body = Map::new();
    let mut set = |name: &str, value: Value| body.insert(name.to_owned(), value);
    set("clientPaymentId", json!(client_payment_id));
    set("locale", json!(locale(checkout.default_language.as_deref())));
    set("expirationMinutes", checkout.expiration_minutes.unwrap_or_default());
    // Where nothing follows, the payer stays on the page.
    set("redirectUrl", json!(checkout.redirect_url.filter(|url| !url.is_empty())));
    let price = currency.parse::<Currency>().ok().filter(|_| currency.parse::<Fiat>().is_err());
    if price.is_some() {
        set("depositCurrency", json!(currency));
        set("depositAmount", json!(amount));
        set("displayCurrency", json!(business.default_display().code()));
    } else {
        set("displayCurrency", json!(currency));
        set("displayAmount", json!(amount));
    }
    if let Some((currency, network)) = only_pair(app, business, checkout.payment_methods)? {
        if price.is_some_and(|price| price != currency) {
            let detail = "has a price in another currency than its only payment method";
            return Err(Refusal::invalid(vec![FieldError::of("displayCurrency", "conflict", detail)]));
        }
        set("depositCurrency", json!(currency.code()));
        set("network", json!(network.code()));
    }
    let body = Value::Object(body).to_string();
    let fields = Fields::parse(body.as_bytes(), Names::of::<CreatePayment>());
    let fields = fields.map_err(|_| Refusal::unreadable("This is not JSON."))?.knowing(app.opt_ins());
    let request = fields.read(|fields| read(fields, app.policy.sandbox)).map_err(Refusal::invalid)?;
    let named = |url: &String| url.replace(INVOICE_ID, &"0".repeat(invoice_id::LENGTH));
    if let Some(Err(fault)) =
        request.redirect_url.as_ref().map(|url| check_link(&named(url), app.policy.sandbox))
    {
        let detail = format!("{}, with the id in it", fault.detail());
        return Err(Refusal::invalid(vec![FieldError::of("redirectUrl", fault.code(), detail)]));
    }
    Ok(CreateRequest { is_invoice: true, ..request })
}

/// Of several methods the payer chooses: a choice of some of those that the business has would be one that no payment can keep.
fn only_pair(
    app: &App,
    business: &Business,
    asked: Option<Vec<String>>,
) -> Result<Option<(Currency, Network)>, Refusal> {
    let asked = asked.unwrap_or_default();
    let offered = offered(app, business);
    let found: Vec<_> = asked.iter().filter_map(|text| methods::pair(text)).collect();
    let refusal =
        |detail: String| Refusal::invalid(vec![FieldError::of("network", "unsupported_pair", detail)]);
    let unknown = asked.iter().find(|text| methods::pair(text).is_none_or(|pair| !offered.contains(&pair)));
    if let Some(unknown) = unknown {
        return Err(refusal(format!("has {unknown}, which this store does not offer")));
    }
    match found.as_slice() {
        [] => Ok(None),
        [pair] => Ok(Some((pair.currency, pair.network))),
        several if offered.iter().all(|pair| several.contains(pair)) => Ok(None),
        _ => Err(refusal("must be one method, or all that the store offers".to_owned())),
    }
}

/// The language of the page that is nearest, by its first part.
fn locale(asked: Option<&str>) -> &'static str {
    let asked = asked.unwrap_or_default().replace('_', "-");
    let language = |tag: &str| tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
    let exact = LOCALES.iter().find(|tag| tag.eq_ignore_ascii_case(&asked));
    exact
        .or_else(|| LOCALES.iter().find(|tag| language(tag) == language(&asked)))
        .copied()
        .unwrap_or(LOCALES[0])
}
