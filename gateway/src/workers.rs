//! Starts the background tasks, each independent of the others.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use checkout_core::Network;
use checkout_domain::ports::Stored;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::background::{TICK, keep_running, repeat};
use crate::service::App;
use crate::service::mail::{notices, send_mails};
use crate::service::payments::expire_payments;
use crate::service::payouts::{compare_wallets, final_check, pay_out};
use crate::service::state::{network_status, polls, progress};
use crate::service::transfers::record_transfers::RecordError;
use crate::service::transfers::{
    confirm_included, credit_untagged, record_transfers, screen_deposits, value_deposits,
};

/// Interval between two checks of a network's source.
const LOOK: Duration = Duration::from_secs(5);

/// Interval in which what waits for a person is gathered into one mail.
const NOTICES: Duration = Duration::from_secs(15);

/// Starts the background tasks: reading chains, screening, payouts, expiry.
pub fn start(app: &Arc<App>, stopped: &watch::Receiver<bool>) -> Vec<JoinHandle<()>> {
    let mut tasks = Vec::new();
    for network in app.chains.keys().copied() {
        let (watcher, name) = (Arc::clone(app), format!("chain {network}"));
        let watch = move || watch_chain(Arc::clone(&watcher), network);
        tasks.push(repeat(&app.state.health, name, stopped.clone(), TICK, watch));
        let (rereader, name) = (Arc::clone(app), format!("set-aside entries of {network}"));
        let again = move || read_again(Arc::clone(&rereader), network);
        tasks.push(repeat(&app.state.health, name, stopped.clone(), TICK, again));
        let (checker, name) = (Arc::clone(app), format!("finality on {network}"));
        let check = move || check_finality(Arc::clone(&checker), network);
        tasks.push(repeat(&app.state.health, name, stopped.clone(), LOOK, check));
        let (looker, name) = (Arc::clone(app), format!("source of {network}"));
        let look = move || look_at_source(Arc::clone(&looker), network);
        tasks.push(repeat(&app.state.health, name, stopped.clone(), LOOK, look));
    }
    // A network that does not answer delays no payout of another.
    for network in app.broadcasters.keys().copied() {
        let (payer, name) = (Arc::clone(app), format!("payouts of {network}"));
        let pay = move || send_payouts(Arc::clone(&payer), network);
        tasks.push(repeat(&app.state.health, name, stopped.clone(), TICK, pay));
    }
    // Tasks that wait for the screening are separate: a slow screening delays nothing else.
    let (screener, asker, decider) = (Arc::clone(app), Arc::clone(app), Arc::clone(app));
    let screen = move || screen_senders(Arc::clone(&screener));
    tasks.push(repeat(&app.state.health, "screening of deposits".to_owned(), stopped.clone(), TICK, screen));
    let ask = move || screen_withdrawals(Arc::clone(&asker));
    tasks.push(repeat(&app.state.health, "screening of withdrawals".to_owned(), stopped.clone(), TICK, ask));
    let canceller = Arc::clone(app);
    let cancel = move || end_cancelled(Arc::clone(&canceller));
    tasks.push(repeat(&app.state.health, "cancelled withdrawals".to_owned(), stopped.clone(), LOOK, cancel));
    let comparer = Arc::clone(app);
    let compare = move || compare_all(Arc::clone(&comparer));
    tasks.push(repeat(&app.state.health, "wallets".to_owned(), stopped.clone(), LOOK, compare));
    let decide = move || carry_out_decisions(Arc::clone(&decider));
    tasks.push(repeat(&app.state.health, "decisions".to_owned(), stopped.clone(), TICK, decide));
    let crediter = Arc::clone(app);
    let credit = move || credit_transfers(Arc::clone(&crediter));
    tasks.push(repeat(&app.state.health, "untagged transfers".to_owned(), stopped.clone(), TICK, credit));
    let valuer = Arc::clone(app);
    let value = move || value_waiting(Arc::clone(&valuer));
    tasks.push(repeat(&app.state.health, "values".to_owned(), stopped.clone(), LOOK, value));
    if app.mail.is_some() {
        let writer = Arc::clone(app);
        let write = move || write_notices(Arc::clone(&writer));
        tasks.push(repeat(&app.state.health, "notices".to_owned(), stopped.clone(), NOTICES, write));
    }
    let sender = Arc::clone(app);
    let send = move || send_mails(Arc::clone(&sender));
    tasks.push(repeat(&app.state.health, "mails".to_owned(), stopped.clone(), TICK, send));
    let ender = Arc::clone(app);
    let (rates, stop) = (Arc::clone(&app.rates), stopped.clone());
    let fetch = move || {
        let (rates, stop) = (Arc::clone(&rates), stop.clone());
        async move { rates.keep_fresh(stop).await }
    };
    tasks.push(keep_running(&app.state.health, "rates".to_owned(), stopped.clone(), TICK, fetch));
    let end = move || end_windows(Arc::clone(&ender));
    tasks.push(repeat(&app.state.health, "windows".to_owned(), stopped.clone(), TICK, end));
    tasks
}

/// Everything that is due on a network now, once.
pub async fn round(app: &Arc<App>, network: Network) -> Result<(), RecordError> {
    watch_chain(Arc::clone(app), network).await?;
    read_again(Arc::clone(app), network).await?;
    check_finality(Arc::clone(app), network).await?;
    let Ok(()) = look_at_source(Arc::clone(app), network).await;
    Ok(send_payouts(Arc::clone(app), network).await?)
}

async fn watch_chain(app: Arc<App>, network: Network) -> Result<(), RecordError> {
    if !polls::is_read_due(&app, network).await? {
        return Ok(());
    }
    let now = app.clock.now();
    let read = match app.store.watches(network).await {
        Ok(true) => record_transfers::catch_up(&app, network).await,
        // Another gateway reads it and reports errors.
        Ok(false) => {
            app.state.networks.read(network, None);
            app.state.polls.read(network, now, true);
            return Ok(());
        }
        Err(error) => Err(error.into()),
    };
    app.state.polls.read(network, now, read.is_ok());
    look_for_progress(&app, network, now).await?;
    if let Err(RecordError::Chain(error)) = &read
        && error.is_limit()
    {
        if app.state.networks.limited(network, now, error.to_string()) {
            tracing::warn!(%network, %error, "the network is read again later");
        }
        return Ok(());
    }
    if let Err(RecordError::Chain(error)) = &read {
        let next = progress::next_block(&app, network).await?;
        let at = next.map_or_else(String::new, |next| format!("after block {}: ", next.saturating_sub(1)));
        app.state.networks.read(network, Some(format!("{at}{error}")));
    } else if read.is_ok() {
        app.state.networks.read(network, None);
    }
    read?;
    app.state.metrics.chain_read(network.code(), app.clock.now());
    Ok(())
}

async fn look_for_progress(app: &App, network: Network, now: u64) -> Stored<()> {
    let stuck = progress::stuck(app, network, now).await?;
    if app.state.networks.stuck(network, stuck.clone()) {
        if let Some(why) = stuck {
            tracing::error!(%network, why, "the network is not read on");
        } else {
            tracing::info!(%network, "the network is read on");
        }
    }
    Ok(())
}

/// An error here is one of the store, or is told with the next block.
async fn read_again(app: Arc<App>, network: Network) -> Result<(), RecordError> {
    if app.chains.get(&network).is_none_or(|chain| chain.rereading().is_none()) {
        return Ok(());
    }
    if !app.store.watches(network).await? {
        return Ok(());
    }
    record_transfers::read_again(&app, network).await
}

async fn check_finality(app: Arc<App>, network: Network) -> Stored<()> {
    if !app.store.watches(network).await? {
        return Ok(());
    }
    confirm_included::run(&app, network).await?;
    final_check::run(&app, network).await
}

async fn look_at_source(app: Arc<App>, network: Network) -> Result<(), Infallible> {
    let (pace, now) = (app.policy.polling.pace(network), app.clock.now());
    let has_fault = app.state.networks.fault(network).is_some();
    if app.state.polls.is_look_due(network, now, pace, has_fault) {
        network_status::look(&app, network).await;
    }
    Ok(())
}

async fn send_payouts(app: Arc<App>, network: Network) -> Stored<()> {
    pay_out::send_on(&app, network).await.map(drop)
}

async fn screen_withdrawals(app: Arc<App>) -> Stored<()> {
    pay_out::screen(&app).await
}

async fn end_cancelled(app: Arc<App>) -> Stored<()> {
    pay_out::end_cancelled(&app).await
}

async fn compare_all(app: Arc<App>) -> Stored<()> {
    compare_wallets::run(&app).await
}

async fn screen_senders(app: Arc<App>) -> Stored<()> {
    screen_deposits::ask_again(&app).await.map(drop)
}

async fn carry_out_decisions(app: Arc<App>) -> Stored<()> {
    screen_deposits::carry_out(&app).await.map(drop)
}

async fn credit_transfers(app: Arc<App>) -> Stored<()> {
    credit_untagged::run(&app).await.map(drop)
}

async fn value_waiting(app: Arc<App>) -> Stored<()> {
    value_deposits::run(&app).await.map(drop)
}

async fn write_notices(app: Arc<App>) -> Stored<()> {
    notices::write(&app).await
}

async fn send_mails(app: Arc<App>) -> Stored<()> {
    send_mails::run(&app).await
}

async fn end_windows(app: Arc<App>) -> Stored<()> {
    match expire_payments::expire_due(&app).await? {
        0 => {}
        count => tracing::info!(count, "payments expired"),
    }
    Ok(())
}
