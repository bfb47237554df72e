//! Screens the recipients of withdrawals and of the refunds that merchants asked for.

use checkout_domain::business::events::EventType;
use checkout_domain::chain::payout::{Payout, Progress};
use checkout_domain::ports::Stored;
use checkout_wire::create_withdrawal::WithdrawalStatus;

use super::{finish, refunded, tell};
use crate::service::App;
use crate::unwind::{Panicked, caught};

/// Screens every unscreened withdrawal. After a missing answer, stops until the next round.
pub async fn screen(app: &App) -> Stored<()> {
    let mut unasked: Vec<Payout> = Vec::new();
    loop {
        let page = app.store.unscreened_withdrawals(unasked.last().map(|payout| payout.id)).await?;
        if page.is_empty() {
            break;
        }
        unasked.extend(page);
    }
    let mut panic = None;
    for payout in app.state.withdrawals_turn.order(unasked, |payout| payout.id) {
        match caught(ask(app, &payout)).await {
            Ok(answered) => {
                if !answered? {
                    app.state.withdrawals_turn.ends_at(payout.id);
                    break;
                }
            }
            Err(Panicked(text)) => panic = Some(format!("payout {}: {text}", payout.id)),
        }
    }
    match panic {
        None => Ok(()),
        Some(panic) => std::panic::resume_unwind(Box::new(panic)),
    }
}

/// Sends one request. Returns false if there is no answer.
async fn ask(app: &App, payout: &Payout) -> Stored<bool> {
    let screened = match app.screening.screen(payout.pair.network, &payout.to).await {
        Ok(screened) => screened,
        Err(error) => {
            tracing::warn!(payout = %payout.id, ?error, "the screening did not answer");
            return Ok(false);
        }
    };
    let mut tx = app.store.begin().await?;
    let record = refunded(tx.as_mut(), payout).await?;
    if screened.blocked && !tx.move_payout(payout.id, Progress::Waiting, Progress::Failed).await? {
        return Ok(true);
    }
    // Read again: during the request, another process may have screened it and continued.
    let Some(mut withdrawal) = tx.withdrawal(payout.id).await? else { return Ok(true) };
    if withdrawal.owner.is_some() {
        return Ok(true);
    }
    withdrawal.owner = Some(screened.owner);
    tx.update_withdrawal(&withdrawal).await?;
    if screened.blocked {
        finish(app, tx.as_mut(), payout.id, WithdrawalStatus::Blocked).await?;
        tell(app, tx.as_mut(), payout, record.as_ref(), EventType::WithdrawalFailed).await?;
    }
    tx.commit().await?;
    Ok(true)
}
