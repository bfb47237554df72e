//! `Authorization: Bearer …`, checked before the rest of the request is read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// The maximum length of a token.
const LONGEST: usize = 256;

/// The owner of the token.
pub(super) struct Bearer(pub(super) Caller);

impl FromRequestParts<Shared> for Bearer {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let caller = authenticate::caller(app, token(parts)?).await?;
        let caller = caller.ok_or_else(Refusal::bad_token)?;
        note_verified(parts);
        Ok(Self(caller))
    }
}

/// Reports a verified token to the rate limit.
#[derive(Clone, Debug, Default)]
pub(super) struct Verified(Arc<AtomicBool>);

impl Verified {
    pub(super) fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

pub(super) fn note_verified(parts: &Parts) {
    if let Some(verified) = parts.extensions.get::<Verified>() {
        verified.note();
    }
}

impl OperationInput for Bearer {
    fn operation_input(_: &mut GenContext, operation: &mut aide::openapi::Operation) {
        needs(operation, &[BUSINESS, ORGANISATION]);
    }
}

/// The token of a request.
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
