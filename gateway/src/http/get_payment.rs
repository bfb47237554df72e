//! `GET /api/v1/payments/{paymentId}`

use axum::body::Body;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checkout_core::wire::PaymentStatus;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::Shared;
use super::auth::Bearer;
use super::openapi::operation::{ANYONE_WITH_A_TOKEN, Operation, Tag};
use super::problem::Refusal;
use crate::domain::payment::Record;
use crate::domain::{id, render};
use crate::service::read_payment;
use crate::service::versions::Digest;

const ABOUT: &str = "The payment itself, not wrapped, with its deposits and their refunds. Made to be polled: send the `ETag` back in `If-None-Match`.";

pub(super) fn operation() -> Operation {
    Operation::new("getPayment", Tag::Payments, "Get a payment", ABOUT)
        .needs(ANYONE_WITH_A_TOKEN)
        .path("paymentId", "", "")
        .header("If-None-Match", "The `ETag` of the last answer.")
        .answers::<checkout_core::wire::Payment>(200, "The payment.")
        .with_header("ETag", ETAG)
        .answers_nothing(304, "The payment is as it was.")
        .with_header("ETag", ETAG)
}

const ETAG: &str = "Changes with every byte of the payment.";

/// The id in the path. What is no UUID is no payment.
pub(super) struct PaymentId(pub(super) Uuid);

impl FromRequestParts<Shared> for PaymentId {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let path: Result<Path<String>, _> = Path::from_request_parts(parts, app).await;
        let id = path.ok().and_then(|Path(text)| id::parse(&text));
        id.map(Self).ok_or_else(Refusal::no_payment)
    }
}

pub(super) async fn handle(
    State(app): State<Shared>,
    Bearer(caller): Bearer,
    PaymentId(id): PaymentId,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let found = read_payment::read(&app, caller, id).await?;
    let (record, status) = found.ok_or_else(Refusal::no_payment)?;
    if let Some(digest) = app.versions.find(id, &record, &status) {
        debug_assert_eq!(digest, self::digest(&body(&record, status.clone())), "{id}");
        let tag = tag_of(&digest);
        if is_known(&headers, &tag) {
            return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response());
        }
    }
    let body = body(&record, status.clone());
    let digest = digest(&body);
    app.versions.keep(id, &record, status, digest);
    let tag = tag_of(&digest);
    let mut response = if is_known(&headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, "application/json")], Body::from(body)).into_response()
    };
    response.headers_mut().insert(header::ETAG, tag);
    Ok(response)
}

fn body(record: &Record, status: PaymentStatus) -> Vec<u8> {
    let payment = render::payment_in(record, status);
    serde_json::to_vec(&payment).expect("a payment of texts and numbers is JSON")
}

/// A strong tag: the digest of the very bytes.
pub(super) fn entity_tag(body: &[u8]) -> HeaderValue {
    tag_of(&digest(body))
}

fn digest(body: &[u8]) -> Digest {
    Sha256::digest(body).first_chunk().copied().expect("SHA-256 has 32 bytes")
}

fn tag_of(digest: &Digest) -> HeaderValue {
    let text = format!("\"{}\"", URL_SAFE_NO_PAD.encode(digest));
    HeaderValue::try_from(text).expect("base64url in quotes is a header value")
}

/// `If-None-Match`, by weak comparison (RFC 9110, section 13.1.2).
pub(super) fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let lines = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known).as_bytes() == tag.as_bytes())
}
