//! Finds a token together with the version of a payment.

use checkout_domain::access::scope::Scopes;
use checkout_domain::access::session::Session;
use checkout_domain::access::token::{Caller, TokenHash};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::payment::Version;
use checkout_domain::ports::Stored;
use checkout_domain::ports::credentials::Known;
use rusqlite::{OptionalExtension as _, named_params};

use crate::statements::row::{bad, int};
use crate::{Database, Polls, Row, query};

/// Finds an unexpired token, and the version of a payment: for a credential the requested payment, for a
/// session its own.
const AUTHENTICATE: &str =
    "SELECT 'credential' AS kind, credentials.business AS id, NULL AS settled_at, NULL AS kept_until,
        payments.business AS business, version, window_end, credentials.scopes AS scopes
    FROM credentials LEFT JOIN payments ON payments.id = $3
    WHERE token_hash = $1 AND (ends_at IS NULL OR ends_at > $2)
    UNION ALL
    SELECT 'session', sessions.payment, settled_at, kept_until, business, version, window_end, NULL
    FROM sessions JOIN payments ON payments.id = sessions.payment
    WHERE token_hash = $1 AND (ends_at IS NULL OR ends_at > $2)";

/// A row of [`AUTHENTICATE`].
struct TokenRow {
    kind: String,
    id: Option<String>,
    settled_at: Option<u64>,
    kept_until: Option<u64>,
    business: Option<String>,
    version: Option<u64>,
    window_end: Option<u64>,
    scopes: Option<String>,
}

impl Database {
    /// Every poll runs this query; most polls run no other.
    pub(crate) async fn authenticate(
        &self,
        token: &TokenHash,
        now: u64,
        payment: Option<PaymentId>,
    ) -> Stored<Option<(Known, Option<Version>)>> {
        let (token, now, asked) = (token.as_str(), int(now), payment.map(|id| id.to_string()));
        let found: Option<TokenRow> = match &self.polls {
            Polls::Sqlite(readers) => {
                // The read never waits; a task that only polls lets others run by this.
                tokio::task::coop::consume_budget().await;
                readers.read(|connection| {
                    let mut statement = connection.prepare_cached(AUTHENTICATE)?;
                    let values = named_params! {"$1": token, "$2": now, "$3": asked};
                    statement.query_row(values, of_sqlite).optional()
                })?
            }
            Polls::Postgres(pool) => {
                let query = query(AUTHENTICATE).bind(token).bind(now).bind(asked);
                pool.fetch_optional(query).await?.as_ref().map(of_postgres).transpose()?
            }
        };
        let Some(found) = found else { return Ok(None) };
        let id = found.id.map(|id| id.parse().map_err(|_| bad("id"))).transpose()?;
        let caller = match (found.kind.as_str(), id) {
            ("session", Some(payment)) => Caller::Session { payment: PaymentId(payment) },
            ("credential", Some(business)) => Caller::Business(BusinessId(business)),
            ("credential", None) => Caller::Organisation,
            _ => return Err(bad("kind")),
        };
        let window_end = found.window_end;
        let (session, is_asked_for) = match caller {
            Caller::Organisation | Caller::Business(_) => (None, true),
            Caller::Session { payment: own } => {
                let session =
                    Session { window_end, settled_at: found.settled_at, kept_until: found.kept_until };
                (Some(session), payment == Some(own))
            }
        };
        let version = match (found.version, found.business) {
            (Some(number), Some(business)) if is_asked_for => {
                let business = business.parse().map_err(|_| bad("business"))?;
                Some(Version { business, number, window_end })
            }
            _ => None,
        };
        let scopes = Scopes::parse(found.scopes.as_deref()).ok_or_else(|| bad("scopes"))?;
        Ok(Some((Known { caller, scopes, session }, version)))
    }
}

fn of_sqlite(row: &rusqlite::Row<'_>) -> rusqlite::Result<TokenRow> {
    Ok(TokenRow {
        kind: row.get(0)?,
        id: row.get(1)?,
        settled_at: row.get(2)?,
        kept_until: row.get(3)?,
        business: row.get(4)?,
        version: row.get(5)?,
        window_end: row.get(6)?,
        scopes: row.get(7)?,
    })
}

fn of_postgres(row: &Row) -> Stored<TokenRow> {
    Ok(TokenRow {
        kind: row.text("kind")?,
        id: row.optional_text("id")?,
        settled_at: row.optional_number("settled_at")?,
        kept_until: row.optional_number("kept_until")?,
        business: row.optional_text("business")?,
        version: row.optional_number("version")?,
        window_end: row.optional_number("window_end")?,
        scopes: row.optional_text("scopes")?,
    })
}
