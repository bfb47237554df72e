//! Stored texts by key: settings of the database itself.

use async_trait::async_trait;

use super::Stored;

#[async_trait]
pub trait SettingStore: Send + Sync {
    async fn setting(&self, key: &str) -> Stored<Option<String>>;
}

#[async_trait]
pub trait SettingTx: Send {
    async fn put_setting(&mut self, key: &str, value: &str) -> Stored<()>;

    /// Sets `key` unless it is set; returns the stored value.
    async fn put_setting_if_absent(&mut self, key: &str, value: &str) -> Stored<String>;
}
