//! Checks that the deposits behind a refund are final.

use checkout_domain::chain::payout::Payout;
use checkout_domain::ports::Stored;
use tokio::time::timeout;

use super::TIME_LIMIT;
use crate::service::App;

/// A refund waits while a deposit that it depends on can still leave its chain, because a signed refund
/// cannot be cancelled. The chain is queried instead of the store, which may be behind.
pub(super) async fn is_final(app: &App, payout: &Payout) -> Stored<bool> {
    let Some(payment) = app.store.refunded_payment(payout.id).await? else { return Ok(false) };
    let Some(record) = app.store.payment(payment).await? else { return Ok(false) };
    // Every confirmed deposit contributes to the excess, including those without a refund.
    for deposit in record.deposits.iter().filter(|deposit| deposit.is_confirmed()) {
        let network = deposit.output.network;
        let Some(chain) = app.chains.get(&network) else { return Ok(false) };
        let answer = if network == payout.pair.network {
            let answer = timeout(TIME_LIMIT, chain.confirmations(&deposit.output)).await;
            answer.ok()
        } else {
            app.state.foreign_questions.confirmations(chain, &deposit.output).await
        };
        let Some(answer) = answer else {
            tracing::debug!(payout = %payout.id, %network, "the confirmations of a deposit are not known yet");
            return Ok(false);
        };
        match answer {
            Ok(blocks) if app.policy.finality.is_reached(network, blocks) => {}
            Ok(_) => return Ok(false),
            Err(error) => {
                tracing::warn!(payout = %payout.id, %error, "the confirmations of a deposit could not be read");
                return Ok(false);
            }
        }
    }
    Ok(true)
}
