//! What the drawer of the desk needs beside the control API and the public API. It needs no credentials, exists only with
//! `--sandbox`, and serves only the sandbox's own pages and programs. It is not part of the OpenAPI document.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Redirect;
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use checkout_domain::access::actor::Actor;
use checkout_gateway::http::body::{Body, LIMIT};
use checkout_gateway::http::parameters::Parameters;
use checkout_gateway::http::problem::Refusal;
use checkout_gateway::http::requests::business::{BusinessChanges, read_changes};
use checkout_gateway::http::requests::{id, page};
use checkout_gateway::render;
use checkout_gateway::service::App;
use checkout_gateway::service::businesses::update_business::update;
use checkout_gateway::service::payments::create_payment;
use checkout_gateway::site;
use checkout_simulator::records::MockResponse;
use checkout_simulator::world;
use checkout_wire as wire;
use checkout_wire::manage_businesses::UpdateBusiness;
use schemars::JsonSchema;

use super::Shared;
use crate::inbox::{self, Arrived, DeliveryView};
use crate::overview::{self, Credentials, Overview};

/// The page with the drawer.
pub(super) const DESK: &str = "/desk";

/// Where the sandbox had a page of its own before.
pub(super) const OLD_PAGE: &str = "/sandbox";

const SCRIPT: &str = "sandbox/drawer.js";

/// Of the wallet that spends simulated coins, for a payment's page.
const WALLET: &str = "sandbox/wallet.js";

/// The query of `GET /sandbox/inbox`.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the names of the fields are the description; the handler reads fields")]
struct ListDeliveries {
    before: String,
    limit: String,
}

/// The body of `POST /sandbox/inbox/answers`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "the names of the fields are the description; the handler reads fields")]
struct SetAnswers {
    status: u16,
    times: u32,
    delay_seconds: u64,
}

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route(OLD_PAGE, get(async || Redirect::permanent(DESK)))
        .route("/sandbox/drawer.js", get(async |headers: HeaderMap| site::own_file(SCRIPT, &headers)))
        .route("/sandbox/wallet.js", get(async |headers: HeaderMap| site::own_file(WALLET, &headers)))
        .route("/sandbox/overview", get(overview))
        .route("/sandbox/credentials", get(credentials))
        .route("/sandbox/payments/{id}/checkout", get(checkout))
        .route("/sandbox/payments/{id}/wallet", get(checkout_with_wallet))
        .route("/sandbox/business", post(change_business))
        .route("/sandbox/inbox", get(deliveries).post(receive))
        .route("/sandbox/inbox/answers", post(set_answers))
}

async fn overview(Extension(world): Extension<Shared>) -> Result<Json<Overview>, Refusal> {
    Ok(Json(overview::overview(&world).await?))
}

async fn credentials(Extension(world): Extension<Shared>) -> Result<Json<Credentials>, Refusal> {
    overview::credentials(&world).await?.map(Json).ok_or_else(no_business)
}

/// Leads to the page of a payment, by the link that its payer has.
async fn checkout(world: Extension<Shared>, name: Name) -> Result<Redirect, Refusal> {
    Ok(Redirect::to(&payment_url(world, name).await?))
}

/// The same, with a simulated wallet in the browser.
async fn checkout_with_wallet(world: Extension<Shared>, name: Name) -> Result<Redirect, Refusal> {
    let url = payment_url(world, name).await?;
    Ok(Redirect::to(&format!("{url}&wallet=simulated")))
}

type Name = Result<Path<String>, PathRejection>;

async fn payment_url(Extension(world): Extension<Shared>, name: Name) -> Result<String, Refusal> {
    let id = name.ok().and_then(|Path(text)| id::payment(&text)).ok_or_else(Refusal::no_payment)?;
    let found = world.app.store.payment(id).await?.ok_or_else(Refusal::no_payment)?;
    let business = world.app.store.business(found.payment.business).await?.ok_or_else(Refusal::no_payment)?;
    Ok(create_payment::payment_url(&world.app, &business, &found.payment))
}

/// Changes the sandbox's business.
async fn change_business(
    Extension(world): Extension<Shared>,
    body: Body<UpdateBusiness>,
) -> Result<Json<wire::Business>, Refusal> {
    let app = &world.app;
    let targets = (app.webhooks.as_ref(), app.policy.sandbox);
    let BusinessChanges { settings, rules } = body.read(|fields| read_changes(fields, targets))?;
    let id = world::business_id(app).await?.ok_or_else(no_business)?;
    let by = (&Actor::CommandLine, app.clock.now());
    let found = update(app.store.as_ref(), id, settings, rules, by).await?;
    found.map(|(business, _)| Json(render::business::business(&business))).ok_or_else(no_business)
}

async fn deliveries(
    Extension(world): Extension<Shared>,
    query: Parameters<ListDeliveries>,
) -> Result<Json<Vec<DeliveryView>>, Refusal> {
    let (before, limit) = query.read(|fields| Some((page::uuid(fields, "before"), page::limit(fields))))?;
    Ok(Json(inbox::list(&world, before, limit).await?))
}

/// The built-in receiver accepts any text, like a merchant's endpoint, and stores it before it answers.
async fn receive(Extension(world): Extension<Shared>, request: Request) -> Result<StatusCode, Refusal> {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, LIMIT).await.map_err(|_| Refusal::too_large(LIMIT))?;
    let body =
        String::from_utf8(body.to_vec()).map_err(|_| Refusal::unreadable("The body is not UTF-8 text."))?;
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

fn no_business() -> Refusal {
    Refusal::not_found("The sandbox has no business: it was never started with `checkout serve --sandbox`.")
}
