//! `PATCH /api/v1/businesses/{id}`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_wire::manage_businesses::{ManagedBusiness, UpdateBusiness};

use super::get_business::{BusinessPath, id_of, missing};
use crate::http::Shared;
use crate::http::auth::{By, ManageBusinesses, Organisation};
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::requests::business::{BusinessChanges, read_changes};
use crate::render::business::managed;
use crate::service::businesses::update_business::update;

const ABOUT: &str = "Changes the settings of a business; what is not given stays. An empty text removes a URL, a limit, the colour or the logo. \
A larger or removed `dailyWithdrawalLimit`, a higher or removed `withdrawalApprovalAbove` and `whitelistOnly` switched off hold after 24 hours, or when another \
credential or operator sets the same; until then the answer has the limit that holds, and setting that again drops the change. \
With `disabled`, the business creates no payments and no withdrawals, and sends nothing that waits (withdrawals, refunds) until it is enabled again; payments that exist go on: their deposits are credited and reported.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("updateBusiness")
        .tag(tag::BUSINESSES)
        .summary("Change or disable a business")
        .description(ABOUT)
        .answers::<ManagedBusiness>(200, "The changed business.")
        .refuses(503, &["outcome_unknown"])
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    _: Organisation<ManageBusinesses>,
    By(by): By,
    path: Result<Path<BusinessPath>, PathRejection>,
    body: Body<UpdateBusiness>,
) -> Result<Json<ManagedBusiness>, Refusal> {
    let id = id_of(path)?;
    let targets = (app.webhooks.as_ref(), app.policy.sandbox);
    let BusinessChanges { settings, rules } = body.read(|fields| read_changes(fields, targets))?;
    let changed = update(app.store.as_ref(), id, settings, rules, (&by, app.clock.now())).await?;
    let (business, rules) = changed.ok_or_else(missing)?;
    Ok(Json(managed(&business, &rules)))
}
