//! `checkout serve`: builds the gateway, runs it and shuts it down gracefully.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use checkout_gateway::http;
use checkout_gateway::http::server::Caps;
use checkout_gateway::service::App;
use checkout_gateway::service::callbacks::deliver_callbacks::CallbackDispatcher;
use checkout_gateway::service::mail::Mail;
use checkout_gateway::service::payouts::final_check;
use checkout_gateway::service::state::served_networks;
use checkout_gateway::service::state::store_kind::is_of_kind;
use checkout_gateway::texts::origin::{check_link, read_origin};
use checkout_gateway::workers;
use checkout_sandbox::shop::{self, Kit, ShopSettings};
use checkout_simulator::world::{self, Run};
use checkout_simulator::{World, follow};
use checkout_storage::Database;
use checkout_storage::restore::Unprepared;
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::assemble::{ServeSettings, assemble};

/// The line on standard output that reports readiness for connections.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReadyLine {
    pub(crate) ready: bool,
    pub(crate) base_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) business_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) business_token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shop_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) desk_url: Option<String>,
}

/// Time limit for requests in progress after the stop signal.
const DRAIN: Duration = Duration::from_secs(10);

/// Serves until the process receives a stop signal. `ready` receives the ready line. Errors are messages for users.
pub(crate) async fn serve(
    settings: ServeSettings,
    database: Database,
    ready: impl FnOnce(&ReadyLine) -> Result<(), String>,
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
    let desk_listener = match &settings.desk {
        Some(desk) => Some(bind(desk.listen, "[desk] listen").await?),
        None => None,
    };
    let local = local_url(&listener)?;
    let public_url = match &settings.public_url {
        Some(url) => public_url(url, settings.policy.sandbox)?,
        None => local.clone(),
    };
    check_prepared(&database).await?;
    check_kind(&database, settings.policy.sandbox).await?;
    let (app, sandbox) = assemble(&settings, &database, public_url.clone()).await?;
    let mail = match (app.mail.clone(), &desk_listener, settings.desk.clone()) {
        (Some(mail), Some(listener), Some(desk)) => {
            Some(Mail { desk_url: Some(desk.at(local_url(listener)?).public_url), ..mail })
        }
        (Some(mail), ..) if app.policy.sandbox => {
            Some(Mail { desk_url: Some(format!("{public_url}/desk")), ..mail })
        }
        (mail, ..) => mail,
    };
    let app = App { mail, ..app };
    let risen = app.state.ids.rise_above_stored(&database).await;
    risen.map_err(|error| format!("The database cannot be read: {error}."))?;
    let kept = served_networks::keep(&app).await;
    kept.map_err(|error| format!("The database cannot be written: {error}."))?;
    let unread = final_check::unread(app.store.as_ref(), |network| app.chains.contains_key(&network)).await;
    for network in unread.map_err(|error| format!("The database cannot be read: {error}."))? {
        tracing::warn!(%network, "it is not configured: deposits that were credited stay pending");
    }
    let app = Arc::new(app);
    let world = sandbox.map(|sandbox| World { app: Arc::clone(&app), sandbox });
    if let Some(world) = &world {
        let restored = world::restore(world).await;
        restored.map_err(|error| format!("The sandbox cannot be resumed: {error}."))?;
    }

    let (stop, stopped) = watch::channel(false);
    let mut tasks = workers::start(&app, &stopped);
    let mut dispatcher = tokio::spawn(CallbackDispatcher::new(Arc::clone(&app)).run(stopped.clone()));
    let mut line = ReadyLine { ready: true, base_url: public_url.clone(), ..ReadyLine::default() };
    if let Some(world) = &world {
        tasks.push(follow(world.clone(), stopped.clone()));
        let shop_url = shop_listener.as_ref().map(local_url).transpose()?;
        let mut origins = vec![origin_of(&public_url)];
        origins.extend(shop_url.iter().chain(&settings.origins).cloned());
        let inbox = format!("{local}/sandbox/inbox");
        let run = Run {
            origins,
            deposit_callback: settings.deposit_callback.clone().unwrap_or_else(|| inbox.clone()),
            withdrawal_callback: settings.withdrawal_callback.clone().unwrap_or(inbox),
        };
        let own = world::own_business(world, run).await;
        let (business, token) = own.map_err(|error| error.to_string())?;
        line.business_id = Some(business.id.to_string());
        line.business_token = Some(token.clone());
        if let (Some(listener), Some(shop_url)) = (shop_listener, shop_url) {
            let renamed = world::rename(world, &business, shop::brand()).await;
            renamed.map_err(|error| error.to_string())?;
            line.shop_url = Some(shop_url.clone());
            let kit = settings.kit.as_ref().and_then(|folder| Kit::read(folder, &public_url));
            if kit.is_none() && settings.kit.is_some() {
                tracing::warn!("--kit names no folder with an index.html: the demo shop does not offer it");
            }
            let settings = ShopSettings { gateway_url: local, business_token: token, shop_url, kit };
            let stopped = until_stopped(stopped.clone());
            tasks.push(tokio::spawn(async move {
                if let Err(error) = shop::serve(listener, settings, stopped).await {
                    tracing::error!(%error, "the demo shop stopped");
                }
            }));
        }
    }

    let caps = Caps::of(&app.policy.limits);
    let router = http::router(Arc::clone(&app), world.map(checkout_sandbox::http::extra).unwrap_or_default());
    if let Some(listener) = metrics_listener {
        let router = http::public::metrics::router(Arc::clone(&app));
        tasks.push(tokio::spawn(http::server::serve(listener, router, caps, until_stopped(stopped.clone()))));
    }
    if let (Some(listener), Some(desk)) = (desk_listener, settings.desk) {
        let desk = desk.at(local_url(&listener)?);
        line.desk_url = Some(desk.public_url.clone());
        let router = http::desk::router(Arc::clone(&app), desk);
        tasks.push(tokio::spawn(http::server::serve(listener, router, caps, until_stopped(stopped.clone()))));
    }
    let mut server = tokio::spawn(http::server::serve(listener, router, caps, until_stopped(stopped)));
    ready(&line)?;
    if app.chains.is_empty() {
        tracing::warn!(
            "no chain is configured, so payers are offered nothing: docs/guides/going-live.md has a configuration file; \
             --sandbox simulates all chains"
        );
    }
    tracing::info!(url = public_url, sandbox = app.policy.sandbox, "ready");

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
    if tokio::time::timeout(DRAIN, &mut dispatcher).await.is_err() {
        tracing::warn!("some callbacks were not answered in time; they will be retried");
        dispatcher.abort();
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

/// Refuses a backup, a restore that was not finished, and a copy.
async fn check_prepared(database: &Database) -> Result<(), String> {
    let found =
        database.unprepared().await.map_err(|error| format!("The database cannot be read: {error}."))?;
    let why = match found {
        None => return Ok(()),
        Some(Unprepared::Backup) => {
            "This database is a backup that is not prepared: a restore was interrupted or failed, or the file was copied."
        }
        Some(Unprepared::Elsewhere) => "This is a copy of a database, or it was dumped and restored.",
    };
    Err(format!(
        "{why} Addresses may have been given out and payouts sent since: run `checkout restore --database URL` first."
    ))
}

/// Refuses a sandbox on a production database, and the other way round.
async fn check_kind(database: &Database, sandbox: bool) -> Result<(), String> {
    let fits = is_of_kind(database, sandbox).await;
    match fits.map_err(|error| format!("The database cannot be read: {error}."))? {
        true => Ok(()),
        false if sandbox => Err(
            "This is the database of a production gateway; use another one for the sandbox: --database sqlite:PATH."
                .to_owned(),
        ),
        false => Err(
            "This is the database of a sandbox, whose money is not real: start with --sandbox, or use another --database."
                .to_owned(),
        ),
    }
}

async fn until_stopped(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// Waits for SIGTERM or SIGINT, or for Ctrl-C outside Unix. On Unix the handlers are installed by this call, not by the
/// first poll.
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
            "{address} is in use by another program. Stop that program, or choose another port: {flag} {}:0 picks a free one.",
            address.ip()
        ),
        _ => format!("Cannot listen on {address}: {error}. Choose another address with {flag}."),
    })
}

fn local_url(listener: &TcpListener) -> Result<String, String> {
    let address = listener.local_addr().map_err(|error| format!("The listener has no address: {error}."))?;
    // Clients cannot connect to an unspecified address, so use the loopback address.
    let host = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
    };
    Ok(format!("http://{}", SocketAddr::new(host, address.port())))
}

/// Checks the URL and removes trailing slashes.
pub(crate) fn public_url(url: &str, sandbox: bool) -> Result<String, String> {
    let local = url.starts_with("http://localhost") || url.starts_with("http://127.0.0.1");
    check_link(url, sandbox || local).map_err(|error| format!("--public-url {}.", error.detail()))?;
    Ok(url.trim_end_matches('/').to_owned())
}

fn origin_of(url: &str) -> String {
    read_origin(url, true).unwrap_or_else(|_| url.to_owned())
}
