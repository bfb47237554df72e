//! `GET /api/v1/businesses`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use checkout_domain::ids::BusinessId;
use checkout_wire::manage_businesses::{ListBusinesses, ManagedBusiness};

use crate::http::Shared;
use crate::http::auth::{Organisation, ReadBusinesses};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::http::requests::page;
use crate::render::business::managed;

const ABOUT: &str = "A page of the businesses of this gateway with all their settings, newest first unless `descending` is false. The cursors \
`after` and `before` are ids of businesses, exclusive.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("listBusinesses")
        .tag(tag::BUSINESSES)
        .summary("List businesses")
        .description(ABOUT)
        .answers::<Vec<ManagedBusiness>>(200, "The businesses.")
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    _: Organisation<ReadBusinesses>,
    Parameters(mut fields, _): Parameters<ListBusinesses>,
) -> Result<Json<Vec<ManagedBusiness>>, Refusal> {
    let page = page::read(&mut fields);
    for (name, cursor) in page.cursors() {
        if app.store.business(BusinessId(cursor)).await?.is_none() {
            fields.error(name, "unknown_cursor", "is not the id of a business");
        }
    }
    fields.valid().map_err(Refusal::invalid)?;
    let mut shown = Vec::new();
    for business in app.store.business_page(&page).await? {
        shown.push(managed(&business, &app.store.rules(business.id, app.clock.now()).await?));
    }
    Ok(Json(shown))
}
