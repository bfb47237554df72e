//! Builds the application over its adapters.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use checkout_core::Network;
use checkout_core::chain::CHAINS;

use crate::adapters::blank_page::BlankPage;
use crate::adapters::deposit_keys::{DepositKeys, sandbox_key};
use crate::adapters::fixed_rates::FixedRates;
use crate::adapters::http_rates::{FeedSettings, HttpRates};
use crate::adapters::http_sender::{HttpSender, Reach};
use crate::adapters::os_random::OsRandom;
use crate::adapters::patient_screening::{PATIENCE, PatientScreening};
use crate::adapters::rule_screening::{Rule, RuleScreening};
use crate::adapters::simulated_chain::broadcaster::SimulatedBroadcaster;
use crate::adapters::simulated_chain::screening::SimulatedScreening;
use crate::adapters::simulated_chain::{SimulatedChain, Simulator};
use crate::adapters::system_clock::SystemClock;
use crate::domain::access::rate_limits::Limits;
use crate::domain::access::token::TokenKey;
use crate::domain::business::service_fees::ServiceFees;
use crate::domain::chain::finality::Finality;
use crate::ports::broadcaster::Broadcaster;
use crate::ports::screening::Screening;
use crate::ports::{Chain, NoRate, Random as _, Rates, Store as _, StoreError, Stored};
use crate::service::App;
use crate::service::sandbox::Sandbox;
use crate::storage::Database;

#[derive(Clone, Debug)]
pub struct Settings {
    pub listen: SocketAddr,
    pub public_url: Option<String>,
    pub sandbox: bool,
    /// Where the demo shop listens; in the sandbox only.
    pub shop: Option<SocketAddr>,
    /// Where the sandbox's own business is told; the built-in receiver without it.
    pub deposit_callback: Option<String>,
    pub withdrawal_callback: Option<String>,
    pub deposit_keys: Vec<(Network, String)>,
    /// Withdrawal callbacks say `deductedSettlementAmount`, too.
    pub both_spellings: bool,
    pub fees: ServiceFees,
    pub finality: Finality,
    /// Who owns which address, for deposits and withdrawals.
    pub screening: Vec<Rule>,
    /// Where exchange rates come from, outside the sandbox.
    pub rates: FeedSettings,
    pub limits: Limits,
    /// Where `/metrics` is served, apart from everything else.
    pub metrics: Option<SocketAddr>,
}

/// Builds the application over its adapters.
pub async fn assemble(settings: &Settings, database: &Database, public_url: String) -> Result<App, String> {
    let clock = Arc::new(SystemClock::default());
    let fixed = Arc::new(FixedRates::default());
    let simulation = Simulator(database.clone());
    let (tokens, keys) = secrets(database, settings).await.map_err(|error| error.to_string())?;
    let keys = keys.iter().map(|(network, key)| (*network, key.as_str()));
    let addresses = DepositKeys::read(keys).map_err(|bad| {
        format!("[deposit_keys] {} is neither an extended public key nor an account of that network.", bad.0)
    })?;
    let mut chains: BTreeMap<Network, Arc<dyn Chain>> = BTreeMap::new();
    let mut broadcasters: BTreeMap<Network, Arc<dyn Broadcaster>> = BTreeMap::new();
    settings.rates.check()?;
    let mut rates: Arc<dyn Rates> = match &settings.rates.url {
        Some(url) => Arc::new(HttpRates::new(url, &settings.rates)?),
        None => Arc::new(NoRates),
    };
    let mut sandbox = None;
    if settings.sandbox {
        for row in CHAINS {
            chains.insert(row.network, Arc::new(SimulatedChain::new(row.network, database.clone())));
            let broadcaster = SimulatedBroadcaster::new(row.network, database.clone());
            broadcasters.insert(row.network, Arc::new(broadcaster));
        }
        rates = fixed.clone();
        sandbox = Some(Sandbox { simulation: Arc::new(simulation), clock: clock.clone(), rates: fixed });
    }
    let (store, random, addresses) = (Arc::new(database.clone()), Arc::new(OsRandom), Arc::new(addresses));
    let rules = RuleScreening::new(&settings.screening);
    let screening: Arc<dyn Screening> = if settings.sandbox {
        Arc::new(SimulatedScreening::new(rules, database.clone()))
    } else {
        Arc::new(rules)
    };
    let screening = Arc::new(PatientScreening::new(screening, PATIENCE));
    let reach = if settings.sandbox { Reach::Anywhere } else { Reach::Public };
    let webhooks = Arc::new(HttpSender::new(reach));
    let fees = settings.fees;
    Ok(App {
        store,
        clock,
        rates,
        random,
        addresses,
        chains,
        broadcasters,
        screening,
        webhooks,
        page: Arc::new(BlankPage),
        both_spellings: settings.both_spellings,
        fees,
        finality: settings.finality.clone(),
        tokens,
        public_url,
        limits: settings.limits,
        metrics: Arc::default(),
        health: Arc::default(),
        last_look: Arc::default(),
        turns: Arc::default(),
        stuck: Arc::default(),
        sandbox,
    })
}

/// Without a source of rates nothing is quoted.
struct NoRates;

impl Rates for NoRates {
    fn rate(
        &self,
        _: crate::domain::rates::asset::Asset,
        _: crate::domain::rates::asset::Asset,
    ) -> Result<checkout_core::Decimal, NoRate> {
        Err(NoRate)
    }
}

/// The token key, and the deposit keys: as configured, in the sandbox as made for this database.
async fn secrets(database: &Database, settings: &Settings) -> Stored<(TokenKey, Vec<(Network, String)>)> {
    let mut fresh = [0; 32];
    OsRandom.fill(&mut fresh);
    let mut tx = database.begin().await?;
    let text = tx.settle_setting("token_key", &TokenKey::new(fresh).to_text()).await?;
    let tokens = TokenKey::parse(&text).ok_or_else(|| StoreError("the token key cannot be read".into()))?;
    let mut keys = settings.deposit_keys.clone();
    if settings.sandbox {
        let mut seed = [0; 64];
        OsRandom.fill(&mut seed);
        for network in CHAINS.iter().map(|row| row.network) {
            if keys.iter().all(|(known, _)| *known != network) {
                let name = format!("sandbox_deposit_key_{network}");
                let key = match database.setting(&name).await? {
                    Some(key) => key,
                    None => tx.settle_setting(&name, &sandbox_key(network, &seed)).await?,
                };
                keys.push((network, key));
            }
        }
    }
    tx.commit().await?;
    Ok((tokens, keys))
}
