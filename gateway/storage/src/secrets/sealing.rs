//! Seals the secrets that are in the database: at every start, so that a new key takes over what an old one sealed.

use std::sync::Arc;

use checkout_domain::ports::Stored;

use super::seal::{Keyring, SecretKind};
use crate::{Database, On, Row, Transaction, Writer, query};

/// Settings that are secrets.
const SECRET_SETTINGS: [&str; 1] = ["token_key"];

/// The key that sealed last.
const SEALED_BY: &str = "sealed_by";

pub(crate) fn setting_to_store(keys: &Keyring, key: &str, value: &str) -> Stored<String> {
    if SECRET_SETTINGS.contains(&key) {
        keys.seal(&SecretKind::setting(key), value)
    } else {
        Ok(value.to_owned())
    }
}

pub(crate) fn stored_setting(keys: &Keyring, key: &str, stored: String) -> Stored<String> {
    if SECRET_SETTINGS.contains(&key) { keys.open(&SecretKind::setting(key), stored) } else { Ok(stored) }
}

impl Database {
    /// The same database, whose secrets these keys open. An error when they are sealed and the key is not among them.
    pub async fn with_keys(mut self, keys: Keyring) -> Stored<Self> {
        let by = query("SELECT value FROM settings WHERE key = $1").bind(SEALED_BY);
        if let Some(row) = by.fetch_optional(&self.readers).await? {
            keys.require(&row.text("value")?)?;
        }
        self.keys = Arc::new(keys);
        Ok(self)
    }

    /// Seals every secret by the first key, and returns how many were not. Without keys it only makes sure that none is
    /// sealed.
    pub async fn seal_secrets(&self) -> Stored<u64> {
        let mut change = self.change().await?;
        if let Transaction::Sqlite(_) = change {
            // What was not sealed is not left in free parts of the file.
            query("PRAGMA secure_delete = ON").once().execute(&mut change).await?;
        }
        let count = self.seal_all(&mut change).await?;
        change.commit().await?;
        if let Writer::Sqlite(pool, _) = &self.writer {
            query("PRAGMA secure_delete = OFF").once().execute(On::SqlitePool(pool)).await?;
            if count > 0 {
                query("PRAGMA wal_checkpoint(TRUNCATE)").once().execute(On::SqlitePool(pool)).await?;
            }
        }
        Ok(count)
    }

    async fn seal_all(&self, change: &mut Transaction) -> Stored<u64> {
        let mut count = 0;
        let secrets = "SELECT id AS owner, callback_secret AS secret FROM businesses
             UNION ALL SELECT business AS owner, secret FROM retired_secrets";
        for row in query(secrets).fetch_all(&mut *change).await? {
            let owner = row.text("owner")?;
            let Some((old, new)) = self.resealed(&SecretKind::callback_secret(&owner), &row)? else {
                continue;
            };
            for update in [
                "UPDATE businesses SET callback_secret = $3 WHERE id = $1 AND callback_secret = $2",
                "UPDATE retired_secrets SET secret = $3 WHERE business = $1 AND secret = $2",
            ] {
                count += query(update).bind(&owner).bind(&old).bind(&new).execute(&mut *change).await?;
            }
        }
        let shops = "SELECT id AS owner, greenfield AS secret FROM businesses WHERE greenfield IS NOT NULL";
        for row in query(shops).fetch_all(&mut *change).await? {
            let owner = row.text("owner")?;
            let Some((old, new)) = self.resealed(&SecretKind::greenfield(&owner), &row)? else { continue };
            let update = query("UPDATE businesses SET greenfield = $3 WHERE id = $1 AND greenfield = $2");
            count += update.bind(&owner).bind(&old).bind(&new).execute(&mut *change).await?;
        }
        let codes = "SELECT id AS owner, totp AS secret FROM operators WHERE totp IS NOT NULL";
        for row in query(codes).fetch_all(&mut *change).await? {
            let owner = row.text("owner")?;
            let Some((old, new)) = self.resealed(&SecretKind::totp(&owner), &row)? else { continue };
            let update = query("UPDATE operators SET totp = $3 WHERE id = $1 AND totp = $2");
            count += update.bind(&owner).bind(&old).bind(&new).execute(&mut *change).await?;
        }
        for key in SECRET_SETTINGS {
            let row = query("SELECT value AS secret FROM settings WHERE key = $1").bind(key);
            let Some(row) = row.fetch_optional(&mut *change).await? else { continue };
            let Some((old, new)) = self.resealed(&SecretKind::setting(key), &row)? else { continue };
            let update = query("UPDATE settings SET value = $3 WHERE key = $1 AND value = $2");
            count += update.bind(key).bind(&old).bind(&new).execute(&mut *change).await?;
        }
        if let Some(id) = self.keys.id() {
            let mark = "INSERT INTO settings (key, value) VALUES ($1, $2)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value";
            query(mark).bind(SEALED_BY).bind(id).execute(change).await?;
        }
        Ok(count)
    }

    /// The stored and the sealed text; `None` when it is sealed already.
    fn resealed(&self, kind: &SecretKind, row: &Row) -> Stored<Option<(String, String)>> {
        let old = row.text("secret")?;
        let secret = self.keys.open(kind, old.clone())?;
        if self.keys.is_current(&old) {
            return Ok(None);
        }
        Ok(Some((old, self.keys.seal(kind, &secret)?)))
    }
}
