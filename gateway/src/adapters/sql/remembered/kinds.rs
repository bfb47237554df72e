use std::sync::Arc;

use uuid::Uuid;

use super::revisions::Subject;
use super::{Kept, Kind, Remembered};
use crate::adapters::sql::shelf::DEPOSITS;
use crate::adapters::sql::view::Token;
use crate::adapters::sql::{Transaction, business_row, query, session_row, store};
use crate::domain::access::token::TokenHash;
use crate::domain::business::Business;
use crate::domain::payment::Record;
use crate::ports::Stored;

impl Kind for Token {
    type Key = TokenHash;

    fn subject(key: &TokenHash) -> Subject {
        Subject::Token(key.clone())
    }

    fn kept(memory: &Remembered, key: &TokenHash) -> Option<Kept<Self>> {
        memory.shelves().tokens.get(key)
    }

    fn keep(memory: &Remembered, key: &TokenHash, kept: Kept<Self>) {
        memory.shelves().tokens.put(key.clone(), kept);
    }

    async fn load(snapshot: &mut Transaction, key: &TokenHash) -> Stored<Option<Self>> {
        let row = query(
            "SELECT 'credential' AS kind, business AS id, ends_at FROM credentials WHERE token_hash = $1
             UNION ALL
             SELECT 'session', payment, ends_at FROM sessions WHERE token_hash = $1",
        );
        let Some(row) = row.bind(key.as_str()).fetch_optional(snapshot).await? else { return Ok(None) };
        session_row::token(&row).map(Some)
    }
}

impl Kind for Arc<Business> {
    type Key = Uuid;

    fn subject(key: &Uuid) -> Subject {
        Subject::Business(*key)
    }

    fn kept(memory: &Remembered, key: &Uuid) -> Option<Kept<Self>> {
        memory.shelves().businesses.get(key)
    }

    fn keep(memory: &Remembered, key: &Uuid, kept: Kept<Self>) {
        memory.shelves().businesses.put(*key, kept);
    }

    async fn load(snapshot: &mut Transaction, key: &Uuid) -> Stored<Option<Self>> {
        Ok(business_row::find(snapshot, *key).await?.map(Self::new))
    }
}

impl Kind for Arc<Record> {
    type Key = Uuid;

    fn subject(key: &Uuid) -> Subject {
        Subject::Payment(*key)
    }

    fn kept(memory: &Remembered, key: &Uuid) -> Option<Kept<Self>> {
        memory.shelves().records.get(key)
    }

    fn keep(memory: &Remembered, key: &Uuid, kept: Kept<Self>) {
        if kept.value.deposits.len() <= DEPOSITS {
            memory.shelves().records.put(*key, kept);
        } else {
            memory.shelves().records.remove(key);
        }
    }

    async fn load(snapshot: &mut Transaction, key: &Uuid) -> Stored<Option<Self>> {
        let payment = query("SELECT * FROM payments WHERE id = $1");
        Ok(store::record(snapshot, payment, *key).await?.map(Self::new))
    }
}
