//! Lists the transactions of deposits that wait for confirmations and that no server knows any more, so that the operator sees them.

use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::ports::Stored;
use checkout_domain::ports::transfers::IncludedDeposit;

use crate::service::App;

/// Seconds after its first sight at which a deposit has its confirmations, or something is wrong.
const LATE: u64 = 86_400;

/// Lists it once, and takes it off the list when it is known. While a source has a fault, nothing that it does not know is news.
pub async fn note(app: &App, deposit: &IncludedDeposit, is_known: bool) -> Stored<()> {
    let (network, now) = (deposit.output.network, app.clock.now());
    let is_silent = !is_known && app.state.networks.fault(network).is_some();
    if now < deposit.seen_at.saturating_add(LATE) || is_silent {
        return Ok(());
    }
    let transaction = &deposit.output.transaction;
    let is_listed = app.store.is_unread(network, transaction).await?;
    let entry = SetAside {
        network,
        transaction: transaction.clone(),
        part: String::new(),
        height: 0,
        block: String::new(),
        why: "the server does not know a deposit that was in a block: it waits for its confirmations"
            .to_owned(),
    };
    match (is_known, is_listed) {
        (false, false) => {
            if app.store.report_unknown(&entry, now).await? {
                tracing::warn!(payment = %deposit.payment, deposit = %deposit.deposit, %network, transaction, why = entry.why,
                    "a deposit is not credited");
            }
            Ok(())
        }
        (true, true) => {
            let mut tx = app.store.begin().await?;
            tx.settle(&entry, now).await?;
            tx.commit().await
        }
        (true, false) | (false, true) => Ok(()),
    }
}
