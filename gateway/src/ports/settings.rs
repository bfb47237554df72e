//! Texts by key in the store: what one database is to remember of itself.

use async_trait::async_trait;

use super::Stored;

#[async_trait]
pub trait SettingStore: Send + Sync {
    async fn setting(&self, key: &str) -> Stored<Option<String>>;
}

#[async_trait]
pub trait SettingTx: Send {
    async fn put_setting(&mut self, key: &str, value: &str) -> Stored<()>;

    /// Sets `key` unless it is set; the value that stands.
    async fn put_setting_if_absent(&mut self, key: &str, value: &str) -> Stored<String>;
}
