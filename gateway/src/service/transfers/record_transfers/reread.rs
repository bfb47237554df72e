//! Reads entries again that were set aside, and records their transfers like those that were read with their block.

use checkout_core::Network;
use checkout_domain::chain::set_aside::{SetAside, SetAsideRecord, pause};
use checkout_domain::ports::rereading::{Rejoined, Reread, Rereading};
use checkout_domain::ports::{Chain, ChainError, Stored};

use super::{Batch, LoadedPayments, RecordError, storable_words, store};
use crate::service::App;

/// Most entries of one run.
const MOST: u32 = 20;

/// How often a chain may move on while one entry is recorded.
const RACES: u32 = 5;

/// Reads what is due on a network.
pub async fn read_again(app: &App, network: Network) -> Result<(), RecordError> {
    let Some(chain) = app.chains.get(&network) else { return Ok(()) };
    let Some(rereading) = chain.rereading() else { return Ok(()) };
    for due in app.store.due_again(network, app.clock.now(), MOST).await? {
        let settled = match rereading.read_again(&due.entry).await {
            Ok(reread) => settle(app, chain.as_ref(), rereading, &due.entry, reread).await,
            Err(error) => Err(error.into()),
        };
        match settled {
            Ok(None) => {}
            Ok(Some(why)) => failed(app, &due, &why).await?,
            Err(RecordError::Chain(error)) if error.is_limit() => return Ok(()),
            Err(RecordError::Chain(ChainError(error))) => failed(app, &due, &error.to_string()).await?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Records what was read. Otherwise the reason why the entry stays on the list.
async fn settle(
    app: &App,
    chain: &dyn Chain,
    rereading: &dyn Rereading,
    entry: &SetAside,
    reread: Reread,
) -> Result<Option<String>, RecordError> {
    let is_gone = reread == Reread::Gone;
    let transfers = match reread {
        Reread::Still(why) => return Ok(Some(why)),
        Reread::Read(transfers) => transfers,
        Reread::Gone => Vec::new(),
    };
    for _ in 0..RACES {
        let Some(from) = app.store.cursor(entry.network).await? else { return Ok(None) };
        let rejoined = rereading.rejoin(&from, entry, transfers.clone()).await?;
        if is_gone && rejoined.is_some() {
            return Ok(Some("the node is on another chain than the one that was read".to_owned()));
        }
        // A transaction of a block that was abandoned is read with its new block.
        let (transfers, cursor) = rejoined
            .map_or_else(|| (Vec::new(), from.clone()), |Rejoined { transfers, cursor }| (transfers, cursor));
        let settled = Some(entry.clone());
        let batch = Batch { from: Some(from), transfers, set_aside: Vec::new(), settled, cursor };
        if store(app, chain, batch, &mut LoadedPayments::default()).await? {
            tracing::info!(network = %entry.network, transaction = entry.transaction, part = entry.part,
                "an entry that was set aside has been read");
            return Ok(None);
        }
    }
    Ok(None)
}

async fn failed(app: &App, due: &SetAsideRecord, why: &str) -> Stored<()> {
    let next = pause(due.tries + 1).map(|pause| app.clock.now() + pause);
    let mut tx = app.store.begin().await?;
    tx.read_failed(&due.entry, &storable_words(why), next).await?;
    tx.commit().await
}
