//! The state of the simulated world, and the credentials of the sandbox's business.

use checkout_core::chain::CHAINS;
use checkout_domain::ports::Stored;
use checkout_gateway::service::transfers::record_transfers::RecordError;
use checkout_simulator::World;
use checkout_simulator::chain::samples::sender;
use checkout_simulator::records::MockResponse;
use checkout_wire::sandbox::FlaggedSender;
use serde::Serialize;

use crate::inbox;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    pub clock_ahead_seconds: u64,
    pub chains: Vec<ChainView>,
    pub flagged_addresses: Vec<FlaggedSender>,
    pub inbox: MockResponse,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChainView {
    pub network: &'static str,
    pub name: &'static str,
    pub height: u64,
    pub pending: u64,
    /// Confirmations required for finality.
    pub finality: u32,
    /// The default sender of transfers.
    pub usual_sender: &'static str,
}

pub async fn overview(world: &World) -> Result<Overview, RecordError> {
    let found = world.sandbox.storage.chain_states().await?;
    let chains = CHAINS.iter().filter(|row| world.app.chains.contains_key(&row.network)).map(|row| {
        let state = found.iter().find(|state| state.network == row.network);
        let (height, pending) = state.map_or((0, 0), |state| (state.height, state.pending));
        ChainView {
            network: row.code(),
            name: row.name,
            height,
            pending,
            finality: world.app.policy.finality.depth(row.network),
            usual_sender: sender(row.network),
        }
    });
    let flagged = world.sandbox.simulator.flagged().await?.into_iter().map(|(network, address)| {
        FlaggedSender { network: network.into(), address: address.into(), flagged: true }
    });
    Ok(Overview {
        clock_ahead_seconds: checkout_simulator::world::clock_ahead(world.app.store.as_ref()).await?,
        chains: chains.collect(),
        flagged_addresses: flagged.collect(),
        inbox: inbox::mock_response(world).await?,
    })
}

/// The credentials that a program needs to act for the sandbox's business.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Credentials {
    pub base_url: String,
    pub business_id: String,
    pub business_token: String,
    pub callback_secret: String,
}

/// Returns `None` before the first start.
pub async fn credentials(world: &World) -> Stored<Option<Credentials>> {
    let Some(id) = checkout_simulator::world::business_id(&world.app).await? else { return Ok(None) };
    let business = world.app.store.business(id).await?;
    Ok(business.map(|business| Credentials {
        base_url: world.app.public_url.clone(),
        business_id: id.to_string(),
        business_token: world.app.tokens.repeatable_business(id),
        callback_secret: business.callback_secret,
    }))
}
