//! `GET /api/v1/counter`, and the secret of a counter as the token of a request.

use aide::OperationInput;
use aide::generate::GenContext;
use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use checkout_domain::sale::counter::Counter;
use checkout_wire::counters::OwnCounter;

use crate::http::Shared;
use crate::http::auth;
use crate::http::openapi::operation::{Describe as _, needs};
use crate::http::openapi::{COUNTER, tag};
use crate::http::problem::Refusal;
use crate::service::sales::counters::of_secret;

/// The counter whose secret is the token of the request. One that is withdrawn is refused as one that is unknown.
/// The owner of another token gets 404, as for every path that is not theirs.
pub(in crate::http) struct AtCounter(pub(in crate::http) Counter);

impl OperationInput for AtCounter {
    fn operation_input(_: &mut GenContext, operation: &mut aide::openapi::Operation) {
        needs(operation, &[COUNTER], &[]);
    }
}

impl FromRequestParts<Shared> for AtCounter {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let found = of_secret(app.store.as_ref(), auth::token(parts)?).await?;
        let Some(counter) = found else {
            auth::known(parts, app).await?;
            return Err(Refusal::no_route());
        };
        auth::note_verified(parts);
        Ok(Self(counter))
    }
}

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getOwnCounter")
        .tag(tag::COUNTERS)
        .summary("Get the counter of a link")
        .description("What the page of a counter shows before a sale, for the secret in its link.")
        .answers::<OwnCounter>(200, "The counter.")
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    AtCounter(counter): AtCounter,
) -> Result<Json<OwnCounter>, Refusal> {
    let business = app.store.business(counter.business).await?.ok_or_else(Refusal::bad_token)?;
    Ok(Json(OwnCounter {
        counter_id: counter.id.to_string().into(),
        business_name: business.name,
        title: counter.title.clone().into(),
        display_currency: counter.fiat.code().into(),
        decimals: counter.fiat.decimals(),
        max_amount: counter.fiat.text(counter.max).into(),
    }))
}
