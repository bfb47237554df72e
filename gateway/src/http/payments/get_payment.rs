//! `GET /api/v1/payments/{paymentId}`

use std::marker::PhantomData;

use aide::OperationInput;
use aide::generate::GenContext;
use aide::operation::ParamLocation;
use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use checkout_domain::access::token::Caller;
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::Version;
use checkout_wire::texts;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::http::Shared;
use crate::http::auth::{self, Bearer, ReadPayments, Use};
use crate::http::etag::is_known;
use crate::http::openapi::operation::{Describe as _, needs, takes};
use crate::http::openapi::{BUSINESS, ORGANISATION, SESSION, tag};
use crate::http::problem::Refusal;
use crate::http::requests::id;
use crate::render::payment as render;
use crate::service::payments::read_payment;

const ABOUT: &str =
    "The payment with its deposits and their refunds. To poll it, send the last `ETag` in `If-None-Match`.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getPayment")
        .tag(tag::PAYMENTS)
        .summary("Get a payment")
        .description(ABOUT)
        .takes_headers::<Conditional>()
        .answers::<checkout_wire::Payment>(200, "The payment.")
        .answers_header(200, "ETag", ETAG)
        .answers_nothing(304, "The payment has not changed.")
        .answers_header(304, "ETag", ETAG)
}

pub(in crate::http) const ETAG: &str = "Changes when the payment changes.";

#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "for the document; `is_known` reads the header")]
pub(in crate::http) struct Conditional {
    /// The `ETag` of the last answer.
    #[schemars(rename = "If-None-Match", with = "String", skip_serializing_if = "Option::is_none")]
    if_none_match: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct PaymentPath {
    /// Identifier of the payment.
    #[schemars(with = "texts::PaymentId")]
    pub(in crate::http) payment_id: String,
}

/// The caller, who has access to the payment in the path, and the payment's version.
pub(in crate::http) struct Visible<U> {
    pub(in crate::http) caller: Caller,
    pub(in crate::http) id: PaymentId,
    pub(in crate::http) version: Version,
    pub(in crate::http) allowed: PhantomData<U>,
}

impl<U: Use> OperationInput for Visible<U> {
    fn operation_input(context: &mut GenContext, operation: &mut aide::openapi::Operation) {
        needs(operation, &[BUSINESS, ORGANISATION, SESSION], U::SCOPES);
        takes::<PaymentPath>(context, operation, ParamLocation::Path);
    }
}

impl<U: Use> FromRequestParts<Shared> for Visible<U> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let path: Result<Path<PaymentPath>, _> = Path::from_request_parts(parts, app).await;
        // An invalid token is 401 before an unknown payment is 404.
        let Some(id) = path.ok().and_then(|Path(path)| id::payment(&path.payment_id)) else {
            let Bearer(..) = Bearer::<U>::from_request_parts(parts, app).await?;
            return Err(Refusal::no_payment());
        };
        let found = match auth::authority(parts) {
            Some(known) => Some((known, read_payment::version(app, known.caller, id).await?)),
            None => read_payment::find(app, auth::token(parts)?, id).await?,
        };
        let (known, version) = found.ok_or_else(Refusal::bad_token)?;
        auth::note_verified(parts);
        let caller = auth::allowed::<U>(known)?;
        Ok(Self { caller, id, version: version.ok_or_else(Refusal::no_payment)?, allowed: PhantomData })
    }
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Visible { caller, id, version, .. }: Visible<ReadPayments>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let now = app.clock.now();
    if let Some(unchanged) = unchanged(version, now, &headers) {
        return Ok(unchanged);
    }
    let record = app.store.payment(id).await?.ok_or_else(Refusal::no_payment)?;
    let tag = version_tag(record.version, record.payment.window_end(), now);
    Ok(([(header::ETAG, tag)], Json(render::payment_for(caller, &record, now))).into_response())
}

/// 304 if the caller has this version.
pub(in crate::http) fn unchanged(version: Version, now: u64, headers: &HeaderMap) -> Option<Response> {
    let tag = version_tag(version.number, version.window_end, now);
    is_known(headers, &tag).then(|| (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response())
}

/// A strong tag. A payment's representation depends only on its version and on whether its window is over.
pub(in crate::http) fn version_tag(version: u64, window_end: Option<u64>, now: u64) -> HeaderValue {
    let window = if window_end.is_some_and(|end| now >= end) { "over" } else { "open" };
    HeaderValue::try_from(format!("\"{version}-{window}\"")).expect("digits and letters are a header value")
}
