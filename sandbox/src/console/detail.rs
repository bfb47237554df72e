//! One payment with everything that belongs to it.

use checkout_core::{Amount, Network};
use checkout_domain::chain::payout::Progress;
use checkout_domain::chain::{OutputId, OutputState};
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::status;
use checkout_domain::payment::{PaymentWithDeposits, Quote};
use checkout_domain::ports::Stored;
use checkout_domain::rates::fiat::Fiat;
use checkout_gateway::render::payment as render;
use checkout_gateway::render::refund::of_deposit;
use checkout_gateway::service::checkout_view;
use checkout_gateway::service::create_payment;
use checkout_simulator::World;
use checkout_simulator::storage::{ChainState, GivenAddress};
use checkout_wire as wire;
use checkout_wire::checkout_view::DepositOption;
use checkout_wire::payment::Refund;
use serde::Serialize;
use uuid::Uuid;

use crate::console::callbacks::{self, CallbackView};
use crate::console::timeline::{self, Event};
use crate::console::waits::{self, Wait};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Detail {
    pub payment: wire::Payment,
    pub business_name: String,
    pub payment_url: String,
    /// In UNIX seconds; absent if the payment never expires.
    pub window_end: Option<u64>,
    pub quote: Option<QuoteView>,
    /// The pairs that the checkout offers.
    pub options: Vec<DepositOption>,
    pub addresses: Vec<AddressView>,
    pub deposits: Vec<DepositView>,
    pub callbacks: Vec<CallbackView>,
    pub ledger: Vec<EntryView>,
    pub events: Vec<Event>,
}

/// The quoted amount, the progress of the payment, and sample amounts for test transfers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuoteView {
    pub currency: &'static str,
    pub network: &'static str,
    /// Display currency per whole coin.
    pub rate: String,
    pub rate_holds: bool,
    pub expected: String,
    pub confirmed: String,
    pub unconfirmed: String,
    pub remaining: String,
    pub try_exact: String,
    pub try_half: String,
    pub try_more: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AddressView {
    pub network: &'static str,
    pub address: String,
    pub destination_tag: Option<String>,
    pub created_at: u64,
    pub current: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DepositView {
    pub deposit_id: String,
    pub state: &'static str,
    /// The result of the screening of its sender.
    pub screening: &'static str,
    pub network: &'static str,
    pub currency: &'static str,
    pub amount: String,
    pub display_amount: String,
    pub rate: String,
    pub rate_type: wire::RateType,
    pub transaction_id: String,
    pub from_address: String,
    pub to_address: String,
    pub destination_tag: Option<String>,
    pub seen_at: u64,
    pub confirmations: u64,
    /// Confirmations required for finality.
    pub finality: u32,
    /// An instant deposit: it counts before its first confirmation.
    pub instant: bool,
    /// Name and category of the owner of a flagged sender's address.
    pub owner: Option<(String, String)>,
    pub refund: Option<Refund>,
    /// The refund still needs this.
    pub waits: Vec<Wait>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EntryView {
    pub cause: String,
    pub lines: Vec<LineView>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LineView {
    pub account: &'static str,
    pub asset: &'static str,
    pub amount: String,
}

pub async fn detail(world: &World, id: PaymentId) -> Stored<Option<Detail>> {
    let Some(record) = world.app.store.payment(id).await? else { return Ok(None) };
    let Some(business) = world.app.store.business(record.payment.business).await? else { return Ok(None) };
    let payment = &record.payment;
    let now = world.app.clock.now();
    let given = world.sandbox.storage.given_addresses(id).await?;
    let heights = world.sandbox.storage.transaction_heights(id).await?;
    let chains = world.sandbox.storage.chain_states().await?;
    let fiat = payment.display_currency;
    let confirmations =
        |output: &OutputId| confirmations(output.network, &output.transaction, &heights, &chains);
    let mut deposits = Vec::new();
    for deposit in &record.deposits {
        let waits = match deposit.refund.as_ref().and_then(|refund| refund.payout.as_ref()) {
            Some(payout) if payout.progress == Progress::Waiting => {
                waits::before_a_refund(&world.app.policy.finality, &record, confirmations)
            }
            Some(payout) => {
                let id = payout.transaction_id.as_deref().unwrap_or_default();
                waits::after_sending(world, deposit.output.network, payout.progress, id).await
            }
            None => Vec::new(),
        };
        let confirmations = match deposit.state {
            OutputState::Unconfirmed => deposit.confirmations,
            OutputState::Confirmed => confirmations(&deposit.output),
            OutputState::Vanished => 0,
        };
        let finality = world.app.policy.finality.depth(deposit.output.network);
        deposits.push(DepositView { confirmations, finality, waits, ..deposit_view(deposit, fiat) });
    }
    let mut callbacks = Vec::new();
    for callback in world.sandbox.storage.callbacks_of_payment(id).await? {
        callbacks.extend(callbacks::show(world, callback).await?);
    }
    let mut ledger = Vec::new();
    for deposit in &record.deposits {
        ledger.extend(entries(world, deposit.id).await?);
    }
    let events = world.sandbox.storage.events(payment.initiated_at).await?;
    let events = timeline::events(&record, &given, &events, &callbacks, now);
    Ok(Some(Detail {
        payment: render::payment(&record, now),
        payment_url: create_payment::payment_url(&world.app, &business, payment),
        window_end: payment.window_end(),
        quote: payment.quote.as_ref().map(|quote| quote_view(&record, quote, now)),
        options: checkout_view::options(&world.app, &business, payment).await?,
        addresses: given.iter().map(|given| address_view(given, payment.quote.as_ref())).collect(),
        deposits,
        callbacks,
        ledger,
        events,
        business_name: business.name,
    }))
}

fn quote_view(record: &PaymentWithDeposits, quote: &Quote, now: u64) -> QuoteView {
    let decimals = quote.pair().decimals;
    let received = status::received(record);
    let expected = quote.terms.expected;
    let remaining = expected.saturating_sub(received.confirmed).saturating_sub(received.unconfirmed);
    // For a covered payment, use the whole amount again.
    let due = if remaining.is_zero() { expected } else { remaining };
    let atoms = |atoms: u128| Amount::from_atoms(atoms.max(1)).unwrap_or(due).to_text(decimals);
    QuoteView {
        currency: quote.currency.code(),
        network: quote.network.code(),
        rate: quote.terms.rate.to_string(),
        rate_holds: record.payment.rate_holds_at(now),
        expected: expected.to_text(decimals),
        confirmed: received.confirmed.to_text(decimals),
        unconfirmed: received.unconfirmed.to_text(decimals),
        remaining: remaining.to_text(decimals),
        try_exact: due.to_text(decimals),
        try_half: atoms(due.atoms() / 2),
        try_more: atoms(due.atoms().saturating_add(expected.atoms() / 5)),
    }
}

fn address_view(given: &GivenAddress, quote: Option<&Quote>) -> AddressView {
    let current = quote.is_some_and(|quote| {
        (quote.network, &quote.address, &quote.tag) == (given.network, &given.address, &given.tag)
    });
    AddressView {
        network: given.network.code(),
        address: given.address.clone(),
        destination_tag: given.tag.clone(),
        created_at: given.created_at,
        current,
    }
}

/// Returns the confirmations of a transaction, including its own block.
fn confirmations(
    network: Network,
    id: &str,
    heights: &[(String, Option<u64>)],
    chains: &[ChainState],
) -> u64 {
    let found = heights.iter().find(|(known, _)| known == id);
    let Some(height) = found.and_then(|(_, height)| *height) else { return 0 };
    let tip = chains.iter().find(|chain| chain.network == network).map_or(0, |chain| chain.height);
    (tip + 1).saturating_sub(height)
}

/// Returns the view without data that only the chains have.
fn deposit_view(deposit: &Deposit, fiat: Fiat) -> DepositView {
    DepositView {
        deposit_id: deposit.id.to_string(),
        state: match deposit.state {
            OutputState::Unconfirmed => "UNCONFIRMED",
            OutputState::Confirmed => "CONFIRMED",
            OutputState::Vanished => "VANISHED",
        },
        screening: deposit.screening.as_str(),
        network: deposit.output.network.code(),
        currency: deposit.currency.code(),
        amount: deposit.amount.to_text(deposit.pair().decimals),
        display_amount: fiat.text(deposit.display_amount),
        rate: deposit.rate.to_string(),
        rate_type: deposit.rate_type,
        transaction_id: deposit.output.transaction.clone(),
        from_address: deposit.from.clone(),
        to_address: deposit.to.clone(),
        destination_tag: deposit.tag.clone(),
        seen_at: deposit.seen_at,
        confirmations: 0,
        finality: 1,
        instant: deposit.instant,
        owner: deposit.sender.as_ref().map(|owner| (owner.name.clone(), owner.category.clone())),
        refund: deposit.refund.as_ref().map(|refund| of_deposit(refund, deposit, fiat)),
        waits: Vec::new(),
    }
}

async fn entries(world: &World, deposit: Uuid) -> Stored<Vec<EntryView>> {
    let mut entries: Vec<EntryView> = Vec::new();
    for (cause, account, money) in world.sandbox.storage.ledger_of_deposit(deposit).await? {
        let line =
            LineView { account: account.as_str(), asset: money.asset.code(), amount: money.to_string() };
        match entries.last_mut().filter(|entry| entry.cause == cause) {
            Some(entry) => entry.lines.push(line),
            None => entries.push(EntryView { cause, lines: vec![line] }),
        }
    }
    Ok(entries)
}
