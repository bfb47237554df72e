//! The head and the prices of ledger entries that are made now.

use checkout_core::Decimal;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ledger::Header;
use checkout_domain::ledger::cause::Cause;
use checkout_domain::ports::Stored;
use checkout_domain::ports::ledger::LedgerTx;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;

use crate::service::App;

pub fn header(app: &App, business: BusinessId, cause: Cause, payment: Option<PaymentId>) -> Header {
    Header { id: app.new_id(), business, cause: cause.to_string(), payment }
}

/// EUR per whole coin.
pub fn price(app: &App) -> impl Fn(Asset) -> Option<Decimal> {
    |asset| app.rates.rate(asset, Asset::Fiat(Fiat::EUR)).ok()
}

/// Takes an entry back, if it was made.
pub async fn reverse(app: &App, tx: &mut dyn LedgerTx, cause: Cause) -> Stored<()> {
    if let Some(entry) = tx.entry(&cause.to_string()).await? {
        tx.post(&entry.reversed(app.new_id(), cause.reversed())).await?;
    }
    Ok(())
}
