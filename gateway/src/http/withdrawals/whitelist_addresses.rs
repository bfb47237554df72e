//! `GET /whitelist-addresses` and `POST /whitelist-addresses`: without a version in the path, as in the
//! interface.

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use checkout_domain::chain::environment::Environments;
use checkout_domain::withdrawal::whitelist::WhitelistFilter;
use checkout_wire::MAX_LABEL;
use checkout_wire::whitelist_address::{ListAddresses, WhitelistAddress, WhitelistedAddress};

use crate::http::Shared;
use crate::http::auth::{Bearer, ReadWithdrawals, Withdraw};
use crate::http::body::Body;
use crate::http::list::ListRequest;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::http::refused::created;
use crate::http::requests::client_id::client_id;
use crate::http::requests::fields::Fields;
use crate::http::requests::{page, recipient};
use crate::http::resolve_business;
use crate::render::whitelist_address::whitelist_address;
use crate::service::payouts::whitelist::{self, NewEntry};

pub(in crate::http) fn list_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "A page of the addresses of a business. The cursors `after` and `before` are ids of addresses, exclusive, and stay valid \
                 while addresses are added.";
    operation
        .id("listWhitelistedAddresses")
        .tag(tag::WHITELIST)
        .summary("List whitelisted addresses")
        .description(about)
        .answers::<Vec<WhitelistedAddress>>(200, "The addresses.")
}

pub(in crate::http) fn add_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Adds an address. `clientAddressId` makes the request idempotent: the same request returns the stored answer with status \
                 200; a different request with the same id returns 409.";
    operation
        .id("whitelistAddress")
        .tag(tag::WHITELIST)
        .summary("Whitelist an address")
        .description(about)
        .answers::<WhitelistedAddress>(201, "The address, in its normal form.")
        .answers::<WhitelistedAddress>(200, "The stored answer to an earlier, identical request.")
        .refuses(400, &["own_address"])
        .refuses(409, &["client_address_id_taken"])
        .refuses(503, &["outcome_unknown"])
}

pub(in crate::http) async fn list(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadWithdrawals>,
    Parameters(fields, _): Parameters<ListAddresses>,
) -> Result<Json<Vec<WhitelistedAddress>>, Refusal> {
    let filter = |fields: &mut Fields| WhitelistFilter {
        id: page::uuid(fields, "id"),
        client_address_id: fields.text("clientAddressId"),
        currency: fields.currency("currency"),
        label: fields.text("label"),
    };
    let is_entry = |business, id| app.store.is_whitelisted(business, id);
    let request = ListRequest::read(&app, caller, fields, filter, "an address", is_entry).await?;
    let found = app.store.whitelisted(request.business, &request.filter, &request.page).await?;
    Ok(Json(found.iter().map(whitelist_address).collect()))
}

pub(in crate::http) async fn add(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<Withdraw>,
    Body(fields, _): Body<WhitelistAddress>,
) -> Result<Response, Refusal> {
    let read = |fields: &mut Fields| read(fields, &app.policy.environments);
    let (business, request) = resolve_business::read(&app, caller, fields, read).await?;
    Ok(created(whitelist::add(&app, &business, request).await?))
}

/// Reads the body. Interface section 4.5.
fn read(fields: &mut Fields, environments: &Environments) -> Option<NewEntry> {
    let client_address_id = client_id(fields, "clientAddressId");
    fields.require("currency");
    let currency = fields.currency("currency");
    fields.require("network");
    let pair = recipient::read_pair(fields, currency, None);
    let recipient = recipient::read(fields, "address", pair, false, environments);
    let label = fields.text("label");
    if label.as_ref().is_some_and(|label| label.chars().count() > MAX_LABEL) {
        fields.error("label", "too_long", format!("must have at most {MAX_LABEL} characters"));
    }
    Some(NewEntry { client_address_id: client_address_id?, pair: pair?, recipient: recipient?, label })
}
