//! `POST /api/v1/businesses/{id}/rotate-token` and `/rotate-secret`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_domain::access::scope::{Scope, Scopes};
use checkout_wire::manage_businesses::{RotateSecret, RotateToken, RotatedSecret, RotatedToken, TokenScope};

use super::get_business::{BusinessPath, id_of, missing};
use crate::http::Shared;
use crate::http::auth::{By, ManageBusinesses, Organisation};
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::service::businesses::credentials;

/// A year: a replaced credential that never ends is none that was replaced.
const MOST_HOURS: u64 = 8_760;

pub(in crate::http) fn token_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Creates a token of a business, which is not shown again. It replaces the tokens with the same scopes, or all if it may do \
                 everything; they stay valid for `overlapHours`.";
    operation
        .id("rotateToken")
        .tag(tag::BUSINESSES)
        .summary("Rotate the token of a business")
        .description(about)
        .answers::<RotatedToken>(200, "The new token.")
        .refuses(503, &["outcome_unknown"])
}

pub(in crate::http) fn secret_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Creates a callback secret of a business, which is not shown again. For `overlapHours`, callbacks carry two signatures: with \
                 the new secret and with the old one.";
    operation
        .id("rotateSecret")
        .tag(tag::BUSINESSES)
        .summary("Rotate the callback secret of a business")
        .description(about)
        .answers::<RotatedSecret>(200, "The new secret.")
        .refuses(503, &["outcome_unknown"])
}

pub(in crate::http) async fn token(
    State(app): State<Shared>,
    _: Organisation<ManageBusinesses>,
    By(by): By,
    path: Result<Path<BusinessPath>, PathRejection>,
    body: Body<RotateToken>,
) -> Result<Json<RotatedToken>, Refusal> {
    let id = id_of(path)?;
    let (scopes, overlap) = body.read(|fields| {
        let (scopes, overlap) = (scopes(fields), overlap(fields, 0));
        Some((scopes?, overlap))
    })?;
    let (store, now, random) = (app.store.as_ref(), app.clock.now(), app.random.as_ref());
    let token = credentials::rotate_token(store, id, scopes, now, overlap, random, Some(&by)).await?;
    Ok(Json(RotatedToken { token: token.ok_or_else(missing)?.into() }))
}

pub(in crate::http) async fn secret(
    State(app): State<Shared>,
    _: Organisation<ManageBusinesses>,
    path: Result<Path<BusinessPath>, PathRejection>,
    body: Body<RotateSecret>,
) -> Result<Json<RotatedSecret>, Refusal> {
    let id = id_of(path)?;
    let overlap = body.read(|fields| Some(overlap(fields, 24)))?;
    let (store, now) = (app.store.as_ref(), app.clock.now());
    let secret = credentials::rotate_secret(store, id, now, overlap, app.random.as_ref()).await?;
    Ok(Json(RotatedSecret { callback_secret: secret.ok_or_else(missing)?.into() }))
}

fn scopes(fields: &mut Fields) -> Option<Scopes> {
    let words = fields.texts("scopes").unwrap_or_default();
    let scopes: Result<Vec<Scope>, _> = words.iter().map(|word| word.parse()).collect();
    let detail = || ("unknown_value", format!("must be some of {}", TokenScope::KNOWN.join(", ")));
    fields.accept("scopes", scopes.map_err(|_| detail())).map(|scopes| Scopes::of(&scopes))
}

/// Seconds for which what is replaced stays valid.
fn overlap(fields: &mut Fields, usual: u64) -> u64 {
    fields.integer("overlapHours", 0, MOST_HOURS).unwrap_or(usual) * 3_600
}
