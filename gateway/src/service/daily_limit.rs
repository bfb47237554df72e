//! What a business withdrew in a day, for which it may have a limit.

use checkout_core::Decimal;
use checkout_domain::ids::BusinessId;
use checkout_domain::ledger::money::Round;
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;

use crate::service::App;

/// Seconds over which the daily limit counts.
const DAY: u64 = 86_400;

/// The value in EUR of what the business withdrew in 24 hours. What has none is valued at the rate of now, and without one above every
/// limit. The balances of the business are locked before: concurrent withdrawals wait, and together stay within the limit.
pub(super) async fn withdrawn(app: &App, tx: &mut dyn Tx, business: BusinessId) -> Stored<Decimal> {
    let withdrawn = tx.withdrawn_since(business, app.clock.now().saturating_sub(DAY)).await?;
    let eur = Asset::Fiat(Fiat::EUR);
    let values = withdrawn.unvalued.into_iter().map(|money| {
        let rate = app.rates.rate(money.asset, eur).ok()?;
        Some(money.convert(eur, rate, Decimal::ONE, Round::Up)?.to_decimal())
    });
    Ok(values.fold(withdrawn.eur, |sum, value| sum.saturating_add(value.unwrap_or(Decimal::MAX))))
}
