//! `Authorization: Bearer …` and the scope of the token, checked before the rest of the request is read. A route names
//! its use of the token in the type of its argument.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use aide::OperationInput;
use aide::generate::GenContext;
use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use checkout_domain::access::actor::Actor;
use checkout_domain::access::scope::Scope;
use checkout_domain::access::token::Caller;
use checkout_domain::ports::credentials::Known;

use super::Shared;
use super::openapi::operation::needs;
use super::openapi::{BUSINESS, ORGANISATION};
use super::problem::Refusal;
use crate::service::access::authenticate;

/// The maximum length of a token.
const LONGEST: usize = 256;

/// The use of a token on a route, which one of these scopes allows.
pub(super) trait Use {
    const SCOPES: &'static [Scope];
}

macro_rules! uses {
    ($($(#[$doc:meta])* $name:ident $(: $($scope:ident),+)?;)+) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl Use for $name {
            const SCOPES: &'static [Scope] = &[$($(Scope::$scope),+)?];
        }
    )+};
}

uses! {
    ChangePayments: Payments;
    ReadPayments: Payments, Read;
    /// The settings of the own business, with every token.
    ReadBusiness: Payments, Withdrawals, Read;
    /// All businesses. With an organisation key.
    ReadBusinesses: Read;
    /// Settings and credentials, which allow everything else: only a key without scopes may change them.
    ManageBusinesses;
    /// Held deposits: only a key without scopes may clear a payer.
    DecideDeposits;
    /// Withdrawals and refunds, and the addresses that they may go to.
    Withdraw: Withdrawals;
    ReadWithdrawals: Withdrawals, Read;
    /// A payment shows its refunds, too.
    ReadRefunds: Payments, Withdrawals, Read;
    /// Callbacks tell of payments and of withdrawals.
    ReadCallbacks: Read;
    /// The same bytes to the same endpoint as before.
    ResendCallbacks: Payments, Withdrawals;
}

/// The rights of a request of another part of the gateway, instead of a token, and whose request it is. Requests from outside have
/// none: extensions are not sent.
#[derive(Clone, Debug)]
pub(super) struct Authority(pub(super) Known, pub(super) Actor);

pub(super) fn authority(parts: &Parts) -> Option<Known> {
    parts.extensions.get::<Authority>().map(|authority| authority.0)
}

/// The owner of the token, which has a scope for this use.
pub(super) struct Bearer<U>(pub(super) Caller, pub(super) PhantomData<U>);

impl<U: Use> FromRequestParts<Shared> for Bearer<U> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        Ok(Self(allowed::<U>(known(parts, app).await?)?, PhantomData))
    }
}

/// Whom the request is of.
pub(super) async fn known(parts: &Parts, app: &Shared) -> Result<Known, Refusal> {
    if let Some(known) = authority(parts) {
        return Ok(known);
    }
    let known = authenticate::caller(app, token(parts)?).await?;
    let known = known.ok_or_else(Refusal::bad_token)?;
    note_verified(parts);
    Ok(known)
}

/// The caller, if a scope of the token allows this use.
pub(super) fn allowed<U: Use>(known: Known) -> Result<Caller, Refusal> {
    if known.scopes.allow(U::SCOPES) { Ok(known.caller) } else { Err(Refusal::scope(U::SCOPES)) }
}

/// The credential or operator of a request, beside [`Bearer`] or [`Organisation`], which check it.
pub(super) struct By(pub(super) Actor);

impl FromRequestParts<Shared> for By {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Self, Refusal> {
        let authority = parts.extensions.get::<Authority>();
        Ok(Self(authority.map_or_else(|| token(parts).map(Actor::of_token), |found| Ok(found.1.clone()))?))
    }
}

impl OperationInput for By {}

/// The owner of an organisation key, which has a scope for this use. Others get 404, as for every path that is not theirs.
pub(super) struct Organisation<U>(pub(super) PhantomData<U>);

impl<U: Use> FromRequestParts<Shared> for Organisation<U> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let known = known(parts, app).await?;
        if known.caller != Caller::Organisation {
            return Err(Refusal::no_route());
        }
        allowed::<U>(known).map(|_| Self(PhantomData))
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

impl<U: Use> OperationInput for Bearer<U> {
    fn operation_input(_: &mut GenContext, operation: &mut aide::openapi::Operation) {
        needs(operation, &[BUSINESS, ORGANISATION], U::SCOPES);
    }
}

impl<U: Use> OperationInput for Organisation<U> {
    fn operation_input(_: &mut GenContext, operation: &mut aide::openapi::Operation) {
        needs(operation, &[ORGANISATION], U::SCOPES);
    }
}

/// The token of a request.
pub(super) fn token(parts: &Parts) -> Result<&str, Refusal> {
    let line = parts.headers.get(header::AUTHORIZATION).ok_or_else(Refusal::no_token)?;
    let line = line.to_str().map_err(|_| Refusal::bad_token())?;
    if !line.split(' ').next().is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME)) {
        return Err(Refusal::no_scheme());
    }
    bearer_token(line).ok_or_else(Refusal::bad_token)
}

const SCHEME: &str = "bearer";

/// The token of `Bearer <token>`; the scheme's name has no case (RFC 9110, section 11.1).
pub(super) fn bearer_token(line: &str) -> Option<&str> {
    let (scheme, token) = line.split_once(' ')?;
    let token = token.trim();
    let fits = scheme.eq_ignore_ascii_case(SCHEME) && !token.is_empty() && token.len() <= LONGEST;
    fits.then_some(token)
}
