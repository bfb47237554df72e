//! Counts the confirmations of deposits on networks that need several, so that payers see them rise.

use checkout_domain::ports::Chain;

use super::RecordError;
use crate::service::App;

/// Most deposits of one change. Others who write wait for it.
const MOST: usize = 500;

/// Stores the confirmations of the deposits that wait at this cursor. What a crash leaves out comes with the next
/// block.
pub(super) async fn count(app: &App, chain: &dyn Chain, cursor: &str) -> Result<(), RecordError> {
    if chain.required_confirmations() <= 1 {
        return Ok(());
    }
    for some in chain.waiting(cursor).await?.chunks(MOST) {
        let mut tx = app.store.begin().await?;
        tx.count_confirmations(chain.network(), chain.required_confirmations(), some).await?;
        tx.commit().await?;
    }
    Ok(())
}
