//! A row of `sessions`.

use checkout_domain::access::token::TokenHash;
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::Stored;

use crate::{Transaction, placeholders, query_rows};

/// Inserts sessions: the token, its payment, and the time of creation.
pub(crate) async fn insert(
    connection: &mut Transaction,
    sessions: &[(&TokenHash, PaymentId, u64)],
) -> Stored<()> {
    if sessions.is_empty() {
        return Ok(());
    }
    let values = placeholders(sessions.len(), 3);
    let text = format!("INSERT INTO sessions (token_hash, payment, created_at) VALUES {values}");
    let statement = query_rows(text, sessions.len(), 3);
    let statement = sessions.iter().fold(statement, |statement, (token, payment, now)| {
        statement.bind(token.as_str()).bind(*payment).bind(*now)
    });
    statement.run(connection).await
}
