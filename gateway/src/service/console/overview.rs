//! The world at a glance: networks, balances, withdrawals, whitelist, the inbox.

use checkout_core::network::NETWORKS;
use checkout_core::wire;
use checkout_core::wire::whitelist_address::WhitelistedAddress;
use serde::Serialize;

use crate::domain::business::Business;
use crate::domain::console::Manner;
use crate::domain::whitelist::{Entry, Page};
use crate::ports::{Store, Stored};
use crate::service::console::inbox;
use crate::service::{App, sandbox};

/// Withdrawals and whitelisted addresses that are shown: the newest.
const MOST: u32 = 50;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// The sandbox's own.
    pub business: Option<wire::Business>,
    pub clock_ahead_seconds: u64,
    pub chains: Vec<ChainView>,
    pub balances: Vec<BalanceView>,
    pub withdrawals: Vec<WithdrawalView>,
    pub whitelist: Vec<WhitelistedAddress>,
    pub inbox: Manner,
    pub pending_callbacks: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChainView {
    pub network: &'static str,
    pub name: &'static str,
    pub height: u64,
    pub pending: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BalanceView {
    pub account: &'static str,
    pub asset: &'static str,
    pub amount: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawalView {
    #[serde(flatten)]
    pub withdrawal: wire::Withdrawal,
    pub transaction_id: Option<String>,
    pub address_owner: Option<String>,
}

pub async fn overview(app: &App) -> Stored<Overview> {
    let business = match sandbox::business_id(app).await? {
        Some(id) => app.store.business(id).await?,
        None => None,
    };
    let found = app.store.chain_states().await?;
    let chains = NETWORKS.iter().map(|row| {
        let state = found.iter().find(|state| state.network == row.network);
        let (height, pending) = state.map_or((0, 0), |state| (state.height, state.pending));
        ChainView { network: row.code, name: row.name, height, pending }
    });
    let withdrawals = app.store.listed_withdrawals(MOST).await?.into_iter().map(|withdrawal| {
        let status = withdrawal.status.clone();
        WithdrawalView {
            transaction_id: withdrawal.transaction_id.clone(),
            address_owner: withdrawal.owner.as_ref().map(|owner| owner.name.clone()),
            withdrawal: withdrawal.to_wire(status),
        }
    });
    let (balances, whitelist) = match &business {
        Some(business) => (balances(app, business).await?, whitelist(app, business).await?),
        None => (Vec::new(), Vec::new()),
    };
    Ok(Overview {
        business: business.as_ref().map(Business::to_wire),
        clock_ahead_seconds: sandbox::clock_ahead(app.store.as_ref() as &dyn Store).await?,
        chains: chains.collect(),
        balances,
        withdrawals: withdrawals.collect(),
        whitelist,
        inbox: inbox::manner(app).await?,
        pending_callbacks: app.store.backlog(app.clock.now()).await?.pending,
    })
}

async fn balances(app: &App, business: &Business) -> Stored<Vec<BalanceView>> {
    let balances = app.store.balances(business.id).await?;
    let held = balances.into_iter().filter(|(_, money)| money.units != 0);
    Ok(held
        .map(|(account, money)| BalanceView {
            account: account.as_str(),
            asset: money.asset.code(),
            amount: money.to_string(),
        })
        .collect())
}

async fn whitelist(app: &App, business: &Business) -> Stored<Vec<WhitelistedAddress>> {
    let page = Page {
        id: None,
        client_address_id: None,
        currency: None,
        label: None,
        after: None,
        before: None,
        descending: true,
        limit: MOST,
    };
    Ok(app.store.whitelisted(business.id, &page).await?.iter().map(Entry::to_wire).collect())
}

/// What a program needs to speak for the sandbox's own business.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Credentials {
    pub base_url: String,
    pub business_id: String,
    pub business_token: String,
    pub callback_secret: String,
}

/// `None` before the first start.
pub async fn credentials(app: &App) -> Stored<Option<Credentials>> {
    let Some(id) = sandbox::business_id(app).await? else { return Ok(None) };
    let business = app.store.business(id).await?;
    Ok(business.map(|business| Credentials {
        base_url: app.public_url.clone(),
        business_id: id.to_string(),
        business_token: app.tokens.sandbox_business(id),
        callback_secret: business.callback_secret,
    }))
}
