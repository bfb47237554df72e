//! `GET /sandbox` and the requests of its page. They need no credentials, exist only with `--sandbox`, and serve only
//! the sandbox's own pages and programs.

mod described;
mod held;
mod money;

use checkout_domain::ids::PaymentId;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::Body as Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use checkout_domain::callback::State as CallbackState;
use checkout_domain::ports::callbacks::Resent;
use checkout_gateway::http::body::{Body, LIMIT, Nothing};
use checkout_gateway::http::etag::{entity_tag, is_known};
use checkout_gateway::http::parameters::Parameters;
use checkout_gateway::http::problem::Refusal;
use checkout_gateway::http::refused::created;
use checkout_gateway::requests::fields::Fields;
use checkout_gateway::requests::{id, page};
use checkout_gateway::service::App;
use checkout_gateway::site;
use checkout_simulator::records::{Listing, MockResponse};
use checkout_wire::create_payment::CreatePayment;
use checkout_wire::update_payment::UpdatePayment;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use self::described::{ListCallbacks, ListDeliveries, ListPayments, SetAnswers};
use super::Shared;
use crate::console::inbox::Arrived;
use crate::console::{callbacks, detail, inbox, overview, payments};

type Named = Result<Path<String>, PathRejection>;

/// The page's own requests are not part of the public API or of the OpenAPI document.
pub(super) fn routes() -> Router<Arc<App>> {
    let inbox = get(deliveries).post(receive).delete(forget_deliveries);
    Router::new()
        .route("/sandbox", get(page))
        .route("/sandbox/overview", get(overview))
        .route("/sandbox/credentials", get(credentials))
        .route("/sandbox/payments", get(payments).post(create_payment))
        .route("/sandbox/payments/{id}", get(payment))
        .route("/sandbox/payments/{id}/choice", post(choose))
        .route("/sandbox/business", post(money::change_business))
        .route("/sandbox/whitelist", post(money::whitelist))
        .route("/sandbox/withdrawals", post(money::withdraw))
        .route("/sandbox/withdrawals/preview", post(money::preview))
        .route("/sandbox/deposits/{id}/release", post(held::release))
        .route("/sandbox/deposits/{id}/refuse", post(held::refuse))
        .route("/sandbox/callbacks", get(callbacks))
        .route("/sandbox/callbacks/{id}", get(callback))
        .route("/sandbox/callbacks/{id}/resend", post(resend))
        .route("/sandbox/inbox", inbox)
        .route("/sandbox/inbox/answers", post(set_answers))
}

async fn page(headers: HeaderMap) -> Response {
    site::console_page(&headers)
}

async fn overview(Extension(world): Extension<Shared>, headers: HeaderMap) -> Result<Response, Refusal> {
    Ok(polled(&headers, &overview::overview(&world).await?))
}

async fn credentials(Extension(world): Extension<Shared>) -> Result<Json<overview::Credentials>, Refusal> {
    overview::credentials(&world).await?.map(Json).ok_or_else(no_business)
}

async fn payments(
    Extension(world): Extension<Shared>,
    query: Parameters<ListPayments>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let listing = query.read(Listing::read)?;
    Ok(polled(&headers, &payments::list(&world, &listing).await?))
}

async fn create_payment(
    Extension(world): Extension<Shared>,
    Body(fields, _): Body<CreatePayment>,
) -> Result<Response, Refusal> {
    payments::create(&world, fields).await?.map(created).ok_or_else(no_business)
}

async fn payment(
    Extension(world): Extension<Shared>,
    name: Named,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let id = PaymentId(named(name, "payment")?);
    let detail = detail::detail(&world, id).await?.ok_or_else(|| none("payment"))?;
    Ok(polled(&headers, &detail))
}

async fn choose(
    Extension(world): Extension<Shared>,
    name: Named,
    Body(fields, _): Body<UpdatePayment>,
) -> Result<Json<checkout_wire::Payment>, Refusal> {
    Ok(Json(payments::choose(&world, PaymentId(named(name, "payment")?), fields).await?))
}

async fn callbacks(
    Extension(world): Extension<Shared>,
    query: Parameters<ListCallbacks>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let read = |fields: &mut Fields| {
        Some((fields.word("state", CallbackState::KNOWN, CallbackState::known), page::limit(fields)))
    };
    let (state, limit) = query.read(read)?;
    Ok(polled(&headers, &callbacks::list(&world, state, limit).await?))
}

async fn callback(
    Extension(world): Extension<Shared>,
    name: Named,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let id = named(name, "callback")?;
    let callback = callbacks::show(&world, id).await?.ok_or_else(|| none("callback"))?;
    Ok(polled(&headers, &callback))
}

async fn resend(
    Extension(world): Extension<Shared>,
    name: Named,
    body: Body<Nothing>,
) -> Result<Json<Value>, Refusal> {
    body.read(|_| Some(()))?;
    let id = named(name, "callback")?;
    match callbacks::resend(&world, id).await? {
        Resent::Due => {}
        Resent::NoCallback => return Err(none("callback")),
        Resent::Held => {
            let detail = Resent::Held.refusal().unwrap_or_default();
            return Err(Refusal::conflict("callback_held", "The callback is held", detail));
        }
    }
    Ok(Json(json!({"id": id.to_string()})))
}

async fn deliveries(
    Extension(world): Extension<Shared>,
    query: Parameters<ListDeliveries>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let (before, limit) = query.read(|fields| Some((page::uuid(fields, "before"), page::limit(fields))))?;
    Ok(polled(&headers, &inbox::list(&world, before, limit).await?))
}

async fn forget_deliveries(Extension(world): Extension<Shared>) -> Result<StatusCode, Refusal> {
    inbox::forget(&world).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The built-in receiver accepts any text, like a merchant's endpoint, and stores it before it answers.
async fn receive(Extension(world): Extension<Shared>, request: Request) -> Result<StatusCode, Refusal> {
    let (parts, body) = request.into_parts();
    let body = read(body).await?;
    let headers = parts.headers.iter().map(|(name, value)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    });
    let mock_response = inbox::receive(&world, Arrived { headers: headers.collect(), body }).await?;
    if mock_response.delay_seconds > 0 {
        tokio::time::sleep(Duration::from_secs(mock_response.delay_seconds)).await;
    }
    Ok(StatusCode::from_u16(mock_response.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR))
}

async fn set_answers(
    Extension(world): Extension<Shared>,
    body: Body<SetAnswers>,
) -> Result<Json<MockResponse>, Refusal> {
    let mock_response = body.read(MockResponse::read)?;
    Ok(Json(inbox::set_mock_response(&world, mock_response).await?))
}

async fn read(body: Bytes) -> Result<String, Refusal> {
    let bytes = axum::body::to_bytes(body, LIMIT).await.map_err(|_| Refusal::too_large(LIMIT))?;
    String::from_utf8(bytes.to_vec()).map_err(|_| Refusal::unreadable("The body is not UTF-8 text."))
}

fn named(name: Named, what: &str) -> Result<Uuid, Refusal> {
    name.ok().and_then(|Path(text)| id::parse(&text)).ok_or_else(|| none(what))
}

fn none(what: &str) -> Refusal {
    Refusal::not_found(format!("There is no such {what}."))
}

fn no_business() -> Refusal {
    Refusal::not_found("The sandbox has no business: it was never started with `checkout serve --sandbox`.")
}

/// Answers a poll, using its entity tag.
fn polled(request: &HeaderMap, body: &impl Serialize) -> Response {
    let body = serde_json::to_vec(body).expect("texts and numbers are JSON");
    let tag = entity_tag(&body);
    let mut response = if is_known(request, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, "application/json")], Bytes::from(body)).into_response()
    };
    response.headers_mut().insert(header::ETAG, tag);
    response
}
