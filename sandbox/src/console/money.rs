//! Withdrawals, whitelist and settlement terms of the sandbox's business.

use std::collections::BTreeMap;

use checkout_domain::access::actor::Actor;
use checkout_domain::access::token::Caller;
use checkout_domain::chain::kept_tag;
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::ports::Stored;
use checkout_domain::withdrawal::Withdrawal;
use checkout_gateway::render;
use checkout_gateway::requests::business::BusinessChanges;
use checkout_gateway::requests::fields::Fields;
use checkout_gateway::service::create_withdrawal;
use checkout_gateway::service::manage_businesses;
use checkout_gateway::service::pay_out;
use checkout_gateway::service::refused::{Created, Refused};
use checkout_gateway::service::whitelist;
use checkout_simulator::World;
use checkout_wire as wire;
use checkout_wire::FieldError;
use checkout_wire::whitelist_address::WhitelistedAddress;
use serde::Serialize;

use crate::console::waits::{self, Wait};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawalView {
    #[serde(flatten)]
    pub withdrawal: wire::Withdrawal,
    pub destination_tag: Option<String>,
    pub transaction_id: Option<String>,
    pub address_owner: Option<String>,
    pub waits: Vec<Wait>,
}

/// The cost of a withdrawal, or the errors of the request.
#[derive(Debug, Default, Serialize)]
pub struct Preview {
    pub withdrawal: Option<wire::Withdrawal>,
    pub errors: Vec<FieldError>,
}

/// Lists withdrawals, newest first.
pub async fn withdrawals(world: &World, limit: u32) -> Stored<Vec<WithdrawalView>> {
    let open = open_withdrawals(world).await?;
    let mut views = Vec::new();
    for withdrawal in world.app.store.newest_withdrawals(limit).await? {
        views.push(view(world, withdrawal, &open).await);
    }
    Ok(views)
}

async fn open_withdrawals(world: &World) -> Stored<BTreeMap<uuid::Uuid, Payout>> {
    let (mut after, mut open) = (None, BTreeMap::new());
    loop {
        let page = world.app.store.open_payouts(after).await?;
        let Some(last) = page.last() else { return Ok(open) };
        after = Some(last.id);
        let withdrawals = page.into_iter().filter(|payout| payout.purpose == Purpose::Withdrawal);
        open.extend(withdrawals.map(|payout| (payout.id, payout)));
    }
}

async fn view(world: &World, withdrawal: Withdrawal, open: &BTreeMap<uuid::Uuid, Payout>) -> WithdrawalView {
    let waits = match (open.get(&withdrawal.id), &withdrawal.transaction_id) {
        (Some(payout), Some(id)) => {
            waits::after_sending(world, withdrawal.pair.network, payout.progress, id).await
        }
        _ => Vec::new(),
    };
    let status = withdrawal.status;
    WithdrawalView {
        destination_tag: withdrawal.tag.as_deref().map(kept_tag::shown).map(str::to_owned),
        transaction_id: withdrawal.transaction_id.clone(),
        address_owner: withdrawal.owner.as_ref().map(|owner| owner.name.clone()),
        withdrawal: render::withdrawal::withdrawal(&withdrawal, status),
        waits,
    }
}

/// Does the same as `POST /whitelist-addresses` for the sandbox's business. Returns `None` before the first
/// start.
pub async fn whitelist(
    world: &World,
    fields: Fields,
) -> Result<Option<Created<WhitelistedAddress>>, Refused> {
    let Some(business) = checkout_simulator::world::business_id(&world.app).await? else { return Ok(None) };
    whitelist::add(&world.app, Caller::Business(business), fields).await.map(Some)
}

/// Does the same as `POST /api/v1/withdrawals` for the sandbox's business. The withdrawal is sent or refused
/// before this returns.
pub async fn withdraw(world: &World, fields: Fields) -> Result<Option<Created<wire::Withdrawal>>, Refused> {
    let Some(business) = checkout_simulator::world::business_id(&world.app).await? else { return Ok(None) };
    let answer =
        create_withdrawal::create(&world.app, Caller::Business(business), Actor::CommandLine, fields).await?;
    pay_out::run(&world.app).await?;
    Ok(Some(answer))
}

/// Returns the answer of [`withdraw`] without withdrawing.
pub async fn preview(world: &World, fields: Fields) -> Result<Option<Preview>, Refused> {
    let Some(business) = checkout_simulator::world::business_id(&world.app).await? else { return Ok(None) };
    match create_withdrawal::preview(&world.app, Caller::Business(business), fields).await {
        Ok(withdrawal) => Ok(Some(Preview { withdrawal: Some(withdrawal), errors: Vec::new() })),
        Err(Refused::Invalid(errors)) => Ok(Some(Preview { withdrawal: None, errors })),
        Err(refused) => Err(refused),
    }
}

/// Changes the sandbox's business.
pub async fn change_business(world: &World, changes: BusinessChanges) -> Stored<Option<wire::Business>> {
    let Some(id) = checkout_simulator::world::business_id(&world.app).await? else { return Ok(None) };
    let business = manage_businesses::update(&world.app, &Actor::CommandLine, id, changes).await?;
    Ok(business.map(|(business, _)| render::business::business(&business)))
}
