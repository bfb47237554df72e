//! `GET /whitelist-addresses` and `POST /whitelist-addresses`: without a version in the path, as the interface has them.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use checkout_core::wire::whitelist_address::WhitelistedAddress;

use super::Shared;
use super::auth::Bearer;
use super::body::Body;
use super::openapi::operation::{MERCHANT, Operation, Tag};
use super::problem::Refusal;
use super::refused::created;
use crate::domain::input::fields::Fields;
use crate::service::whitelist;
use checkout_core::wire::whitelist_address::WhitelistAddress;
use serde_json::{Value, json};

pub(super) fn list_operation() -> Operation {
    let about = "The addresses of a business, the newest first unless asked otherwise, a page at a time. Cursors are ids of addresses, exclusive, and \
                 stay right while addresses are added.";
    let any = json!({"minLength": null, "maxLength": null, "pattern": null});
    Operation::new("listWhitelistedAddresses", Tag::Whitelist, "List whitelisted addresses", about)
        .needs(MERCHANT)
        .query("businessId", json!({}), "", Value::Null)
        .query("id", json!({}), "Only the address with this id.", Value::Null)
        .query(
            "clientAddressId",
            any.clone(),
            "Only the address with this id of the merchant's own.",
            Value::Null,
        )
        .query("currency", json!({}), "Only addresses of this currency.", "BTC")
        .query("label", any, "Only addresses with this label.", Value::Null)
        .query("after", json!({}), "", Value::Null)
        .query("before", json!({}), "", Value::Null)
        .query("descending", json!({"type": "boolean", "default": true}), "", true)
        .query("limit", json!({"type": "integer", "minimum": 1, "maximum": 100, "default": 25}), "", 25)
        .answers::<Vec<WhitelistedAddress>>(200, "The page.")
        .refuses(422, &["validation_failed"])
}

pub(super) fn add_operation() -> Operation {
    let about = "Keeps an address. `clientAddressId` makes it idempotent: the same request again gets the stored answer with status 200, and \
                 another one under the same id 409.";
    Operation::new("whitelistAddress", Tag::Whitelist, "Whitelist an address", about)
        .needs(MERCHANT)
        .takes::<WhitelistAddress>()
        .answers::<WhitelistedAddress>(201, "The address, in its normal form.")
        .answers::<WhitelistedAddress>(200, "The same request was answered before.")
        .refuses(409, &["client_address_id_taken"])
}

pub(super) async fn list(
    State(app): State<Shared>,
    Bearer(caller): Bearer,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Json<Vec<WhitelistedAddress>>, Refusal> {
    let Query(query) = query.map_err(|_| Refusal::unreadable("The query cannot be read."))?;
    Ok(Json(whitelist::list(&app, caller, Fields::of_texts(query)).await?))
}

pub(super) async fn add(
    State(app): State<Shared>,
    Bearer(caller): Bearer,
    Body(fields): Body,
) -> Result<Response, Refusal> {
    Ok(created(whitelist::add(&app, caller, fields).await?))
}
