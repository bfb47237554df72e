//! Decisions about a held deposit over HTTP.

use checkout_domain::chain::screening::{Decision, Screening};
use checkout_domain::ports::payments::ListedDeposit as Listed;
use checkout_wire::list_deposits::ListedDeposit;
use uuid::Uuid;

use crate::render::deposit::listed;
use crate::service::App;
use crate::service::refused::Refused;
use crate::service::transfers::screen_deposits;

/// Stores the decision, which a worker carries out. The same decision again changes nothing.
pub async fn decide(app: &App, id: Uuid, decision: Decision) -> Result<ListedDeposit, Refused> {
    let decided = screen_deposits::decide(app.store.as_ref(), id, decision).await?;
    let found = find(app, id).await?.ok_or(Refused::NoDeposit)?;
    if let Some(refusal) = decided.refusal()
        && !is_decided(found.deposit.screening, decision)
    {
        return Err(Refused::DepositState(refusal));
    }
    tracing::info!(deposit = %id, ?decision, "decided");
    Ok(listed(&found))
}

fn is_decided(screening: Screening, decision: Decision) -> bool {
    match decision {
        Decision::Release => matches!(screening, Screening::Releasing | Screening::Released),
        Decision::Refuse => matches!(screening, Screening::Refusing | Screening::Refused),
    }
}

async fn find(app: &App, id: Uuid) -> Result<Option<Listed>, Refused> {
    let Some(payment) = app.store.payment_of_deposit(id).await? else { return Ok(None) };
    let Some(record) = app.store.payment(payment).await? else { return Ok(None) };
    let (client_payment_id, fiat) = (record.payment.client_payment_id, record.payment.display_currency);
    let found = record.deposits.into_iter().find(|deposit| deposit.id == id);
    Ok(found.map(|deposit| Listed { deposit, payment, client_payment_id, fiat }))
}
