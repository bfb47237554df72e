//! Where a database of PostgreSQL is: its server, its number there, its schema and the number of a table. A standby that was
//! promoted keeps them; a dump that was restored, also into the same database, and a copy, do not.

use checkout_domain::ports::{StoreError, Stored};

use crate::{Readers, Transaction, query};

/// The setting.
pub(super) const HOME: &str = "database_identity";

/// `None` for SQLite, whose file may be moved, and for a server that does not say.
pub(super) async fn of(readers: &Readers) -> Stored<Option<String>> {
    let Readers::Postgres(_) = readers else { return Ok(None) };
    let asked = query(
        "SELECT system_identifier || '/' || pg_database.oid || '/' || COALESCE(current_schema(), '')
             || '/' || COALESCE(to_regclass('settings')::oid::text, '') AS identity
         FROM pg_control_system(), pg_database WHERE datname = current_database()",
    );
    match asked.fetch_optional(readers).await {
        Ok(row) => row.map(|row| row.text("identity")).transpose(),
        Err(error) if is_refused(&error) => {
            tracing::warn!(error = %error.0, "the server does not say where the database is: a copy of it is not noticed");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The answer of a server that lacks the function or the right to call it.
fn is_refused(error: &StoreError) -> bool {
    let asked = error.0.downcast_ref::<sqlx::Error>().and_then(sqlx::Error::as_database_error);
    asked
        .and_then(sqlx::error::DatabaseError::code)
        .is_some_and(|code| matches!(&*code, "42501" | "42883" | "42P01"))
}

/// Returns the identity that is stored. Stores this one in a database that has none.
pub(super) async fn remember(change: &mut Transaction, here: &str) -> Stored<String> {
    let row = query(
        "INSERT INTO settings (key, value) VALUES ($1, $2)
         ON CONFLICT (key) DO UPDATE SET value = settings.value RETURNING value",
    )
    .bind(HOME)
    .bind(here)
    .fetch_one(change)
    .await?;
    row.text("value")
}
