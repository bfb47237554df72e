//! `POST /api/v1/businesses`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use checkout_domain::ids::BusinessId;
use checkout_wire::manage_businesses::{CreateBusiness, CreatedBusiness};

use crate::http::Shared;
use crate::http::auth::{By, ManageBusinesses, Organisation};
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::requests::business::{BusinessChanges, read_new};
use crate::render::business::managed;
use crate::service::businesses::create_business::create;

const ABOUT: &str = "Creates a business. The answer has its token and its callback secret, which are not shown again. The request is not \
idempotent: after an answer that was lost, list the businesses.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("createBusiness")
        .tag(tag::BUSINESSES)
        .summary("Create a business")
        .description(ABOUT)
        .answers::<CreatedBusiness>(201, "The business with its credentials.")
        .refuses(503, &["outcome_unknown"])
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    _: Organisation<ManageBusinesses>,
    By(by): By,
    body: Body<CreateBusiness>,
) -> Result<Response, Refusal> {
    let targets = (app.webhooks.as_ref(), app.policy.sandbox);
    let BusinessChanges { settings, rules } = body.read(|fields| read_new(fields, targets))?;
    let (store, random) = (app.store.as_ref(), app.random.as_ref());
    let (id, now) = (BusinessId(app.new_id()), app.clock.now());
    let (business, rules, token) = create(store, settings, rules, id, now, random, Some(&by)).await?;
    let created = CreatedBusiness {
        business: managed(&business, &rules),
        token: token.into(),
        callback_secret: business.callback_secret.into(),
    };
    Ok((StatusCode::CREATED, Json(created)).into_response())
}
