//! A row of `sessions`.

use checkout_domain::access::token::TokenHash;
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::Stored;

use crate::{Transaction, Value, query_rows};

/// Inserts sessions: the token, its payment, and the time of creation.
pub(crate) async fn insert(
    connection: &mut Transaction,
    sessions: &[(&TokenHash, PaymentId, u64)],
) -> Stored<()> {
    let row = |(token, payment, now): &(&TokenHash, PaymentId, u64)| -> Vec<Value> {
        vec![token.as_str().into(), (*payment).into(), (*now).into()]
    };
    let text =
        |new: &str| format!("INSERT INTO sessions (token_hash, payment, created_at) SELECT * FROM {new}");
    query_rows(Vec::new(), sessions.iter().map(row).collect(), text).run(connection).await
}
