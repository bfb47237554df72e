//! `POST /api/v1/deposits/{depositId}/release` and `…/refuse`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_domain::chain::screening::{Decision, Screening};
use checkout_domain::ports::Stored;
use checkout_domain::ports::payments::ListedDeposit as Listed;
use checkout_wire::list_deposits::ListedDeposit;
use checkout_wire::texts::DepositId;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::http::Shared;
use crate::http::auth::{DecideDeposits, Organisation};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::requests::id;
use crate::render::deposit::listed;
use crate::service::App;
use crate::service::transfers::screen_deposits;

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct DepositPath {
    /// Identifier of the deposit.
    #[schemars(with = "DepositId")]
    deposit_id: String,
}

type DepositInPath = Result<Path<DepositPath>, PathRejection>;

pub(in crate::http) fn release_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Credits a held deposit (`heldFor`) and sends its callback: the same decision as `checkout flagged release`. A refused \
                 one can be released later. It is carried out within seconds; until then the deposit has a `decision`. Again, it changes \
                 nothing.";
    operation
        .id("releaseDeposit")
        .tag(tag::PAYMENTS)
        .summary("Release a held deposit")
        .description(about)
        .answers::<ListedDeposit>(200, "The deposit.")
        .refuses(409, &["deposit_state"])
}

pub(in crate::http) async fn release(
    State(app): State<Shared>,
    _: Organisation<DecideDeposits>,
    path: DepositInPath,
) -> Result<Json<ListedDeposit>, Refusal> {
    decide(&app, path, Decision::Release).await
}

pub(in crate::http) fn refuse_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Removes a held deposit (`heldFor`) from its payment and keeps it: the same decision as `checkout flagged refuse`. It is \
                 not sent back. A deposit that was released cannot be refused any more (`deposit_state`): its callback was sent.";
    operation
        .id("refuseDeposit")
        .tag(tag::PAYMENTS)
        .summary("Refuse a held deposit")
        .description(about)
        .answers::<ListedDeposit>(200, "The deposit.")
        .refuses(409, &["deposit_state"])
}

pub(in crate::http) async fn refuse(
    State(app): State<Shared>,
    _: Organisation<DecideDeposits>,
    path: DepositInPath,
) -> Result<Json<ListedDeposit>, Refusal> {
    decide(&app, path, Decision::Refuse).await
}

/// Stores the decision, which a worker carries out. The same decision again changes nothing.
async fn decide(app: &App, path: DepositInPath, decision: Decision) -> Result<Json<ListedDeposit>, Refusal> {
    let missing = || Refusal::not_found("The deposit does not exist.");
    let id = path.ok().and_then(|Path(path)| id::parse(&path.deposit_id)).ok_or_else(missing)?;
    let decided = screen_deposits::decide(app.store.as_ref(), id, decision).await?;
    let found = find(app, id).await?.ok_or_else(missing)?;
    if let Some(refusal) = decided.refusal()
        && !is_decided(found.deposit.screening, decision)
    {
        return Err(Refusal::conflict("deposit_state", "The deposit is in another state", &refusal));
    }
    tracing::info!(deposit = %id, ?decision, "decided");
    Ok(Json(listed(&found)))
}

fn is_decided(screening: Screening, decision: Decision) -> bool {
    match decision {
        Decision::Release => matches!(screening, Screening::Releasing | Screening::Released),
        Decision::Refuse => matches!(screening, Screening::Refusing | Screening::Refused),
    }
}

async fn find(app: &App, id: Uuid) -> Stored<Option<Listed>> {
    let Some(payment) = app.store.payment_of_deposit(id).await? else { return Ok(None) };
    let Some(record) = app.store.payment(payment).await? else { return Ok(None) };
    let refund = record.refund(id).cloned();
    let (client_payment_id, fiat) = (record.payment.client_payment_id, record.payment.display_currency);
    let found = record.deposits.into_iter().find(|deposit| deposit.id == id);
    Ok(found.map(|deposit| Listed { deposit, refund, payment, client_payment_id, fiat }))
}
