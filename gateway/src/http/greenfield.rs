//! BTCPay Server's Greenfield API, the part that shops use, for a business that turned it on. Its answers are in that API's form, also its
//! errors; no route is in the OpenAPI document, because this API has its own.

mod authorize;
mod create_invoice;
mod errors;
mod given;
mod invoices;
mod mark_invoice;
mod modal;
mod open_invoice;
mod pull_payment;
mod refund_invoice;
mod server;
mod shop;
mod stores;
mod webhooks;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::{from_fn, map_request};
use axum::routing::{get, post};

use super::Shared;
use super::problem::Refusal;

/// With a token, in the order of the published document.
pub(super) fn private() -> Router<Shared> {
    Router::new()
        .route("/api/v1/server/info", get(server::info))
        .route("/api/v1/api-keys/current", get(server::current_key))
        .route("/api/v1/stores", get(stores::list))
        .route("/api/v1/stores/{storeId}", get(stores::read))
        .route("/api/v1/stores/{storeId}/payment-methods", get(stores::payment_methods))
        .route("/api/v1/stores/{storeId}/invoices", get(invoices::list).post(create_invoice::handle))
        // As clients write it, too.
        .route("/api/v1/stores/{storeId}/invoices/", get(invoices::list).post(create_invoice::handle))
        .route("/api/v1/stores/{storeId}/invoices/{invoiceId}", get(invoices::read))
        .route(
            "/api/v1/stores/{storeId}/invoices/{invoiceId}/payment-methods",
            get(invoices::payment_methods),
        )
        .route("/api/v1/stores/{storeId}/invoices/{invoiceId}/status", post(mark_invoice::handle))
        .route("/api/v1/stores/{storeId}/invoices/{invoiceId}/refund", post(refund_invoice::handle))
        .route("/api/v1/stores/{storeId}/pull-payments", post(pull_payment::handle))
        .route("/api/v1/stores/{storeId}/webhooks", get(webhooks::list).post(webhooks::create))
        .route(
            "/api/v1/stores/{storeId}/webhooks/{webhookId}",
            get(webhooks::read).put(webhooks::update).delete(webhooks::delete),
        )
        .route("/api/v1/stores/{storeId}/webhooks/{webhookId}/deliveries", get(webhooks::deliveries))
        .route(
            "/api/v1/stores/{storeId}/webhooks/{webhookId}/deliveries/{deliveryId}",
            get(webhooks::delivery),
        )
        .route(
            "/api/v1/stores/{storeId}/webhooks/{webhookId}/deliveries/{deliveryId}/request",
            get(webhooks::delivery_request),
        )
        .route(
            "/api/v1/stores/{storeId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
            post(webhooks::redeliver),
        )
        .method_not_allowed_fallback(async || Refusal::wrong_method())
}

/// Before the limits, which know tokens by the scheme of ours, and after them: also their refusals are in the form of this API.
pub(super) fn translated(routes: Router<Shared>) -> Router<Shared> {
    routes.layer(from_fn(errors::translate)).layer(map_request(as_bearer))
}

/// For browsers of payers and merchants.
pub(super) fn public() -> Router<Shared> {
    Router::new()
        .route("/i/{invoiceId}", get(open_invoice::handle))
        .route("/modal/btcpay.js", get(modal::handle))
        .route("/api-keys/authorize", get(authorize::open).post(authorize::give))
}

/// `token` is the scheme of this API.
async fn as_bearer<B>(mut request: Request<B>) -> Request<B> {
    let line = request.headers().get(header::AUTHORIZATION).and_then(|line| line.to_str().ok());
    let token =
        line.and_then(|line| line.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("token"));
    let bearer = token.and_then(|(_, token)| HeaderValue::try_from(format!("Bearer {token}")).ok());
    if let Some(bearer) = bearer {
        request.headers_mut().insert(header::AUTHORIZATION, bearer);
    }
    request
}
