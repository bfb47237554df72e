//! `GET /api/v1/currency/{currency}/network/{network}/address/{address}/valid`, the form with
//! `/destinationTag/{tag}` before the end, and the deprecated `POST /api/v1/addresses/validate`.
//! Interface sections 4.9 to 4.11.

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse as _, Response};
use checkout_wire::texts::NonEmpty;
use checkout_wire::validate_address::{AddressValidity, ValidateAddress};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::http::Shared;
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::service::App;
use crate::texts;

const ABOUT: &str = "Checks whether the currency can be sent to the address: checksum, format and network, by the rules of the chain. \
If the currency does not exist on the network the answer is `{\"valid\": false, \"supported\": false}`.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("validateAddress")
        .tag(tag::VALIDATION)
        .summary("Validate an address")
        .description(ABOUT)
        .refuses(400, &["unreadable_body"])
}

pub(in crate::http) fn tag_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("validateAddressWithTag")
        .tag(tag::VALIDATION)
        .summary("Validate an address with its tag")
        .description(ABOUT)
        .refuses(400, &["unreadable_body"])
}

pub(in crate::http) fn deprecated_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Replaced by `GET …/valid` on 2022-05-09, with the same result.";
    operation
        .id("validateAddressByPost")
        .tag(tag::VALIDATION)
        .summary("Validate an address (deprecated)")
        .description(about)
        .deprecated_operation()
        .answers::<AddressValidity>(200, "The result.")
        .answers_header(
            200,
            "Deprecation",
            "`@` and the UNIX seconds since when it is deprecated (RFC 9745).",
        )
        .answers_header(200, "Link", "The replacement.")
}

/// 2022-05-09, the day of the interface's change history (RFC 9745: a date of RFC 9651).
const DEPRECATED_SINCE: (HeaderName, &str) = (HeaderName::from_static("deprecation"), "@1652054400");

const SUCCESSOR: (HeaderName, &str) = (
    header::LINK,
    "</docs/reference/address-validation.html#validateAddress>; rel=\"deprecation\"; type=\"text/html\"",
);

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct AddressPath {
    /// Code of the cryptocurrency. An unknown code returns `supported: false`.
    #[schemars(with = "NonEmpty", example = &"BTC")]
    withdrawal_currency: String,
    /// Code of the network.
    #[schemars(with = "NonEmpty", example = &"BTC")]
    network: String,
    /// Address on the network.
    #[schemars(with = "NonEmpty", example = &"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")]
    address: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct TaggedAddressPath {
    /// Code of the cryptocurrency. An unknown code returns `supported: false`.
    #[schemars(with = "NonEmpty", example = &"XRP")]
    withdrawal_currency: String,
    /// Code of the network.
    #[schemars(with = "NonEmpty", example = &"XRP")]
    network: String,
    /// Address on the network.
    #[schemars(with = "NonEmpty", example = &"rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY")]
    address: String,
    /// Destination tag (XRP) or memo (XLM).
    #[schemars(with = "NonEmpty", example = &"12345")]
    destination_tag: String,
}

pub(in crate::http) async fn without_tag(
    State(app): State<Shared>,
    path: Result<Path<AddressPath>, PathRejection>,
) -> Result<Json<AddressValidity>, Refusal> {
    let Path(path) = path.map_err(|_| unreadable())?;
    Ok(answer(&app, &path.withdrawal_currency, &path.network, &path.address, None))
}

pub(in crate::http) async fn with_tag(
    State(app): State<Shared>,
    path: Result<Path<TaggedAddressPath>, PathRejection>,
) -> Result<Json<AddressValidity>, Refusal> {
    let Path(path) = path.map_err(|_| unreadable())?;
    Ok(answer(&app, &path.withdrawal_currency, &path.network, &path.address, Some(&path.destination_tag)))
}

pub(in crate::http) async fn deprecated(State(app): State<Shared>, body: Body<ValidateAddress>) -> Response {
    let answer = body.read(|fields| {
        let texts = ["currency", "network", "address"].map(|name| fields.required_any_text(name));
        let tag = fields.any_decimal_text("destinationTag");
        let [currency, network, address] = texts;
        Some(answer(&app, &currency?, &network?, &address?, tag.as_deref()))
    });
    ([DEPRECATED_SINCE, SUCCESSOR], answer).into_response()
}

fn answer(
    app: &App,
    currency: &str,
    network: &str,
    address: &str,
    tag: Option<&str>,
) -> Json<AddressValidity> {
    if network.parse().is_ok_and(|network| !app.opt_ins().has(network)) {
        return Json(AddressValidity { valid: false, supported: false });
    }
    let verdict = app.policy.environments.validate(currency, network, address, tag);
    // No request accepts another memo either.
    let readable = tag.is_none_or(|tag| texts::check(tag).is_ok());
    Json(AddressValidity { valid: verdict.valid && readable, supported: verdict.supported })
}

fn unreadable() -> Refusal {
    Refusal::unreadable("The path has bytes that are not UTF-8.")
}
