use async_trait::async_trait;
use uuid::Uuid;

use super::row::{Row, int};
use super::tx::SqlTx;
use super::{Database, query};
use crate::domain::access::token::{Caller, TokenHash};
use crate::ports::Stored;
use crate::ports::credentials::{Credential, CredentialTx, Credentials};

#[async_trait]
impl CredentialTx for SqlTx {
    async fn end_tokens_of(&mut self, business: Uuid, at: u64) -> Stored<()> {
        query(
            "UPDATE credentials SET ends_at = $2 WHERE business = $1 AND (ends_at IS NULL OR ends_at > $2)",
        )
        .bind(business.to_string())
        .bind(int(at))
        .execute(&mut self.0)
        .await?;
        Ok(())
    }

    async fn end_tokens(&mut self, hash_prefix: &str, at: u64) -> Stored<u64> {
        let mut count = 0;
        // Hashes are hexadecimal, so all hashes with a prefix sort below the prefix followed by `g`.
        for update in [
            "UPDATE credentials SET ends_at = CASE WHEN ends_at < $2 THEN ends_at ELSE $2 END
             WHERE token_hash >= $1 AND token_hash < $1 || 'g'",
            "UPDATE sessions SET ends_at = CASE WHEN ends_at < $2 THEN ends_at ELSE $2 END
             WHERE token_hash >= $1 AND token_hash < $1 || 'g'",
        ] {
            let done = query(update).bind(hash_prefix).bind(int(at)).execute(&mut self.0).await?;
            count += done;
        }
        Ok(count)
    }
}

#[async_trait]
impl Credentials for Database {
    async fn credentials(&self, business: Option<Uuid>) -> Stored<Vec<Credential>> {
        let rows = query(
            "SELECT token_hash, business, created_at, ends_at FROM credentials
             WHERE $1 IS NULL OR business = $1 ORDER BY created_at, token_hash",
        )
        .bind(business.map(|id| id.to_string()))
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter()
            .map(|row| {
                let caller = row.optional_parsed("business")?.map_or(Caller::Organisation, Caller::Business);
                credential(&row, caller)
            })
            .collect()
    }

    async fn sessions(&self, payment: Uuid) -> Stored<Vec<Credential>> {
        let rows = query(
            "SELECT token_hash, created_at, ends_at FROM sessions WHERE payment = $1
             ORDER BY created_at, token_hash",
        )
        .bind(payment.to_string())
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter().map(|row| credential(&row, Caller::Session { payment })).collect()
    }
}

fn credential(row: &Row, caller: Caller) -> Stored<Credential> {
    Ok(Credential {
        token: TokenHash::stored(row.text("token_hash")?),
        caller,
        created_at: row.number("created_at")?,
        ends_at: row.optional_number("ends_at")?,
    })
}
