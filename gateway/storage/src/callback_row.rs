//! A row of `callbacks`.

use checkout_domain::ports::Stored;
use checkout_domain::webhook::Callback;

use super::row::int;
use super::{Query, Transaction, by_statement, placeholders, query_rows};

/// Adds callbacks of different subjects.
pub(super) async fn put(connection: &mut Transaction, callbacks: &[Callback]) -> Stored<()> {
    for some in by_statement(callbacks, 11) {
        let values = placeholders(some.len(), 11);
        let text = format!(
            "INSERT INTO callbacks (id, business, kind, subject, body, created_at, state, attempts, failures,
                 due_at, set_at)
             VALUES {values}
             ON CONFLICT (kind, subject) DO UPDATE SET state = excluded.state, due_at = excluded.due_at,
                 set_at = excluded.set_at
                 WHERE callbacks.state = 'HELD'"
        );
        let statement = query_rows(text, some.len(), 11);
        some.iter().fold(statement, bind).execute(&mut *connection).await?;
    }
    Ok(())
}

fn bind(statement: Query, callback: &Callback) -> Query {
    statement
        .bind(callback.id.to_string())
        .bind(callback.business.to_string())
        .bind(callback.kind.as_str())
        .bind(callback.subject.to_string())
        .bind(&callback.body)
        .bind(int(callback.created_at))
        .bind(callback.state.as_str())
        .bind(i64::from(callback.attempts))
        .bind(i64::from(callback.failures))
        .bind(callback.due_at.map(int))
        .bind(int(callback.due_at.unwrap_or(callback.created_at)))
}
