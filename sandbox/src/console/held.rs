//! Flagged deposits and the operator's decisions.

use checkout_domain::chain::screening::Decision;
use checkout_domain::ports::Stored;
use checkout_domain::ports::screening::Flagged;
use checkout_gateway::service::screen_deposits::{self, Decided};
use checkout_simulator::World;
use checkout_simulator::records::What;
use serde::Serialize;
use uuid::Uuid;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlaggedView {
    pub deposit_id: String,
    pub payment_id: String,
    pub client_payment_id: String,
    /// FLAGGED, RELEASING, RELEASED, REFUSING or REFUSED.
    pub screening: &'static str,
    pub currency: &'static str,
    pub network: &'static str,
    pub amount: String,
    pub from_address: String,
    /// Name and category of the owner of the sender's address.
    pub owner: Option<(String, String)>,
    pub seen_at: u64,
    /// The transaction is no longer on its chain.
    pub vanished: bool,
}

/// Lists all deposits that were ever flagged, newest first.
pub async fn list(world: &World, limit: u32) -> Stored<Vec<FlaggedView>> {
    Ok(world.app.store.flagged_deposits(None, None, limit).await?.into_iter().map(view).collect())
}

/// Does the same as `checkout flagged release` and `checkout flagged refuse`, and applies the decision before
/// it returns.
pub async fn decide(world: &World, deposit: Uuid, decision: Decision) -> Stored<Decided> {
    let decided = screen_deposits::decide(world.app.store.as_ref(), deposit, decision).await?;
    if decided == Decided::Kept {
        let what = match decision {
            Decision::Release => What::Released,
            Decision::Refuse => What::Refused,
        };
        checkout_simulator::world::note(world, what, None, 1, Some(deposit.to_string())).await?;
        screen_deposits::run(&world.app).await?;
    }
    Ok(decided)
}

fn view(flagged: Flagged) -> FlaggedView {
    FlaggedView {
        deposit_id: flagged.deposit.to_string(),
        payment_id: flagged.payment.to_string(),
        client_payment_id: flagged.client_payment_id,
        screening: flagged.screening.as_str(),
        currency: flagged.pair.currency.code(),
        network: flagged.pair.network.code(),
        amount: flagged.amount.to_text(flagged.pair.decimals),
        from_address: flagged.from,
        owner: flagged.owner.map(|owner| (owner.name, owner.category)),
        seen_at: flagged.seen_at,
        vanished: flagged.vanished,
    }
}
