//! What a business withdrew in a day, for which it may have a limit.

use checkout_core::Decimal;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::{Stored, Tx};

use crate::service::App;

/// Seconds over which the daily limit counts.
const DAY: u64 = 86_400;

/// The value in EUR of what the business withdrew in 24 hours. What has none is valued at the rate of now. Without one it does not count,
/// and stops nothing else: over HTTP no refund is redirected while there is no rate. The balances of the business are locked
/// before: concurrent withdrawals wait, and together stay within the limit.
pub(crate) async fn withdrawn(app: &App, tx: &mut dyn Tx, business: BusinessId) -> Stored<Decimal> {
    let withdrawn = tx.withdrawn_since(business, app.clock.now().saturating_sub(DAY)).await?;
    let values = withdrawn.unvalued.into_iter().filter_map(|money| {
        let value = app.eur(money).ok();
        if value.is_none() {
            tracing::warn!(%business, coin = money.asset.code(), "a refund without a rate does not count for the daily limit");
        }
        value
    });
    Ok(values.fold(withdrawn.eur, Decimal::saturating_add))
}
