//! Expires payments.

use checkout_domain::payment::status;
use checkout_domain::ports::Stored;

use crate::service::App;
use crate::service::callbacks::announce_events;

/// Updates the status of every open payment whose window is over. Returns the number of changes.
///
/// Answers do not depend on this: they compute the status at their own time.
pub async fn expire_due(app: &App) -> Stored<usize> {
    let now = app.clock.now();
    let mut changed = 0;
    let mut after = None;
    loop {
        let page = app.store.overdue(now, after).await?;
        let Some(last) = page.last() else { return Ok(changed) };
        after = Some(*last);
        for (_, id) in page {
            let mut tx = app.store.begin().await?;
            let Some(mut record) = tx.payment(id).await? else { continue };
            let now = app.clock.now();
            if status::refresh_status(&mut record, now) {
                tx.update_payment(&record.payment).await?;
                announce_events::status(app, tx.as_mut(), &record).await?;
                tx.commit().await?;
                changed += 1;
            }
        }
    }
}
