//! `POST /api/v1/businesses/{id}/test-callback`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_wire::manage_businesses::{TestCallback, TestedCallback};

use super::Shared;
use super::auth::{ManageBusinesses, Organisation};
use super::body::Body;
use super::get_business::{BusinessPath, id_of, missing};
use super::openapi::operation::Describe as _;
use super::openapi::tag;
use super::problem::Refusal;
use crate::service::test_callback;

const ABOUT: &str = "Sends the example of an event to the endpoint of a business, signed like every callback, and answers how the endpoint \
answered. Ids of the merchant are `test`, and no payment or withdrawal has the others. The test is not stored and not sent again.";

pub(super) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("testCallback")
        .tag(tag::BUSINESSES)
        .summary("Test an endpoint of a business")
        .description(ABOUT)
        .answers::<TestedCallback>(200, "What was sent, and the endpoint's answer.")
}

pub(super) async fn handle(
    State(app): State<Shared>,
    _: Organisation<ManageBusinesses>,
    path: Result<Path<BusinessPath>, PathRejection>,
    body: Body<TestCallback>,
) -> Result<Json<TestedCallback>, Refusal> {
    let business = app.store.business(id_of(path)?).await?.ok_or_else(missing)?;
    let (listed, url) = body.read(|fields| test_callback::read(fields, &business))?;
    Ok(Json(test_callback::send(&app, &business, listed, &url).await?))
}
