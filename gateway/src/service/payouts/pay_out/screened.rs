//! Screens the recipients of withdrawals and of the refunds that merchants asked for.

use checkout_domain::business::events::EventType;
use checkout_domain::chain::payout::Payout;
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::withdrawal::Withdrawal;
use checkout_wire::create_withdrawal::WithdrawalStatus;

use super::books::finish;
use super::changed::{Changed, refunded};
use crate::service::App;
use crate::unwind::{Panicked, caught};

/// Screens every unscreened withdrawal. After a missing answer, stops until the next round.
pub async fn screen(app: &App) -> Stored<()> {
    let mut unasked: Vec<Payout> = Vec::new();
    loop {
        let after = unasked.last().map(|payout| payout.id);
        let page = app.store.unscreened_withdrawals(app.clock.now(), after).await?;
        if page.is_empty() {
            break;
        }
        unasked.extend(page);
    }
    let (mut panic, mut damaged) = (None, None);
    for payout in app.state.withdrawals_turn.order(unasked, |payout| payout.id) {
        match caught(ask(app, &payout)).await {
            Ok(Err(error)) => damaged = damaged.or(Some(error)),
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => {
                app.state.withdrawals_turn.ends_at(payout.id);
                break;
            }
            Err(Panicked(text)) => panic = Some(format!("payout {}: {text}", payout.id)),
        }
    }
    match panic {
        None => damaged.map_or(Ok(()), Err),
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
    let screened_now = async |tx: &mut dyn Tx| {
        // Read again: during the request, another process may have screened it and continued.
        let now = app.clock.now();
        let unscreened = tx.withdrawal(payout.id).await?.filter(|withdrawal| !withdrawal.is_screened(now));
        let Some(withdrawal) = unscreened else { return Ok(false) };
        let (owner, screened_at) = (Some(screened.owner.clone()), Some(now));
        tx.update_withdrawal(&Withdrawal { owner, screened_at, ..withdrawal }).await?;
        Ok(true)
    };
    if !screened.blocked {
        let mut tx = app.store.begin().await?;
        refunded(tx.as_mut(), payout).await?;
        if screened_now(tx.as_mut()).await? {
            tx.commit().await?;
        }
        return Ok(true);
    }
    let Some(mut changed) = Changed::of(app, payout.clone().failed()).await? else { return Ok(true) };
    if screened_now(changed.tx.as_mut()).await? {
        finish(app, changed.tx.as_mut(), payout.id, WithdrawalStatus::Blocked).await?;
        changed.tell(app, EventType::WithdrawalFailed).await?;
        changed.commit().await?;
    }
    Ok(true)
}
