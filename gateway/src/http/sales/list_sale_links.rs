//! `GET /api/v1/sale-links` and `GET /api/v1/sale-links/{linkId}`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_wire::sale_links::{ListSaleLinks, SaleLink};
use checkout_wire::texts::SaleLinkId;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::http::Shared;
use crate::http::auth::{Bearer, ReadPayments};
use crate::http::list::ListRequest;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::http::requests::id;
use crate::render::sale_link::sale_link;

pub(in crate::http) fn list_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "A page of the sale links of a business with their state as it is now, newest first unless `descending` is false. The \
                 cursors `after` and `before` are ids of links, exclusive, and stay valid while links are added.";
    operation
        .id("listSaleLinks")
        .tag(tag::SALES)
        .summary("List sale links")
        .description(about)
        .answers::<Vec<SaleLink>>(200, "The links.")
}

pub(in crate::http) fn get_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getSaleLink")
        .tag(tag::SALES)
        .summary("Get a sale link")
        .description(
            "The link as it is now. `GET /api/v1/payments?metadata=saleLink:{linkId}` lists its payments.",
        )
        .answers::<SaleLink>(200, "The link.")
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct LinkPath {
    /// Identifier of the link.
    #[schemars(with = "SaleLinkId")]
    link_id: String,
}

/// The id in the path.
pub(in crate::http) fn read(path: Result<Path<LinkPath>, PathRejection>) -> Result<Uuid, Refusal> {
    path.ok().and_then(|Path(path)| id::parse(&path.link_id)).ok_or_else(Refusal::no_sale_link)
}

pub(in crate::http) async fn list(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadPayments>,
    Parameters(fields, _): Parameters<ListSaleLinks>,
) -> Result<Json<Vec<SaleLink>>, Refusal> {
    let now = app.clock.now();
    let is_entry = async |business, id| {
        Ok(app.store.sale_link(id, now).await?.is_some_and(|(link, _)| link.business == business))
    };
    let no_filter = |_: &mut Fields| ();
    let request = ListRequest::read(&app, caller, fields, no_filter, "a sale link", is_entry).await?;
    let found = app.store.sale_links(request.business, &request.page, now).await?;
    Ok(Json(found.iter().map(|link| sale_link(link, &app.public_url, now)).collect()))
}

pub(in crate::http) async fn get(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadPayments>,
    path: Result<Path<LinkPath>, PathRejection>,
) -> Result<Json<SaleLink>, Refusal> {
    let now = app.clock.now();
    let found = app.store.sale_link(read(path)?, now).await?;
    let found = found.filter(|(link, _)| caller.acts_for(link.business)).ok_or_else(Refusal::no_sale_link)?;
    Ok(Json(sale_link(&found, &app.public_url, now)))
}
