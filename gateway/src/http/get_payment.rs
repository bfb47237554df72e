//! `GET /api/v1/payments/{paymentId}`

use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::Shared;
use super::auth::{self, Bearer};
use super::openapi::operation::{ANYONE_WITH_A_TOKEN, Operation, Tag};
use super::problem::Refusal;
use crate::domain::access::token::Caller;
use crate::domain::input::id;
use crate::domain::payment::{Version, render};
use crate::service::read_payment;

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

/// The caller, who may see the payment in the path, and the payment's version.
pub(super) struct Visible {
    pub(super) caller: Caller,
    pub(super) id: Uuid,
    version: Version,
}

impl FromRequestParts<Shared> for Visible {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let path: Result<Path<String>, _> = Path::from_request_parts(parts, app).await;
        // An invalid token is 401 before an unknown payment is 404.
        let Some(id) = path.ok().and_then(|Path(text)| id::parse(&text)) else {
            let Bearer(_) = Bearer::from_request_parts(parts, app).await?;
            return Err(Refusal::no_payment());
        };
        let found = read_payment::find(app, auth::token(parts)?, id).await?;
        let (caller, version) = found.ok_or_else(Refusal::bad_token)?;
        Ok(Self { caller, id, version: version.ok_or_else(Refusal::no_payment)? })
    }
}

pub(super) async fn handle(
    State(app): State<Shared>,
    Visible { id, version, .. }: Visible,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let now = app.clock.now();
    let tag = version_tag(version.number, version.window_end, now);
    if is_known(&headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response());
    }
    let record = app.store.payment(id).await?.ok_or_else(Refusal::no_payment)?;
    let tag = version_tag(record.version, record.payment.window_end(), now);
    Ok(([(header::ETAG, tag)], Json(render::payment(&record, now))).into_response())
}

/// A strong tag. What a payment shows follows from its version and from whether its window is over.
fn version_tag(version: u64, window_end: Option<u64>, now: u64) -> HeaderValue {
    let window = if window_end.is_some_and(|end| now >= end) { "over" } else { "open" };
    HeaderValue::try_from(format!("\"{version}-{window}\"")).expect("digits and letters are a header value")
}

/// A strong tag: the digest of the very bytes.
pub(super) fn entity_tag(body: &[u8]) -> HeaderValue {
    let text = format!("\"{}\"", URL_SAFE_NO_PAD.encode(&Sha256::digest(body)[..18]));
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
