//! The port of settings.

use async_trait::async_trait;
use checkout_domain::ports::Stored;
use checkout_domain::ports::settings::{SettingStore, SettingTx};

use crate::changes::tx::SqlTx;
use crate::secrets::sealing;
use crate::{Database, query};

#[async_trait]
impl SettingStore for Database {
    async fn setting(&self, key: &str) -> Stored<Option<String>> {
        query("SELECT value FROM settings WHERE key = $1")
            .bind(key)
            .read_first(&self.readers, |row| sealing::stored_setting(&self.keys, key, row.text("value")?))
            .await
    }
}

#[async_trait]
impl SettingTx for SqlTx {
    async fn put_setting(&mut self, key: &str, value: &str) -> Stored<()> {
        query(
            "INSERT INTO settings (key, value) VALUES ($1, $2)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        )
        .bind(key)
        .bind(sealing::setting_to_store(&self.keys(), key, value)?)
        .run(self.now().await?)
        .await
    }

    async fn put_setting_if_absent(&mut self, key: &str, value: &str) -> Stored<String> {
        // Writes the existing value again, which locks the row until the transaction ends.
        let row = query(
            "INSERT INTO settings (key, value) VALUES ($1, $2)
             ON CONFLICT (key) DO UPDATE SET value = settings.value RETURNING value",
        )
        .bind(key)
        .bind(sealing::setting_to_store(&self.keys(), key, value)?)
        .fetch_one(self.now().await?)
        .await?;
        sealing::stored_setting(&self.keys(), key, row.text("value")?)
    }
}
