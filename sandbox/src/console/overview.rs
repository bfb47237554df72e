//! The overview: networks, balances, withdrawals, whitelist and inbox.

use checkout_core::Network;
use checkout_core::chain::CHAINS;
use checkout_domain::business::Business;
use checkout_domain::page::Page;
use checkout_domain::ports::Stored;
use checkout_domain::withdrawal::whitelist::WhitelistFilter;
use checkout_gateway::render;
use checkout_gateway::service::record_transfers::RecordError;
use checkout_simulator::World;
use checkout_simulator::chain::samples::sender;
use checkout_simulator::records::MockResponse;
use checkout_wire as wire;
use checkout_wire::sandbox::FlaggedSender;
use checkout_wire::whitelist_address::WhitelistedAddress;
use serde::Serialize;

use crate::console::held::{self, FlaggedView};
use crate::console::inbox;
use crate::console::money::{self, WithdrawalView};

/// Maximum number of withdrawals and of whitelisted addresses shown, newest first.
const MOST: u32 = 50;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// The sandbox's business.
    pub business: Option<wire::Business>,
    pub clock_ahead_seconds: u64,
    pub chains: Vec<ChainView>,
    pub balances: Vec<BalanceView>,
    pub withdrawals: Vec<WithdrawalView>,
    pub whitelist: Vec<WhitelistedAddress>,
    /// Service fees of deposits and of withdrawals, as shares.
    pub service_fees: [String; 2],
    /// Flagged deposits.
    pub flagged: Vec<FlaggedView>,
    pub flagged_addresses: Vec<FlaggedSender>,
    pub inbox: MockResponse,
    pub pending_callbacks: u64,
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

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BalanceView {
    pub account: &'static str,
    pub asset: &'static str,
    pub amount: String,
}

pub async fn overview(world: &World) -> Result<Overview, RecordError> {
    let business = match checkout_simulator::world::business_id(&world.app).await? {
        Some(id) => world.app.store.business(id).await?,
        None => None,
    };
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
    let flagged_addresses = world.sandbox.simulator.flagged().await?;
    let (balances, whitelist) = match &business {
        Some(business) => (balances(world, business).await?, whitelist(world, business).await?),
        None => (Vec::new(), Vec::new()),
    };
    Ok(Overview {
        business: business.as_ref().map(render::business::business),
        clock_ahead_seconds: checkout_simulator::world::clock_ahead(world.app.store.as_ref()).await?,
        chains: chains.collect(),
        balances,
        withdrawals: money::withdrawals(world, MOST).await?,
        whitelist,
        service_fees: [world.app.policy.fees.deposit, world.app.policy.fees.withdrawal]
            .map(|share| share.to_string()),
        flagged: held::list(world, MOST).await?,
        flagged_addresses: flagged_addresses.into_iter().map(flagged_sender).collect(),
        inbox: inbox::mock_response(world).await?,
        pending_callbacks: world.app.store.backlog(world.app.clock.now()).await?.pending,
    })
}

fn flagged_sender((network, address): (Network, String)) -> FlaggedSender {
    FlaggedSender { network: network.into(), address: address.into(), flagged: true }
}

async fn balances(world: &World, business: &Business) -> Stored<Vec<BalanceView>> {
    let balances = world.app.store.balances(business.id).await?;
    let held = balances.into_iter().filter(|(_, money)| money.units != 0);
    Ok(held
        .map(|(account, money)| BalanceView {
            account: account.as_str(),
            asset: money.asset.code(),
            amount: money.to_string(),
        })
        .collect())
}

async fn whitelist(world: &World, business: &Business) -> Stored<Vec<WhitelistedAddress>> {
    let page = Page { after: None, before: None, descending: true, limit: MOST };
    Ok(world
        .app
        .store
        .whitelisted(business.id, &WhitelistFilter::default(), &page)
        .await?
        .iter()
        .map(render::whitelist_address::whitelist_address)
        .collect())
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
