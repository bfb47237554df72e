//! Whether what a refund follows from is there to stay.

use crate::domain::chain::payout::Payout;
use crate::ports::Stored;
use crate::service::App;

/// Nothing goes back while a deposit that it follows from can still leave its chain: what is signed cannot be called back.
/// The chain is asked, not the store, which may not know yet what happened a moment ago.
pub(super) async fn is_final(app: &App, payout: &Payout) -> Stored<bool> {
    let Some(payment) = app.store.refunded_payment(payout.id).await? else { return Ok(false) };
    let Some(record) = app.store.payment(payment).await? else { return Ok(false) };
    // Each confirmed deposit is a part of what was too much, also those that nothing of goes back.
    for deposit in record.deposits.iter().filter(|deposit| deposit.is_confirmed()) {
        let network = deposit.output.network;
        let Some(chain) = app.chains.get(&network) else { return Ok(false) };
        match chain.confirmations(&deposit.output).await {
            Ok(blocks) if app.policy.finality.is_reached(network, blocks) => {}
            Ok(_) => return Ok(false),
            Err(error) => {
                tracing::warn!(payout = %payout.id, %error, "a chain could not be asked for a deposit");
                return Ok(false);
            }
        }
    }
    Ok(true)
}
