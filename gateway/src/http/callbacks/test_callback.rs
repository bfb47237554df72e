//! `POST /api/v1/businesses/{id}/test-callback`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_domain::business::Business;
use checkout_wire::manage_businesses::{TestCallback, TestedCallback};

use crate::events::{self, ListedEvent};
use crate::http::Shared;
use crate::http::auth::{ManageBusinesses, Organisation};
use crate::http::body::Body;
use crate::http::businesses::get_business::{BusinessPath, id_of, missing};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::service::callbacks::test_callback;

const ABOUT: &str = "Sends the example of an event to the endpoint of a business, signed like every callback, and answers how the endpoint \
answered. Ids of the merchant are `test`, and no payment or withdrawal has the others. The test is not stored and not sent again.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("testCallback")
        .tag(tag::BUSINESSES)
        .summary("Test an endpoint of a business")
        .description(ABOUT)
        .answers::<TestedCallback>(200, "What was sent, and the endpoint's answer.")
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    _: Organisation<ManageBusinesses>,
    path: Result<Path<BusinessPath>, PathRejection>,
    body: Body<TestCallback>,
) -> Result<Json<TestedCallback>, Refusal> {
    let business = app.store.business(id_of(path)?).await?.ok_or_else(missing)?;
    let (listed, url) = body.read(|fields| read(fields, &business))?;
    Ok(Json(test_callback::send(&app, &business, listed, &url).await?))
}

/// The event, and where the business wants it. Errors are recorded.
fn read(fields: &mut Fields, business: &Business) -> Option<(&'static ListedEvent, String)> {
    let word = fields.required_text("event")?;
    let Some(listed) = events::named(&word) else {
        fields.error("event", "unknown_value", format!("must be one of {}", events::names()));
        return None;
    };
    let url = events::endpoint(business, &listed.about.kind);
    if url.is_none() {
        fields.error("event", "no_endpoint", "has no URL: the business does not want it");
    }
    Some((listed, url?.to_owned()))
}
