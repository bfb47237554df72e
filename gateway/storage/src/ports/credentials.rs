//! The port of tokens and sessions.

use async_trait::async_trait;
use checkout_domain::access::actor::Actor;
use checkout_domain::access::scope::Scopes;
use checkout_domain::access::token::{Caller, TokenHash};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::payment::Version;
use checkout_domain::ports::Stored;
use checkout_domain::ports::credentials::{Credential, CredentialStore, CredentialTx, Known};

use crate::changes::tx::SqlTx;
use crate::statements::row::{Row, bad};
use crate::{Database, query, rows};

#[async_trait]
impl CredentialTx for SqlTx {
    async fn put_credential(
        &mut self,
        token: &TokenHash,
        caller: Caller,
        scopes: Scopes,
        now: u64,
    ) -> Stored<()> {
        let business = match caller {
            Caller::Organisation => None,
            Caller::Business(id) => Some(id.to_string()),
            Caller::Session { .. } => return Err(bad("business")),
        };
        query(
            "INSERT INTO credentials (token_hash, business, created_at, scopes) VALUES ($1, $2, $3, $4)
             ON CONFLICT (token_hash) DO UPDATE SET ends_at = NULL, scopes = excluded.scopes",
        )
        .bind(token.as_str())
        .bind(business)
        .bind(now)
        .bind(scopes.to_text())
        .run(self.now().await?)
        .await
    }

    async fn put_maker(&mut self, token: &TokenHash, maker: &Actor) -> Stored<()> {
        query("UPDATE credentials SET made_by = $2 WHERE token_hash = $1")
            .bind(token.as_str())
            .bind(maker.to_string())
            .run(self.now().await?)
            .await
    }

    async fn maker(&mut self, credential: &Actor) -> Stored<Option<Actor>> {
        let Actor::Credential(handle) = credential else { return Ok(None) };
        // A handle is the start of a hash in hexadecimal, which sorts below it followed by `g`.
        let found =
            query("SELECT made_by FROM credentials WHERE token_hash >= $1 AND token_hash < $1 || 'g'");
        let found = found.bind(handle).read_first(self.now().await?, |row| row.optional_parsed("made_by"));
        Ok(found.await?.flatten())
    }

    async fn put_session(&mut self, token: &TokenHash, payment: PaymentId, now: u64) -> Stored<()> {
        rows::session::insert(self.now().await?, &[(token, payment, now)]).await
    }

    async fn end_tokens_of(&mut self, business: BusinessId, scopes: Option<Scopes>, at: u64) -> Stored<()> {
        query(
            "UPDATE credentials SET ends_at = $2 WHERE business = $1 AND (ends_at IS NULL OR ends_at > $2)
             AND ($3 = 0 OR COALESCE(scopes, '') = $4)",
        )
        .bind(business)
        .bind(at)
        .bind(scopes.is_some())
        .bind(scopes.and_then(Scopes::to_text).unwrap_or_default())
        .run(self.now().await?)
        .await
    }

    async fn keep_sessions(&mut self, payment: PaymentId, until: u64) -> Stored<()> {
        let later = "UPDATE sessions SET kept_until = $2 WHERE payment = $1 AND (kept_until IS NULL OR kept_until < $2)";
        query(later).bind(payment).bind(until).run(self.now().await?).await
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
            let done = query(update).bind(hash_prefix).bind(at).execute(self.now().await?).await?;
            count += done;
        }
        Ok(count)
    }
}

#[async_trait]
impl CredentialStore for Database {
    async fn caller(&self, token: &TokenHash, now: u64) -> Stored<Option<Known>> {
        Ok(self.authenticate(token, now, None).await?.map(|(known, _)| known))
    }

    async fn caller_and_version(
        &self,
        token: &TokenHash,
        now: u64,
        payment: PaymentId,
    ) -> Stored<Option<(Known, Option<Version>)>> {
        self.authenticate(token, now, Some(payment)).await
    }

    async fn credentials(&self, business: Option<BusinessId>) -> Stored<Vec<Credential>> {
        query(
            "SELECT token_hash, business, scopes, created_at, ends_at FROM credentials
             WHERE $1 IS NULL OR business = $1 ORDER BY created_at, token_hash",
        )
        .bind(business)
        .read_all(&self.readers, |row| {
            let caller = row.optional_parsed("business")?.map_or(Caller::Organisation, Caller::Business);
            let scopes = Scopes::parse(row.optional_text("scopes")?.as_deref());
            credential(row, caller, scopes.ok_or_else(|| bad("scopes"))?)
        })
        .await
    }

    async fn sessions(&self, payment: PaymentId) -> Stored<Vec<Credential>> {
        query(
            "SELECT token_hash, created_at, ends_at FROM sessions WHERE payment = $1
             ORDER BY created_at, token_hash",
        )
        .bind(payment)
        .read_all(&self.readers, |row| credential(row, Caller::Session { payment }, Scopes::EVERYTHING))
        .await
    }
}

fn credential(row: &Row, caller: Caller, scopes: Scopes) -> Stored<Credential> {
    Ok(Credential {
        token: TokenHash::stored(row.text("token_hash")?),
        caller,
        scopes,
        created_at: row.number("created_at")?,
        ends_at: row.optional_number("ends_at")?,
    })
}
