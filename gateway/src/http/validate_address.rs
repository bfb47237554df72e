//! `GET /api/v1/currency/{currency}/network/{network}/address/{address}/valid`, the form with
//! `/destinationTag/{tag}` before the end, and the deprecated `POST /api/v1/addresses/validate`.
//! Interface sections 4.9 to 4.11.

use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;
use checkout_core::wire::validate_address::{AddressValidity, ValidateAddress};

use super::body::Body;
use super::openapi::operation::{Operation, Tag};
use super::problem::Refusal;
use crate::domain::input::validation_request::ValidationRequest;

const ABOUT: &str = "Whether money of this currency can be sent to this address on this network: checksum, form and network by the chain's own rules. \
A currency that does not travel on the network gives `{\"valid\": false, \"supported\": false}`.";

pub(super) fn operation() -> Operation {
    Operation::new("validateAddress", Tag::Validation, "Validate an address", ABOUT)
        .any_path("withdrawalCurrency", "", "BTC")
        .any_path("network", "Code of the network.", "BTC")
        .any_path("address", "", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")
        .answers::<AddressValidity>(200, "The verdict.")
        .refuses(400, &["unreadable_body"])
}

pub(super) fn tag_operation() -> Operation {
    Operation::new("validateAddressWithTag", Tag::Validation, "Validate an address with its tag", ABOUT)
        .any_path("withdrawalCurrency", "", "XRP")
        .any_path("network", "Code of the network.", "XRP")
        .any_path("address", "", "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY")
        .any_path("destinationTag", "", "12345")
        .answers::<AddressValidity>(200, "The verdict.")
        .refuses(400, &["unreadable_body"])
}

pub(super) fn deprecated_operation() -> Operation {
    let about = "Replaced by `GET …/valid` on 2022-05-09. The same verdict.";
    Operation::new("validateAddressByPost", Tag::Validation, "Validate an address (deprecated)", about)
        .deprecated()
        .takes::<ValidateAddress>()
        .answers::<AddressValidity>(200, "The verdict.")
        .with_header("Deprecation", "Since when, in UNIX seconds behind `@` (RFC 9745).")
        .with_header("Link", "What replaces it.")
}

/// 2022-05-09, the day of the interface's change history (RFC 9745: a date of RFC 9651).
const DEPRECATED_SINCE: (HeaderName, &str) = (HeaderName::from_static("deprecation"), "@1652054400");

const SUCCESSOR: (HeaderName, &str) =
    (header::LINK, "</api/docs#validateAddress>; rel=\"deprecation\"; type=\"text/html\"");

pub(super) async fn without_tag(
    path: Result<Path<(String, String, String)>, PathRejection>,
) -> Result<Json<AddressValidity>, Refusal> {
    let Path((currency, network, address)) = path.map_err(|_| unreadable())?;
    Ok(answer(&currency, &network, &address, None))
}

pub(super) async fn with_tag(
    path: Result<Path<(String, String, String, String)>, PathRejection>,
) -> Result<Json<AddressValidity>, Refusal> {
    let Path((currency, network, address, tag)) = path.map_err(|_| unreadable())?;
    Ok(answer(&currency, &network, &address, Some(&tag)))
}

pub(super) async fn deprecated(Body(mut fields): Body) -> impl IntoResponse {
    let answer = match ValidationRequest::read(&mut fields) {
        Some(asked) => Ok(answer(&asked.currency, &asked.network, &asked.address, asked.tag.as_deref())),
        None => Err(Refusal::invalid(fields.into_faults())),
    };
    ([DEPRECATED_SINCE, SUCCESSOR], answer)
}

fn answer(currency: &str, network: &str, address: &str, tag: Option<&str>) -> Json<AddressValidity> {
    let verdict = checkout_core::validate(currency, network, address, tag);
    Json(AddressValidity { valid: verdict.valid, supported: verdict.supported })
}

fn unreadable() -> Refusal {
    Refusal::unreadable("The path has bytes that are not UTF-8.")
}
