//! `/api/v1/stores/{storeId}/webhooks`, and what was delivered to them.

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checkout_domain::business::greenfield::{MAX_WEBHOOKS, StoreWebhook};
use checkout_domain::callback::filter::CallbackFilter;
use checkout_domain::callback::{Attempt, Callback, Kind, Outcome};
use checkout_domain::page::Page;
use checkout_wire::FieldError;
use serde::Deserialize;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::given::Given;
use super::shop::{Shop, change};
use crate::greenfield::delivery::{InvoiceEvent, without_secret};
use crate::http::Shared;
use crate::http::auth::{ChangePayments, ReadPayments};
use crate::http::problem::Refusal;
use crate::service::App;
use crate::texts::origin::check_link;

/// In characters.
const LONGEST_SECRET: usize = 256;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GivenWebhook {
    enabled: Option<bool>,
    automatic_redelivery: Option<bool>,
    url: Option<String>,
    authorized_events: Option<AuthorizedEvents>,
    secret: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AuthorizedEvents {
    everything: Option<bool>,
    specific_events: Option<Vec<String>>,
}

impl GivenWebhook {
    /// What was not given stays. Events that are never sent are left out.
    fn apply(self, app: &App, webhook: &mut StoreWebhook) -> Result<(), Refusal> {
        webhook.enabled = self.enabled.unwrap_or(webhook.enabled);
        webhook.automatic_redelivery = self.automatic_redelivery.unwrap_or(webhook.automatic_redelivery);
        webhook.url = self.url.unwrap_or_else(|| webhook.url.clone());
        if let Some(secret) = self.secret.filter(|secret| !secret.is_empty()) {
            if secret.chars().count() > LONGEST_SECRET {
                let detail = format!("must have at most {LONGEST_SECRET} characters");
                return Err(Refusal::invalid(vec![FieldError::of("secret", "too_long", detail)]));
            }
            webhook.secret = secret;
        }
        if let Some(events) = self.authorized_events {
            let everything = events.everything.unwrap_or(events.specific_events.is_none());
            let given = events.specific_events.unwrap_or_default();
            let known = InvoiceEvent::ALL.into_iter().map(|event| event.as_str().to_owned());
            webhook.events = (!everything).then(|| known.filter(|event| given.contains(event)).collect());
        }
        let fault = check_link(&webhook.url, true).err().map(|fault| fault.detail().to_owned());
        let Some(detail) = fault.or_else(|| app.webhooks.refusal(&webhook.url)) else { return Ok(()) };
        Err(Refusal::invalid(vec![FieldError::of("url", "no_target", detail)]))
    }
}

fn shown(webhook: &StoreWebhook) -> Value {
    json!({
        "id": webhook.id,
        "enabled": webhook.enabled,
        "automaticRedelivery": webhook.automatic_redelivery,
        "url": webhook.url,
        "authorizedEvents": {
            "everything": webhook.events.is_none(),
            "specificEvents": webhook.events.as_deref().unwrap_or_default(),
        },
    })
}

fn no_webhook() -> Refusal {
    Refusal::not_found("The store has no such webhook.")
}

pub(super) async fn list(shop: Shop<ReadPayments>) -> Json<Vec<Value>> {
    Json(shop.greenfield.webhooks.iter().map(shown).collect())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebhookPath {
    webhook_id: String,
}

pub(super) async fn read(
    shop: Shop<ReadPayments>,
    Path(path): Path<WebhookPath>,
) -> Result<Json<Value>, Refusal> {
    shop.greenfield.webhook(&path.webhook_id).map(|webhook| Json(shown(webhook))).ok_or_else(no_webhook)
}

/// The answer has the secret, which no other one has.
pub(super) async fn create(
    State(app): State<Shared>,
    shop: Shop<ChangePayments>,
    Given(given): Given<GivenWebhook>,
) -> Result<Json<Value>, Refusal> {
    let mut webhook = StoreWebhook {
        id: app.new_id().to_string(),
        url: String::new(),
        secret: URL_SAFE_NO_PAD.encode(app.random::<24>()),
        enabled: true,
        automatic_redelivery: true,
        events: None,
    };
    given.apply(&app, &mut webhook)?;
    let id = webhook.id.clone();
    let mut body = shown(&webhook);
    body["secret"] = json!(webhook.secret);
    change(&app, shop.business.id, |greenfield| {
        if greenfield.webhooks.len() == MAX_WEBHOOKS {
            let detail = format!("cannot be another one: a store has at most {MAX_WEBHOOKS} webhooks");
            return Err(Refusal::invalid(vec![FieldError::of("url", "too_many", detail)]));
        }
        greenfield.webhooks.push(webhook);
        Ok(())
    })
    .await?;
    tracing::info!(business = %shop.business.id, webhook = id, by = %shop.actor(), "a shop's webhook was created");
    Ok(Json(body))
}

pub(super) async fn update(
    State(app): State<Shared>,
    shop: Shop<ChangePayments>,
    Path(path): Path<WebhookPath>,
    Given(given): Given<GivenWebhook>,
) -> Result<Json<Value>, Refusal> {
    let body = change(&app, shop.business.id, |greenfield| {
        let mut webhooks = greenfield.webhooks.iter_mut();
        let webhook = webhooks.find(|webhook| webhook.id == path.webhook_id).ok_or_else(no_webhook)?;
        given.apply(&app, webhook)?;
        Ok(shown(webhook))
    });
    let body = body.await?;
    tracing::info!(business = %shop.business.id, webhook = path.webhook_id, by = %shop.actor(), "a shop's webhook was changed");
    Ok(Json(body))
}

pub(super) async fn delete(
    State(app): State<Shared>,
    shop: Shop<ChangePayments>,
    Path(path): Path<WebhookPath>,
) -> Result<(), Refusal> {
    change(&app, shop.business.id, |greenfield| {
        let before = greenfield.webhooks.len();
        greenfield.webhooks.retain(|webhook| webhook.id != path.webhook_id);
        if greenfield.webhooks.len() == before { Err(no_webhook()) } else { Ok(()) }
    })
    .await?;
    tracing::info!(business = %shop.business.id, webhook = path.webhook_id, by = %shop.actor(), "a shop's webhook was deleted");
    Ok(())
}

const MOST_DELIVERIES: u32 = 100;

pub(super) async fn deliveries(
    State(app): State<Shared>,
    shop: Shop<ReadPayments>,
    Path(path): Path<WebhookPath>,
    RawQuery(query): RawQuery,
) -> Result<Json<Vec<Value>>, Refusal> {
    shop.greenfield.webhook(&path.webhook_id).ok_or_else(no_webhook)?;
    let query = query.unwrap_or_default();
    let count = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "count");
    let count = count.and_then(|(_, count)| count.parse().ok()).unwrap_or(MOST_DELIVERIES);
    let page = Page { after: None, before: None, descending: true, limit: count.min(MOST_DELIVERIES) };
    let filter =
        CallbackFilter { kind: Some(Kind::of_webhook(&path.webhook_id)), ..CallbackFilter::default() };
    let found = app.store.callback_page(shop.business.id, &filter, &page).await?;
    Ok(Json(found.iter().map(|(callback, attempts)| delivered(callback, attempts)).collect()))
}

fn delivered(callback: &Callback, attempts: &[Attempt]) -> Value {
    let last = attempts.last();
    let outcome = last.and_then(|attempt| attempt.ended.as_ref()).map(|ended| &ended.outcome);
    let (status, code, error) = match outcome {
        Some(Outcome::Answered { status }) if outcome.is_some_and(Outcome::is_success) => {
            ("HttpSuccess", Some(*status), None)
        }
        Some(Outcome::Answered { status }) => ("HttpError", Some(*status), None),
        Some(Outcome::Unanswered { reason }) => ("Failed", None, Some(reason.as_str())),
        None => ("Pending", None, None),
    };
    json!({
        "id": callback.id.to_string(),
        "timestamp": callback.created_at,
        "sentTimestamp": last.map(|attempt| attempt.started_at),
        "httpCode": code,
        "errorMessage": error,
        "status": status,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeliveryPath {
    webhook_id: String,
    delivery_id: String,
}

async fn find<U>(
    app: &App,
    shop: &Shop<U>,
    path: &DeliveryPath,
) -> Result<(Callback, Vec<Attempt>), Refusal> {
    shop.greenfield.webhook(&path.webhook_id).ok_or_else(no_webhook)?;
    let missing = || Refusal::not_found("The webhook has no such delivery.");
    let id = path.delivery_id.parse().map_err(|_| missing())?;
    let found = app.store.callback(id).await?;
    let kind = Kind::of_webhook(&path.webhook_id);
    found.filter(|(found, _)| found.business == shop.business.id && found.kind == kind).ok_or_else(missing)
}

pub(super) async fn delivery(
    State(app): State<Shared>,
    shop: Shop<ReadPayments>,
    Path(path): Path<DeliveryPath>,
) -> Result<Json<Value>, Refusal> {
    let (callback, attempts) = find(&app, &shop, &path).await?;
    Ok(Json(delivered(&callback, &attempts)))
}

pub(super) async fn delivery_request(
    State(app): State<Shared>,
    shop: Shop<ReadPayments>,
    Path(path): Path<DeliveryPath>,
) -> Result<Response, Refusal> {
    let (callback, _) = find(&app, &shop, &path).await?;
    let body = if shop.may_pay() { callback.body } else { without_secret(&callback.body) };
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// The same delivery again: it keeps its id.
pub(super) async fn redeliver(
    State(app): State<Shared>,
    shop: Shop<ChangePayments>,
    Path(path): Path<DeliveryPath>,
) -> Result<Json<String>, Refusal> {
    let (callback, _) = find(&app, &shop, &path).await?;
    let mut tx = app.store.begin().await?;
    tx.resend_callback(callback.id, app.clock.now()).await?;
    tx.commit().await?;
    Ok(Json(callback.id.to_string()))
}
