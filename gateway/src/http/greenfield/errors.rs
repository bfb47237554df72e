//! Errors in the form of the Greenfield API: a list of paths and messages for 422, a code and a message for others.

use axum::Json;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use checkout_wire::FieldError;
use serde_json::{Value, json};

use crate::http::problem::Refusal;

pub(super) async fn translate(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let Some(refusal) = response.extensions_mut().remove::<Refusal>() else { return response };
    let (code, message, errors) = refusal.told();
    let body = if errors.is_empty() {
        json!({"code": code.replace('_', "-"), "message": message})
    } else {
        errors.iter().map(listed).collect()
    };
    let (mut parts, _) = response.into_parts();
    let (head, body) = Json(body).into_response().into_parts();
    parts.headers.extend(head.headers);
    Response::from_parts(parts, body)
}

fn listed(error: &FieldError) -> Value {
    let name = error.pointer.trim_start_matches('/');
    json!({"path": path(name), "message": error.detail})
}

/// The field of an invoice whose value a payment has under another name.
fn path(name: &str) -> &str {
    match name {
        "displayAmount" | "depositAmount" => "amount",
        "displayCurrency" | "depositCurrency" => "currency",
        "network" => "checkout.paymentMethods",
        "redirectUrl" => "checkout.redirectURL",
        "expirationMinutes" => "checkout.expirationMinutes",
        "clientPaymentId" => "metadata.orderId",
        other => other,
    }
}
