//! `Authorization: Bearer …`, taken before anything else of the request is read.

use aide::OperationInput;
use aide::generate::GenContext;
use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;

use super::Shared;
use super::openapi::operation::needs;
use super::openapi::{BUSINESS, ORGANISATION};
use super::problem::Refusal;
use crate::domain::access::token::Caller;
use crate::service::authenticate;

/// No token of ours is longer.
const LONGEST: usize = 256;

/// The one who calls.
pub(super) struct Bearer(pub(super) Caller);

impl FromRequestParts<Shared> for Bearer {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let caller = authenticate::caller(app, token(parts)?).await?;
        caller.map(Self).ok_or_else(Refusal::bad_token)
    }
}

impl OperationInput for Bearer {
    fn operation_input(_: &mut GenContext, operation: &mut aide::openapi::Operation) {
        needs(operation, &[BUSINESS, ORGANISATION]);
    }
}

/// The token that a request carries.
pub(super) fn token(parts: &Parts) -> Result<&str, Refusal> {
    let line = parts.headers.get(header::AUTHORIZATION).ok_or_else(Refusal::no_token)?;
    line.to_str().ok().and_then(bearer_token).ok_or_else(Refusal::bad_token)
}

/// The token of `Bearer <token>`; the scheme's name has no case (RFC 9110, section 11.1).
pub(super) fn bearer_token(line: &str) -> Option<&str> {
    let (scheme, token) = line.split_once(' ')?;
    let token = token.trim();
    let fits = scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() && token.len() <= LONGEST;
    fits.then_some(token)
}
