//! The simulated world: applies changes of the control API to chains, clock and rates.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use checkout_chain_addresses::DepositKeys;
use checkout_core::chain::CHAINS;
use checkout_core::{Currency, Decimal, Network};
use checkout_domain::access::actor::Actor;
use checkout_domain::access::scope::Scopes;
use checkout_domain::access::token::{Caller, TokenHash};
use checkout_domain::business::Business;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::environment::Environments;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::settings::SettingStore;
use checkout_domain::ports::{Chain, Store as _, StoreError, Stored, random_bytes};
use checkout_domain::rates::asset::Asset;
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::adapters::blank_page::BlankPage;
use checkout_gateway::adapters::http_sender::{HttpSender, Reach};
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::adapters::rule_screening::RuleScreening;
use checkout_gateway::adapters::screening_timeout::{ScreeningTimeout, TIMEOUT};
use checkout_gateway::background::repeat;
use checkout_gateway::service::App;
use checkout_gateway::service::app::Policy;
use checkout_gateway::service::businesses::token_key::token_key;
use checkout_gateway::service::businesses::{create_business, update_business};
use checkout_gateway::service::payments::expire_payments;
use checkout_gateway::service::payouts::{final_check, pay_out};
use checkout_gateway::service::transfers::confirm_included;
use checkout_gateway::service::transfers::record_transfers;
use checkout_gateway::service::transfers::record_transfers::RecordError;
use checkout_storage::Database;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::chain::SimulatedChain;
use crate::chain::broadcaster::SimulatedBroadcaster;
use crate::chain::screening::SimulatedScreening;
use crate::chain::simulator::Simulator;
use crate::clock::{MovableClock, SandboxClock};
use crate::deposit_keys::{sandbox_key, with_kind};
use crate::rates::FixedRates;
use crate::requests::TransferRequest;
use crate::storage::{SCHEMA, Storage};

/// How often the clock and the rates are reloaded.
const TICK: Duration = Duration::from_millis(200);

/// The setting that stores the clock's offset.
const CLOCK_AHEAD: &str = "sandbox_clock_ahead_seconds";
const BUSINESS: &str = "sandbox_business";

/// The name of the sandbox's business until somebody gives it another one.
const NAME: &str = "Sandbox Shop";

/// The settings of the last start.
const LAST_RUN: &str = "sandbox_run";

/// The parts that only the sandbox has.
#[derive(Clone)]
pub struct Sandbox {
    pub simulator: Simulator,
    pub storage: Storage,
    pub clock: Arc<dyn MovableClock>,
    pub rates: Arc<FixedRates>,
    /// How many confirmations a transfer needs, by network; one on the others.
    pub confirmations: BTreeMap<Network, u32>,
}

/// A gateway with its sandbox.
#[derive(Clone)]
pub struct World {
    pub app: Arc<App>,
    pub sandbox: Sandbox,
}

impl Sandbox {
    /// Uses the gateway's database, which also stores the simulated world.
    pub fn new(database: &Database) -> Self {
        Self {
            simulator: Simulator(database.clone()),
            storage: Storage::new(database.clone()),
            clock: Arc::new(SandboxClock::default()),
            rates: Arc::default(),
            confirmations: BTreeMap::new(),
        }
    }

    /// Returns a gateway in this world that renders no page. `keys` are configured deposit keys; the other networks of the
    /// interface get keys that are generated once per database. A network beyond it is simulated if it has a configured key.
    pub async fn app(
        &self,
        policy: Policy,
        rules: RuleScreening,
        keys: Vec<(Network, String)>,
        public_url: String,
    ) -> Result<App, String> {
        let database = &self.storage.0;
        database.migrate(&SCHEMA).await.map_err(|error| error.to_string())?;
        let tokens = token_key(database, &OsRandom).await.map_err(|error| error.to_string())?;
        let mut chains: BTreeMap<Network, Arc<dyn Chain>> = BTreeMap::new();
        let mut broadcasters: BTreeMap<Network, Arc<dyn Broadcaster>> = BTreeMap::new();
        let is_simulated = |network: &Network| {
            !network.is_opt_in() || keys.iter().any(|(configured, _)| configured == network)
        };
        for network in CHAINS.iter().map(|row| row.network).filter(is_simulated) {
            let chain = SimulatedChain::new(network, database.clone());
            let required = self.confirmations.get(&network).copied().unwrap_or(1);
            chains.insert(network, Arc::new(chain.with_confirmations(required)));
            broadcasters.insert(network, Arc::new(SimulatedBroadcaster::new(network, database.clone())));
        }
        let keys = deposit_keys(database, keys).await.map_err(|error| error.to_string())?;
        let screening = SimulatedScreening::new(rules, database.clone());
        Ok(App {
            store: Arc::new(database.clone()),
            clock: Arc::clone(&self.clock) as _,
            rates: Arc::clone(&self.rates) as _,
            random: Arc::new(OsRandom),
            addresses: Arc::new(DepositKeys::of(&keys, &Environments::default())?),
            chains,
            broadcasters,
            screening: Arc::new(ScreeningTimeout::new(Arc::new(screening), TIMEOUT)),
            webhooks: Arc::new(HttpSender::new(Reach::Anywhere)),
            page: Arc::new(BlankPage),
            policy,
            tokens,
            public_url,
            mail: None,
            state: Arc::default(),
        })
    }
}

async fn deposit_keys(
    database: &Database,
    mut keys: Vec<(Network, String)>,
) -> Stored<Vec<(Network, String)>> {
    let seed = random_bytes(&OsRandom);
    let mut tx = database.begin().await?;
    for network in CHAINS.iter().map(|row| row.network).filter(|network| !network.is_opt_in()) {
        if keys.iter().all(|(known, _)| *known != network) {
            let name = format!("sandbox_deposit_key_{network}");
            let key = match database.setting(&name).await? {
                Some(key) => key,
                None => tx.put_setting_if_absent(&name, &sandbox_key(network, &seed)).await?,
            };
            keys.push((network, with_kind(network, key)));
        }
    }
    tx.commit().await?;
    Ok(keys)
}

/// Settings that can differ between starts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Run {
    /// Origins that may frame the checkout.
    pub origins: Vec<String>,
    pub deposit_callback: String,
    pub withdrawal_callback: String,
}

/// Returns the id of the sandbox's business; `None` before its first start.
pub async fn business_id(app: &App) -> Stored<Option<BusinessId>> {
    Ok(app.store.setting(BUSINESS).await?.and_then(|id| id.parse().ok()))
}

/// Reads the chain and sends the resulting payouts.
async fn catch_up(app: &App, network: Network) -> Result<(), RecordError> {
    record_transfers::catch_up(app, network).await?;
    confirm_included::run(app, network).await?;
    final_check::run(app, network).await?;
    if !app.store.open_payouts(None, None).await?.is_empty() {
        pay_out::run(app).await?;
    }
    Ok(())
}

/// Sends a transfer and records its deposit before it returns. Returns `None` if the given pending
/// transaction does not exist.
pub async fn send(world: &World, request: &TransferRequest) -> Result<Option<String>, RecordError> {
    let id = world.sandbox.simulator.send(request, world.app.clock.now(), world.app.random()).await?;
    if id.is_some() {
        catch_up(&world.app, request.pair.network).await?;
    }
    Ok(id)
}

/// Mines blocks. Returns the new height.
pub async fn mine(world: &World, network: Network, count: u32) -> Result<u64, RecordError> {
    let height = world.sandbox.simulator.mine(network, count).await?;
    catch_up(&world.app, network).await?;
    Ok(height)
}

/// Removes the last blocks. Returns the new height.
pub async fn reorganise(world: &World, network: Network, depth: u32) -> Result<u64, RecordError> {
    let height = world.sandbox.simulator.reorganise(network, depth).await?;
    catch_up(&world.app, network).await?;
    Ok(height)
}

/// Drops a transfer. Returns false if it does not exist.
pub async fn drop_transfer(world: &World, id: &str) -> Result<bool, RecordError> {
    let Some(network) = world.sandbox.simulator.drop_transfer(id).await? else { return Ok(false) };
    catch_up(&world.app, network).await?;
    Ok(true)
}

/// Lets a transaction revert. Returns false if it does not exist.
pub async fn revert(world: &World, id: &str) -> Result<bool, RecordError> {
    let Some(network) = world.sandbox.simulator.revert(id).await? else { return Ok(false) };
    catch_up(&world.app, network).await?;
    Ok(true)
}

/// Advances the clock permanently and expires the payments whose windows end. Returns the new time.
pub async fn advance_clock(world: &World, seconds: u64) -> Stored<u64> {
    let mut tx = world.app.store.begin().await?;
    let ahead = tx.put_setting_if_absent(CLOCK_AHEAD, "0").await?.parse::<u64>().unwrap_or(0);
    let ahead = ahead.saturating_add(seconds);
    tx.put_setting(CLOCK_AHEAD, &ahead.to_string()).await?;
    tx.commit().await?;
    world.sandbox.clock.run_ahead(ahead);
    expire_payments::expire_due(&world.app).await?;
    Ok(world.app.clock.now())
}

/// Returns how many seconds the clock of this database was advanced.
pub async fn clock_ahead(store: &dyn SettingStore) -> Stored<u64> {
    let ahead = store.setting(CLOCK_AHEAD).await?.and_then(|text| text.parse().ok());
    Ok(ahead.unwrap_or(0))
}

/// Sets a rate permanently.
pub async fn set_rate(world: &World, from: Asset, to: Asset, rate: Decimal) -> Result<(), RecordError> {
    world.sandbox.simulator.keep_rate(from, to, rate).await?;
    world.sandbox.rates.set(from, to, rate);
    Ok(())
}

/// Loads the clock and the rates set by an earlier run or another gateway on the same database.
pub async fn restore(world: &World) -> Result<(), RecordError> {
    world.sandbox.clock.run_ahead(clock_ahead(world.app.store.as_ref()).await?);
    let changes = world.sandbox.rates.changes();
    world.sandbox.rates.restore(world.sandbox.simulator.kept_rates().await?, changes);
    Ok(())
}

/// Reloads the clock and the rates repeatedly until stopped, because another gateway on the same database may change
/// them.
pub fn follow(world: World, stopped: watch::Receiver<bool>) -> JoinHandle<()> {
    let health = Arc::clone(&world.app.state.health);
    repeat(&health, "sandbox".to_owned(), stopped, TICK, move || {
        let world = world.clone();
        async move { restore(&world).await }
    })
}

fn new_business(world: &World, id: BusinessId) -> Business {
    let settings = Settings {
        name: Some(NAME.to_owned()),
        settlement_crypto: Some(Some(Currency::Btc)),
        settlement_ratio: Some(Decimal::ZERO),
        ..Settings::default()
    };
    let (business, _) =
        create_business::build(settings, id, world.app.clock.now(), world.app.random.as_ref());
    business
}

/// Returns the sandbox's business with its token. Both are the same at each start on the same database.
///
/// Sets these origins and callback URLs, replacing those of the last start. Later manual changes are kept.
pub async fn own_business(world: &World, run: Run) -> Result<(Business, String), StoreError> {
    let mut tx = world.app.store.begin().await?;
    let id = tx.put_setting_if_absent(BUSINESS, &world.app.new_id().to_string()).await?;
    let id: BusinessId = id.parse().map_err(|error: uuid::Error| StoreError(error.into()))?;
    let known = world.app.store.business(id).await?;
    let mut business = known.unwrap_or_else(|| new_business(world, id));
    let last = world.app.store.setting(LAST_RUN).await?;
    let last: Option<Run> = last.and_then(|text| serde_json::from_str(&text).ok());
    tx.put_setting(LAST_RUN, &serde_json::to_string(&run).expect("texts are JSON")).await?;
    let last = last.unwrap_or_default();
    let added = |origin: &String| !last.origins.contains(origin) && !run.origins.contains(origin);
    let by_hand: Vec<String> =
        business.allowed_origins.iter().filter(|origin| added(origin)).cloned().collect();
    business.allowed_origins = run.origins.into_iter().chain(by_hand).collect();
    for (url, before, now) in [
        (&mut business.deposit_callback, last.deposit_callback, run.deposit_callback),
        (&mut business.withdrawal_callback, last.withdrawal_callback, run.withdrawal_callback),
    ] {
        let by_hand = before == now && url.as_deref() != Some(now.as_str());
        if !by_hand {
            *url = Some(now);
        }
    }
    tx.put_business(&business).await?;
    let token = world.app.tokens.repeatable_business(id);
    let now = world.app.clock.now();
    tx.put_credential(&TokenHash::of(&token), Caller::Business(id), Scopes::EVERYTHING, now).await?;
    tx.commit().await?;
    Ok((business, token))
}

/// Gives the sandbox's business another name and brand, unless it has another name already.
pub async fn rename(world: &World, business: &Business, settings: Settings) -> Stored<()> {
    if business.name == NAME {
        let no_changes = RuleChanges::default();
        let by = (&Actor::CommandLine, world.app.clock.now());
        update_business::update(world.app.store.as_ref(), business.id, settings, no_changes, by).await?;
    }
    Ok(())
}
