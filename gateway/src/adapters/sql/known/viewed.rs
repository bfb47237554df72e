//! By the view that SQLite keeps true.

use std::sync::Arc;

use uuid::Uuid;

use super::Called;
use crate::adapters::sql::view::{Look, View};
use crate::adapters::sql::{Database, business_row};
use crate::domain::access::token::TokenHash;
use crate::domain::business::Business;
use crate::domain::payment::Record;
use crate::ports::Stored;

impl Database {
    pub(super) async fn viewed_caller(
        &self,
        view: &Arc<View>,
        token: &TokenHash,
        now: u64,
    ) -> Stored<Option<Called>> {
        let ticket = match view.token(token, now) {
            Look::Known(known) => {
                if cfg!(debug_assertions) {
                    self.check_caller(view, token, now, known).await;
                }
                return Ok(Some(known));
            }
            Look::Ask(ticket) => ticket,
        };
        self.settle(view);
        let Some((found, session)) = self.stored_caller(token, now).await? else { return Ok(None) };
        view.keep_token(token, found, ticket);
        Ok(Some((found.caller, session)))
    }

    pub(super) async fn viewed_payment(&self, view: &Arc<View>, id: Uuid) -> Stored<Option<Arc<Record>>> {
        let ticket = match view.record(id) {
            Look::Known(record) => {
                if cfg!(debug_assertions) {
                    self.check_payment(view, &record).await;
                }
                return Ok(Some(record));
            }
            Look::Ask(ticket) => ticket,
        };
        self.settle(view);
        let Some(record) = self.stored_payment(id).await? else { return Ok(None) };
        let record = Arc::new(record);
        view.keep_record(&record, ticket);
        Ok(Some(record))
    }

    pub(super) async fn viewed_business(&self, view: &Arc<View>, id: Uuid) -> Stored<Option<Arc<Business>>> {
        let ticket = match view.business(id) {
            Look::Known(business) => {
                if cfg!(debug_assertions) {
                    self.check_business(view, &business).await;
                }
                return Ok(Some(business));
            }
            Look::Ask(ticket) => ticket,
        };
        self.settle(view);
        let Some(business) = business_row::find(&self.readers, id).await? else { return Ok(None) };
        let business = Arc::new(business);
        view.keep_business(&business, ticket);
        Ok(Some(business))
    }

    /// After another process changed something. Nobody waits for it.
    fn settle(&self, view: &Arc<View>) {
        if !view.has_to_settle() {
            return;
        }
        let (database, view) = (self.clone(), Arc::clone(view));
        tokio::spawn(async move {
            let settled = match database.change().await {
                // The change is empty, and in it nobody else is.
                Ok(_change) => view.settle().map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            if let Err(error) = settled {
                view.not_settled();
                tracing::warn!(
                    error,
                    "what is known of payments cannot be settled; every question goes to the store"
                );
            }
        });
    }

    /// What is known is what is stored, unless it changed meanwhile. A store that cannot be asked says nothing.
    async fn check_payment(&self, view: &View, known: &Arc<Record>) {
        let id = known.payment.id;
        let Ok(stored) = self.stored_payment(id).await else { return };
        if let Look::Known(still) = view.record(id)
            && Arc::ptr_eq(&still, known)
        {
            assert_eq!(stored.as_ref(), Some(&**known), "the view of a payment is stale");
        }
    }

    async fn check_business(&self, view: &View, known: &Arc<Business>) {
        let Ok(stored) = business_row::find(&self.readers, known.id).await else { return };
        if let Look::Known(still) = view.business(known.id)
            && Arc::ptr_eq(&still, known)
        {
            assert_eq!(stored.as_ref(), Some(&**known), "the view of a business is stale");
        }
    }

    async fn check_caller(&self, view: &View, token: &TokenHash, now: u64, known: Called) {
        let Ok(stored) = self.stored_caller(token, now).await else { return };
        if matches!(view.token(token, now), Look::Known(still) if still == known) {
            let stored = stored.map(|(token, session)| (token.caller, session));
            assert_eq!(stored, Some(known), "the view of a token is stale");
        }
    }
}
