//! Builds the application with its adapters.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use checkout_chain_addresses::DepositKeys;
use checkout_core::{Decimal, Network};
use checkout_domain::chain::source::Level;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_domain::ports::{NoRate, Rates};
use checkout_domain::rates::asset::Asset;
use checkout_gateway::adapters::http_rates::{FeedSettings, HttpRates};
use checkout_gateway::adapters::http_sender::{HttpSender, Reach};
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::adapters::rule_screening::{Rule, RuleScreening};
use checkout_gateway::adapters::screening_timeout::{ScreeningTimeout, TIMEOUT};
use checkout_gateway::service::App;
use checkout_gateway::service::app::Policy;
use checkout_gateway::service::businesses::token_key::token_key;
use checkout_gateway::service::mail::Mail;
use checkout_gateway::service::state::network_status;
use checkout_simulator::Sandbox;
use checkout_storage::Database;

use crate::chains::Sources;
use crate::desk::DeskSettings;
use crate::page::WidgetPage;

#[derive(Clone)]
pub(crate) struct ServeSettings {
    pub(crate) listen: SocketAddr,
    pub(crate) public_url: Option<String>,
    /// Listen address of the demo shop; sandbox only.
    pub(crate) shop: Option<SocketAddr>,
    /// Folder of the checkout as static files, for the demo shop.
    pub(crate) kit: Option<PathBuf>,
    /// Additional origins of the sandbox's business.
    pub(crate) origins: Vec<String>,
    /// Deposit callback URL of the sandbox's business. Default: the built-in receiver.
    pub(crate) deposit_callback: Option<String>,
    pub(crate) withdrawal_callback: Option<String>,
    pub(crate) deposit_keys: Vec<(Network, String)>,
    /// Chain adapters for deposits and payouts; empty in the sandbox.
    pub(crate) sources: Sources,
    /// Confirmations that deposits of the sandbox need.
    pub(crate) confirmations: BTreeMap<Network, u32>,
    /// Allowed callback targets outside the sandbox.
    pub(crate) reach: Reach,
    /// Screening lists of address owners, for deposits and withdrawals.
    pub(crate) screening: Vec<Rule>,
    /// The feed of exchange rates; unused in the sandbox.
    pub(crate) rates: FeedSettings,
    pub(crate) policy: Policy,
    /// Listen address for `/metrics` only.
    pub(crate) metrics: Option<SocketAddr>,
    /// The page of operators.
    pub(crate) desk: Option<DeskSettings>,
    /// Where mails go out.
    pub(crate) mail: Option<Mail>,
}

/// Builds the application, and the sandbox with `--sandbox`.
pub(crate) async fn assemble(
    settings: &ServeSettings,
    database: &Database,
    public_url: String,
) -> Result<(App, Option<Sandbox>), String> {
    let rules = RuleScreening::new(&settings.screening);
    let policy = settings.policy.clone();
    let (app, sandbox) = if policy.sandbox {
        let confirmations = settings.confirmations.clone();
        let sandbox = Sandbox { confirmations, ..Sandbox::new(database) };
        let page = Arc::new(WidgetPage::new(&public_url, settings.mail.is_some()));
        let app = sandbox.app(policy, rules, settings.deposit_keys.clone(), public_url).await?;
        (App { page, mail: settings.mail.clone(), ..app }, Some(sandbox))
    } else {
        (production(settings, database, rules, policy, public_url).await?, None)
    };
    look_at_sources(&app).await?;
    Ok((app, sandbox))
}

/// Checks each source once before serving. A source that does not answer may do so later; a source on a
/// different network than its section is an error.
async fn look_at_sources(app: &App) -> Result<(), String> {
    for network in app.chains.keys() {
        let checks = network_status::look(app, *network).await;
        let wrong = checks.iter().find(|check| check.subject == "network" && check.level == Level::Fault);
        if let Some(wrong) = wrong {
            return Err(format!("[chains.{network}]: {}.", wrong.detail));
        }
    }
    Ok(())
}

async fn production(
    settings: &ServeSettings,
    database: &Database,
    rules: RuleScreening,
    policy: Policy,
    public_url: String,
) -> Result<App, String> {
    let rates: Arc<dyn Rates> = match HttpRates::new(&settings.rates, Arc::new(SystemClock))? {
        Some(rates) => Arc::new(rates),
        None => Arc::new(NoRates),
    };
    let addresses = Arc::new(DepositKeys::of(&settings.deposit_keys, &policy.environments)?);
    let connected = settings.sources.connect(&settings.deposit_keys, &addresses, database).await?;
    Ok(App {
        store: Arc::new(database.clone()),
        clock: Arc::new(SystemClock),
        rates,
        random: Arc::new(OsRandom),
        addresses,
        chains: connected.chains,
        broadcasters: connected.broadcasters,
        screening: Arc::new(ScreeningTimeout::new(Arc::new(rules), TIMEOUT)),
        webhooks: Arc::new(HttpSender::new(settings.reach)),
        page: Arc::new(WidgetPage::new(&public_url, settings.mail.is_some())),
        policy,
        tokens: token_key(database, &OsRandom).await.map_err(|error| error.to_string())?,
        public_url,
        mail: settings.mail.clone(),
        state: Arc::default(),
    })
}

/// Used without a feed: there are no rates, so there are no quotes.
struct NoRates;

impl Rates for NoRates {
    fn rate(&self, _: Asset, _: Asset) -> Result<Decimal, NoRate> {
        Err(NoRate)
    }
}
