//! `GET /api/v1/currency/{currency}/network/{network}/address/{address}/valid`, and with
//! `/destinationTag/{tag}` before the end. Interface sections 4.9 and 4.10.

use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use checkout_core::wire::validate_address::AddressValidity;

use super::problem::Refusal;

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

fn answer(currency: &str, network: &str, address: &str, tag: Option<&str>) -> Json<AddressValidity> {
    let verdict = checkout_core::validate(currency, network, address, tag);
    Json(AddressValidity { valid: verdict.valid, supported: verdict.supported })
}

fn unreadable() -> Refusal {
    Refusal::unreadable("The path has bytes that are not UTF-8.")
}
