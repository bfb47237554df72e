//! `POST /api/v1/sale-links/{linkId}/withdraw`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_wire::sale_links::SaleLink;

use super::list_sale_links::{LinkPath, read};
use crate::http::Shared;
use crate::http::auth::{Bearer, ChangePayments};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::render::sale_link::sale_link;
use crate::service::sales::withdraw_sale_link::withdraw;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("withdrawSaleLink")
        .tag(tag::SALES)
        .summary("Withdraw a sale link")
        .description(
            "It sells nothing more, for good, and its page says so. Payments that were made by it can still be paid. A link that is \
             withdrawn already stays as it is.",
        )
        .answers::<SaleLink>(200, "The link.")
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ChangePayments>,
    path: Result<Path<LinkPath>, PathRejection>,
) -> Result<Json<SaleLink>, Refusal> {
    let now = app.clock.now();
    let found = withdraw(app.store.as_ref(), read(path)?, |business| caller.acts_for(business), now).await?;
    let found = found.ok_or_else(Refusal::no_sale_link)?;
    Ok(Json(sale_link(&found, &app.public_url, now)))
}
