//! `checkout serve`: puts the parts together, runs them, and stops in order.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use checkout_core::Network;
use checkout_core::network::NETWORKS;
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::adapters::deposit_keys::{DepositKeys, sandbox_key};
use crate::adapters::fixed_rates::FixedRates;
use crate::adapters::http_courier::{HttpCourier, Reach};
use crate::adapters::http_rates::{FeedSettings, HttpRates};
use crate::adapters::os_random::OsRandom;
use crate::adapters::patient_screening::{PATIENCE, PatientScreening};
use crate::adapters::rule_screening::{Rule, RuleScreening};
use crate::adapters::simulated_chain::broadcaster::SimulatedBroadcaster;
use crate::adapters::simulated_chain::screening::SimulatedScreening;
use crate::adapters::simulated_chain::{SimulatedChain, Simulator};
use crate::adapters::sql::Database;
use crate::adapters::system_clock::SystemClock;
use crate::background::{TICK, repeat};
use crate::config::Limits;
use crate::domain::finality::Finality;
use crate::domain::origin::read_origin;
use crate::domain::service_fees::ServiceFees;
use crate::domain::token::TokenKey;
use crate::http;
use crate::ports::broadcaster::Broadcaster;
use crate::ports::screening::Screening;
use crate::ports::{Chain, NoRate, Random as _, Rates, Store as _, StoreError, Stored};
use crate::service::deliver_callbacks::PostOffice;
use crate::service::record_transfers::Failed;
use crate::service::sandbox::{Run, Sandbox};
use crate::service::{App, expire_payments, pay_out, record_transfers, sandbox, screen_deposits};
use crate::shop::{self, ShopSettings};

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

/// The line on standard output that says that connections are accepted.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ready {
    pub ready: bool,
    pub base_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub business_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub business_token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shop_url: Option<String>,
}

/// How often the sandbox's clock and rates are read again, which another gateway on the same store may have changed.
const SANDBOX_TICK: Duration = Duration::from_millis(200);

/// How long requests in progress may take to finish after the signal to stop.
const DRAIN: Duration = Duration::from_secs(10);

/// Serves until the process is told to stop. `ready` gets the ready line. Errors are sentences.
pub async fn serve(
    settings: Settings,
    database: Database,
    ready: impl FnOnce(&Ready) -> Result<(), String>,
) -> Result<(), String> {
    let signal = stop_signal().map_err(|error| format!("Signals cannot be received: {error}."))?;
    let listener = bind(settings.listen, "--listen").await?;
    let shop_listener = match settings.shop {
        Some(address) => Some(bind(address, "--shop").await?),
        None => None,
    };
    let metrics_listener = match settings.metrics {
        Some(address) => Some(bind(address, "--metrics").await?),
        None => None,
    };
    let local = local_url(&listener)?;
    let public_url = match &settings.public_url {
        Some(url) => public_url(url, settings.sandbox)?,
        None => local.clone(),
    };
    let app = Arc::new(assemble(&settings, &database, public_url.clone()).await?);
    if let Some(sandbox) = &app.sandbox {
        let restored = sandbox::restore(&app, sandbox).await;
        restored.map_err(|error| format!("The sandbox cannot be taken up again: {error}."))?;
    }

    let (stop, stopped) = watch::channel(false);
    let mut tasks = start_background(&app, &stopped);
    let mut post_office = tokio::spawn(PostOffice::new(Arc::clone(&app)).run(stopped.clone()));
    let mut line = Ready { ready: true, base_url: public_url.clone(), ..Ready::default() };
    if app.is_sandbox() {
        let shop_url = shop_listener.as_ref().map(local_url).transpose()?;
        let mut origins = vec![origin_of(&public_url)];
        origins.extend(shop_url.iter().cloned());
        let inbox = format!("{local}/sandbox/inbox");
        let run = Run {
            origins,
            deposit_callback: settings.deposit_callback.clone().unwrap_or_else(|| inbox.clone()),
            withdrawal_callback: settings.withdrawal_callback.clone().unwrap_or(inbox),
        };
        let own = sandbox::own_business(&app, run).await;
        let (business, token) = own.map_err(|error| error.to_string())?;
        line.business_id = Some(business.id.to_string());
        line.business_token = Some(token.clone());
        if let (Some(listener), Some(shop_url)) = (shop_listener, shop_url) {
            line.shop_url = Some(shop_url.clone());
            let settings = ShopSettings { gateway_url: local, business_token: token, shop_url };
            let stopped = told(stopped.clone());
            tasks.push(tokio::spawn(async move {
                if let Err(error) = shop::serve(listener, settings, stopped).await {
                    tracing::error!(%error, "the demo shop stopped");
                }
            }));
        }
    }

    let router = http::router(Arc::clone(&app));
    if let Some(listener) = metrics_listener {
        let router = http::metrics::router(Arc::clone(&app));
        tasks.push(tokio::spawn(http::server::serve(listener, router, told(stopped.clone()))));
    }
    let mut server = tokio::spawn(http::server::serve(listener, router, told(stopped)));
    ready(&line)?;
    tracing::info!(url = public_url, sandbox = app.is_sandbox(), "ready");

    let ended = tokio::select! {
        () = signal => None,
        ended = &mut server => Some(ended),
    };
    tracing::info!("stopping");
    let _ = stop.send(true);
    if ended.is_none() && tokio::time::timeout(DRAIN, &mut server).await.is_err() {
        tracing::warn!("some requests did not finish in time");
        server.abort();
    }
    if tokio::time::timeout(DRAIN, &mut post_office).await.is_err() {
        tracing::warn!("some callbacks were not answered in time; they are sent again");
        post_office.abort();
    }
    for task in tasks {
        task.abort();
        let _ = task.await;
    }
    database.close().await;
    match ended {
        Some(Err(error)) => Err(format!("The server stopped: {error}.")),
        _ => Ok(()),
    }
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
        for row in &NETWORKS {
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
    let courier = Arc::new(HttpCourier::new(reach));
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
        courier,
        both_spellings: settings.both_spellings,
        fees,
        finality: settings.finality.clone(),
        tokens,
        public_url,
        limits: settings.limits,
        metrics: Arc::default(),
        versions: Arc::default(),
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
        _: crate::domain::asset::Asset,
        _: crate::domain::asset::Asset,
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
        for network in NETWORKS.iter().map(|row| row.network) {
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

/// What the gateway does without being asked: watching chains, screening senders, sending payouts, ending windows.
pub(crate) fn start_background(app: &Arc<App>, stopped: &watch::Receiver<bool>) -> Vec<JoinHandle<()>> {
    let mut tasks = Vec::new();
    for network in app.chains.keys().copied() {
        let (watcher, name) = (Arc::clone(app), format!("chain {network}"));
        let watch = move || watch_chain(Arc::clone(&watcher), network);
        tasks.push(repeat(&app.health, name, stopped.clone(), TICK, watch));
    }
    // Whatever waits for an answer of the screening is by itself: a slow one keeps nothing else.
    let (screener, asker, decider) = (Arc::clone(app), Arc::clone(app), Arc::clone(app));
    let screen = move || screen_senders(Arc::clone(&screener));
    tasks.push(repeat(&app.health, "screening of deposits".to_owned(), stopped.clone(), TICK, screen));
    let ask = move || screen_withdrawals(Arc::clone(&asker));
    tasks.push(repeat(&app.health, "screening of withdrawals".to_owned(), stopped.clone(), TICK, ask));
    let decide = move || carry_out_decisions(Arc::clone(&decider));
    tasks.push(repeat(&app.health, "decisions".to_owned(), stopped.clone(), TICK, decide));
    let (payer, ender) = (Arc::clone(app), Arc::clone(app));
    let pay = move || send_payouts(Arc::clone(&payer));
    tasks.push(repeat(&app.health, "payouts".to_owned(), stopped.clone(), TICK, pay));
    let (rates, stop) = (Arc::clone(&app.rates), stopped.clone());
    tasks.push(tokio::spawn(async move { rates.keep_fresh(stop).await }));
    let end = move || end_windows(Arc::clone(&ender));
    tasks.push(repeat(&app.health, "windows".to_owned(), stopped.clone(), TICK, end));
    if app.is_sandbox() {
        let follower = Arc::clone(app);
        let follow = move || follow_sandbox(Arc::clone(&follower));
        tasks.push(repeat(&app.health, "sandbox".to_owned(), stopped.clone(), SANDBOX_TICK, follow));
    }
    tasks
}

async fn watch_chain(app: Arc<App>, network: Network) -> Result<(), Failed> {
    record_transfers::catch_up(&app, network).await?;
    app.metrics.chain_read(network.code(), app.clock.now());
    Ok(())
}

/// Another gateway on the same store may have moved the clock, or set a rate.
async fn follow_sandbox(app: Arc<App>) -> Result<(), Failed> {
    match &app.sandbox {
        Some(sandbox) => sandbox::restore(&app, sandbox).await,
        None => Ok(()),
    }
}

async fn send_payouts(app: Arc<App>) -> Stored<()> {
    pay_out::send(&app).await.map(drop)
}

async fn screen_withdrawals(app: Arc<App>) -> Stored<()> {
    pay_out::screen(&app).await
}

async fn screen_senders(app: Arc<App>) -> Stored<()> {
    screen_deposits::ask_again(&app).await.map(drop)
}

async fn carry_out_decisions(app: Arc<App>) -> Stored<()> {
    screen_deposits::carry_out(&app).await.map(drop)
}

async fn end_windows(app: Arc<App>) -> Stored<()> {
    match expire_payments::expire_due(&app).await? {
        0 => {}
        count => tracing::info!(count, "payments expired"),
    }
    Ok(())
}

async fn told(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// SIGTERM or SIGINT; Ctrl-C elsewhere. From this call on, not from the first wait, they end nothing but the wait.
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (mut terminate, mut interrupt) =
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        Ok(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

async fn bind(address: SocketAddr, flag: &str) -> Result<TcpListener, String> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => format!(
            "{address} is in use by another program. Stop that program, or choose another port: {flag} {}:0 takes a free one.",
            address.ip()
        ),
        _ => format!("{address} cannot be listened on: {error}. Choose another address with {flag}."),
    })
}

fn local_url(listener: &TcpListener) -> Result<String, String> {
    let address = listener.local_addr().map_err(|error| format!("The listener has no address: {error}."))?;
    // "Every interface" is no place to go to.
    let host = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
    };
    Ok(format!("http://{}", SocketAddr::new(host, address.port())))
}

/// The URL without a slash at its end.
fn public_url(url: &str, sandbox: bool) -> Result<String, String> {
    let local = url.starts_with("http://localhost") || url.starts_with("http://127.0.0.1");
    crate::domain::origin::check_link(url, sandbox || local)
        .map_err(|fault| format!("--public-url {}.", fault.detail()))?;
    Ok(url.trim_end_matches('/').to_owned())
}

fn origin_of(url: &str) -> String {
    read_origin(url, true).unwrap_or_else(|_| url.to_owned())
}
