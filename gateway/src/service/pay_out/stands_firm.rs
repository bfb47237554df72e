//! Checks whether the deposits behind a refund are final.

use crate::domain::chain::payout::Payout;
use crate::ports::Stored;
use crate::service::App;

/// Returns whether all deposits behind a refund are final. Until then nothing is sent, because a signed refund cannot
/// be cancelled. Asks the chain, because the store may not know the latest changes yet.
pub(super) async fn stands_firm(app: &App, payout: &Payout) -> Stored<bool> {
    let Some(payment) = app.store.refunded_payment(payout.id).await? else { return Ok(false) };
    let Some(record) = app.store.payment(payment).await? else { return Ok(false) };
    // Every confirmed deposit contributes to the excess, even if no part of it is refunded.
    for deposit in record.deposits.iter().filter(|deposit| deposit.is_confirmed()) {
        let network = deposit.output.network;
        let Some(chain) = app.chains.get(&network) else { return Ok(false) };
        match chain.confirmations(&deposit.output).await {
            Ok(blocks) if app.finality.is_reached(network, blocks) => {}
            Ok(_) => return Ok(false),
            Err(error) => {
                tracing::warn!(payout = %payout.id, %error, "a chain could not be asked for a deposit");
                return Ok(false);
            }
        }
    }
    Ok(true)
}
