//! The sandbox's hands: on the simulated chains, on the clock and on the rates.

use std::sync::Arc;

use checkout_core::{Decimal, Network};
use uuid::Uuid;

use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::business::Business;
use crate::domain::console::{Deed, MOST_DEEDS, What};
use crate::domain::rates::asset::Asset;
use crate::domain::sandbox_request::TransferRequest;
use crate::ports::{ChainError, MovableClock, SettableRates, Simulation, Store, StoreError, Stored};
use crate::service::create_business::NewBusiness;
use crate::service::record_transfers::Failed;
use crate::service::{App, expire_payments, pay_out, record_transfers};

/// The setting that keeps how far the clock was moved.
const CLOCK_AHEAD: &str = "sandbox_clock_ahead_seconds";
const BUSINESS: &str = "sandbox_business";

/// What only a sandbox has.
#[derive(Clone)]
pub struct Sandbox {
    pub simulation: Arc<dyn Simulation>,
    pub clock: Arc<dyn MovableClock>,
    pub rates: Arc<dyn SettableRates>,
}

/// What differs from one start to the next.
#[derive(Clone, Debug)]
pub struct Run {
    /// That may frame the checkout.
    pub origins: Vec<String>,
    pub deposit_callback: String,
    pub withdrawal_callback: String,
}

/// The id of the sandbox's own business; `None` before its first start.
pub async fn business_id(app: &App) -> Stored<Option<Uuid>> {
    Ok(app.store.setting(BUSINESS).await?.and_then(|id| id.parse().ok()))
}

impl From<ChainError> for Failed {
    fn from(error: ChainError) -> Self {
        Self::Chain(error)
    }
}

/// Reads the chain, and sends what has to be sent after that.
async fn catch_up(app: &App, network: Network) -> Result<(), Failed> {
    record_transfers::catch_up(app, network).await?;
    pay_out::run(app).await?;
    Ok(())
}

/// Sends a transfer. It is stored as seen before this returns.
pub async fn send(app: &App, sandbox: &Sandbox, request: &TransferRequest) -> Result<String, Failed> {
    let id = sandbox.simulation.send(request, app.clock.now(), app.random()).await?;
    catch_up(app, request.pair.network).await?;
    Ok(id)
}

/// Mines blocks; the new height.
pub async fn mine(app: &App, sandbox: &Sandbox, network: Network, count: u32) -> Result<u64, Failed> {
    let height = sandbox.simulation.mine(network, count).await?;
    note(app, What::Mined, Some(network), u64::from(count), None).await?;
    catch_up(app, network).await?;
    Ok(height)
}

/// Drops the last blocks; the new height.
pub async fn reorganise(app: &App, sandbox: &Sandbox, network: Network, depth: u32) -> Result<u64, Failed> {
    let height = sandbox.simulation.reorganise(network, depth).await?;
    note(app, What::Reorganised, Some(network), u64::from(depth), None).await?;
    catch_up(app, network).await?;
    Ok(height)
}

/// Makes a transfer vanish; false when there is none.
pub async fn drop_transfer(app: &App, sandbox: &Sandbox, id: &str) -> Result<bool, Failed> {
    let Some(network) = sandbox.simulation.drop_transfer(id).await? else { return Ok(false) };
    note(app, What::Dropped, Some(network), 1, Some(id.to_owned())).await?;
    catch_up(app, network).await?;
    Ok(true)
}

/// Has the screening flag an address from now on, or not any more.
pub async fn flag(
    app: &App,
    sandbox: &Sandbox,
    network: Network,
    address: &str,
    flagged: bool,
) -> Result<(), Failed> {
    sandbox.simulation.flag(network, address, flagged).await?;
    let what = if flagged { What::Flagged } else { What::Unflagged };
    note(app, what, Some(network), 1, Some(address.to_owned())).await?;
    Ok(())
}

/// Moves the clock forward for good, and ends the windows that are over then. The new time.
pub async fn advance_clock(app: &App, sandbox: &Sandbox, seconds: u64) -> Stored<u64> {
    let mut tx = app.store.begin().await?;
    let ahead = tx.settle_setting(CLOCK_AHEAD, "0").await?.parse::<u64>().unwrap_or(0);
    let ahead = ahead.saturating_add(seconds);
    tx.put_setting(CLOCK_AHEAD, &ahead.to_string()).await?;
    tx.commit().await?;
    sandbox.clock.run_ahead(ahead);
    note(app, What::ClockMoved, None, seconds, None).await?;
    expire_payments::expire_due(app).await?;
    Ok(app.clock.now())
}

/// How many seconds the clock of this database was moved forward.
pub async fn clock_ahead(store: &dyn Store) -> Stored<u64> {
    let ahead = store.setting(CLOCK_AHEAD).await?.and_then(|text| text.parse().ok());
    Ok(ahead.unwrap_or(0))
}

/// Sets a rate for good.
pub async fn set_rate(
    app: &App,
    sandbox: &Sandbox,
    from: Asset,
    to: Asset,
    rate: Decimal,
) -> Result<(), Failed> {
    sandbox.simulation.keep_rate(from, to, rate).await?;
    sandbox.rates.set(from, to, rate);
    let subject = format!("{}/{} {rate}", from.code(), to.code());
    note(app, What::RateSet, None, 1, Some(subject)).await?;
    Ok(())
}

/// Keeps what was done, for the console's timelines.
pub(super) async fn note(
    app: &App,
    what: What,
    network: Option<Network>,
    quantity: u64,
    subject: Option<String>,
) -> Stored<()> {
    let deed = Deed { id: app.new_id(), at: app.clock.now(), what, network, quantity, subject };
    let mut tx = app.store.begin().await?;
    tx.put_deed(&deed, MOST_DEEDS).await?;
    tx.commit().await
}

/// Takes up the clock and the rates that were set in earlier runs, or by another gateway on the same store.
pub async fn restore(app: &App, sandbox: &Sandbox) -> Result<(), Failed> {
    sandbox.clock.run_ahead(clock_ahead(app.store.as_ref()).await?);
    for (from, to, rate) in sandbox.simulation.kept_rates().await? {
        sandbox.rates.set(from, to, rate);
    }
    Ok(())
}

/// The business of the sandbox with its token: the same at each start on the same database.
///
/// It allows these origins and is told at these addresses, and forgets those of earlier runs.
pub async fn own_business(app: &App, run: Run) -> Result<(Business, String), StoreError> {
    let mut tx = app.store.begin().await?;
    let id = tx.settle_setting(BUSINESS, &app.new_id().to_string()).await?;
    let id: Uuid = id.parse().map_err(|error: uuid::Error| StoreError(error.into()))?;
    let new = NewBusiness { name: "Sandbox Shop".to_owned(), ..NewBusiness::default() };
    let known = app.store.business(id).await?;
    let mut business = known.unwrap_or_else(|| new.build(id, app.clock.now(), app.random.as_ref()));
    business.allowed_origins = run.origins;
    business.deposit_callback = Some(run.deposit_callback);
    business.withdrawal_callback = Some(run.withdrawal_callback);
    tx.put_business(&business).await?;
    let token = app.tokens.sandbox_business(id);
    tx.put_credential(&TokenHash::of(&token), Caller::Business(id), app.clock.now()).await?;
    tx.commit().await?;
    Ok((business, token))
}
