//! Searches the node for payments that its wallet cannot know: the wallet is new, or one of an older day, and blocks came before
//! it watched the addresses.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde_json::json;
use tokio::task::JoinHandle;

use crate::deposit_wallet::DepositWallet;

/// The wait after a search that failed.
const RETRY: Duration = Duration::from_secs(30);

/// The search of this process, which goes on while the chain is not read.
#[derive(Default)]
pub(crate) struct Search(Mutex<SearchState>);

#[derive(Default)]
struct SearchState {
    from: u64,
    running: Option<JoinHandle<()>>,
    /// Of the last search.
    failed: Arc<Mutex<Option<(Instant, String)>>>,
}

impl Search {
    /// Starts at a block, unless a search runs or failed just now. Returns what to tell the operator.
    pub(crate) fn go_on(&self, deposits: &Arc<DepositWallet>, from: u64) -> String {
        let mut state = self.0.lock();
        let is_running = state.running.as_ref().is_some_and(|task| !task.is_finished());
        let failed = state.failed.lock().clone();
        let is_early = failed.as_ref().is_some_and(|(at, _)| at.elapsed() < RETRY);
        if !is_running && !is_early {
            tracing::warn!(wallet = deposits.name, from, "searching blocks that the wallet has not seen");
            let (deposits, outcome) = (Arc::clone(deposits), Arc::clone(&state.failed));
            state.from = from;
            state.running = Some(tokio::spawn(async move {
                let error = search(&deposits, from).await.err();
                *outcome.lock() = error.map(|error| (Instant::now(), error));
            }));
        }
        let failed = failed.filter(|_| !is_running).map(|(_, error)| error);
        describe(&deposits.name, state.from, failed.as_deref())
    }

    /// The message for the operator while blocks are missing.
    pub(crate) fn describe(&self, wallet: &str) -> String {
        let state = self.0.lock();
        let is_running = state.running.as_ref().is_some_and(|task| !task.is_finished());
        let failed = state.failed.lock().clone();
        describe(wallet, state.from, failed.filter(|_| !is_running).map(|(_, error)| error).as_deref())
    }
}

fn describe(wallet: &str, from: u64, failed: Option<&str>) -> String {
    let searched = if from == 0 { String::new() } else { format!(" from block {from}") };
    match failed {
        None => format!(
            "wallet {wallet} is new or an older one, and blocks are missing in it: they are searched for payments{searched}"
        ),
        Some(error) => format!(
            "wallet {wallet} is new or an older one, blocks are missing in it, and the search{searched} failed: {error}. A pruned \
             node has to get them again"
        ),
    }
}

async fn search(deposits: &DepositWallet, from: u64) -> Result<(), String> {
    let done = match deposits.scan(json!([from])).await {
        Ok(()) => deposits.is_searched().await,
        Err(error) => Err(error),
    };
    done.map_err(|error| {
        tracing::error!(wallet = deposits.name, from, %error, "the search for payments failed");
        error.to_string()
    })
}
