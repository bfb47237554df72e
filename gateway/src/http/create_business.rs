//! `POST /api/v1/businesses`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use checkout_wire::manage_businesses::{CreateBusiness, CreatedBusiness};

use super::Shared;
use super::auth::{ManageBusinesses, Organisation};
use super::body::Body;
use super::openapi::operation::Describe as _;
use super::openapi::tag;
use super::problem::Refusal;
use crate::render::business::managed;
use crate::requests::business::read_new;
use crate::service::manage_businesses;

const ABOUT: &str = "Creates a business. The answer has its token and its callback secret, which are not shown again. The request is not \
idempotent: after an answer that was lost, list the businesses.";

pub(super) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("createBusiness")
        .tag(tag::BUSINESSES)
        .summary("Create a business")
        .description(ABOUT)
        .answers::<CreatedBusiness>(201, "The business with its credentials.")
        .refuses(503, &["outcome_unknown"])
}

pub(super) async fn handle(
    State(app): State<Shared>,
    _: Organisation<ManageBusinesses>,
    body: Body<CreateBusiness>,
) -> Result<Response, Refusal> {
    let changes = body.read(|fields| manage_businesses::read(&app, fields, read_new))?;
    let ((business, rules), token) = manage_businesses::create(&app, changes).await?;
    let created = CreatedBusiness {
        business: managed(&business, &rules),
        token: token.into(),
        callback_secret: business.callback_secret.into(),
    };
    Ok((StatusCode::CREATED, Json(created)).into_response())
}
