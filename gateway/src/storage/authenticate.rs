use uuid::Uuid;

use super::row::int;
use super::{Database, query, session_row};
use crate::domain::access::session::Session;
use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::payment::Version;
use crate::ports::Stored;

/// Finds an unexpired token, and the version of a payment: for a credential the requested payment, for a
/// session its own. One statement, so that a payment that moves to or from the archive meanwhile is found. Sessions of
/// archived payments have ended.
const AUTHENTICATE: &str = "SELECT 'credential' AS kind, credentials.business AS id, NULL AS settled_at,
        COALESCE(payments.business, archived.business) AS business,
        COALESCE(payments.version, archived.version) AS version,
        COALESCE(payments.window_end, archived.window_end) AS window_end
    FROM credentials LEFT JOIN payments ON payments.id = $3
        LEFT JOIN archived_payments AS archived ON archived.id = $3 AND payments.id IS NULL
    WHERE token_hash = $1 AND (ends_at IS NULL OR ends_at > $2)
    UNION ALL
    SELECT 'session', sessions.payment, settled_at, business, version, window_end
    FROM sessions JOIN payments ON payments.id = sessions.payment
    WHERE token_hash = $1 AND (ends_at IS NULL OR ends_at > $2)";

impl Database {
    /// Every poll runs this query; most polls run no other.
    pub(super) async fn authenticate(
        &self,
        token: &TokenHash,
        now: u64,
        payment: Option<Uuid>,
    ) -> Stored<Option<(Caller, Option<Session>, Option<Version>)>> {
        let row = query(AUTHENTICATE)
            .bind(token.as_str())
            .bind(int(now))
            .bind(payment.map(|id| id.to_string()))
            .fetch_optional(&self.readers)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let caller = session_row::caller(&row)?;
        let window_end = row.optional_number("window_end")?;
        let (session, is_asked_for) = match caller {
            Caller::Organisation | Caller::Business(_) => (None, true),
            Caller::Session { payment: own } => {
                let session = Session { window_end, settled_at: row.optional_number("settled_at")? };
                (Some(session), payment == Some(own))
            }
        };
        let version = match row.optional_number("version")? {
            Some(number) if is_asked_for => {
                Some(Version { business: row.parsed("business")?, number, window_end })
            }
            _ => None,
        };
        Ok(Some((caller, session, version)))
    }
}
