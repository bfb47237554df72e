//! `GET /api/v1/payments/{paymentId}`

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checkout_core::wire::PaymentStatus;
use sha2::{Digest as _, Sha256};

use super::Shared;
use super::auth::{self, Bearer};
use super::openapi::operation::{ANYONE_WITH_A_TOKEN, Operation, Tag};
use super::problem::Refusal;
use crate::domain::access::token::Caller;
use crate::domain::input::id;
use crate::domain::payment::Record;
use crate::domain::payment::render;
use crate::domain::payment::status;
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

/// The payment in the path, and the caller, who may see it.
pub(super) struct Found {
    pub(super) caller: Caller,
    pub(super) record: Arc<Record>,
}

impl FromRequestParts<Shared> for Found {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let path: Result<Path<String>, _> = Path::from_request_parts(parts, app).await;
        // What is no UUID is no payment; and who may not ask is told nothing of it.
        let Some(id) = path.ok().and_then(|Path(text)| id::parse(&text)) else {
            let Bearer(_) = Bearer::from_request_parts(parts, app).await?;
            return Err(Refusal::no_payment());
        };
        let found = read_payment::find(app, auth::token(parts)?, id).await?;
        let (caller, record) = found.ok_or_else(Refusal::bad_token)?;
        Ok(Self { caller, record: record.ok_or_else(Refusal::no_payment)? })
    }
}

pub(super) async fn handle(
    State(app): State<Shared>,
    Found { record, .. }: Found,
    headers: HeaderMap,
) -> Response {
    let id = record.payment.id;
    let status = status::status_at(&record, app.clock.now());
    if let Some(digest) = app.versions.find(id, &record, &status) {
        debug_assert_eq!(digest, self::digest(&body(&record, status.clone())), "{id}");
        let tag = tag_of(&digest);
        if is_known(&headers, &tag) {
            return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
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
    response
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
