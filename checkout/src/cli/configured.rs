//! The networks, keys and database of a configuration file.

use std::path::PathBuf;
use std::sync::Arc;

use checkout_chain_addresses::DepositKeys;
use checkout_storage::{Database, postgres, sqlite};
use clap::Args;

use super::{DATABASE, database_path, failed, open_with_keys, require_existing, secret_keys};
use crate::chains::{Connected, Sources};
use crate::config::ConfigFile;

#[derive(Debug, Args)]
pub(super) struct Configured {
    /// Configuration file, in TOML.
    #[arg(long, env = "CHECKOUT_CONFIG")]
    config: PathBuf,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
}

/// The names in the file; nothing is connected.
pub(super) struct Opened {
    pub(super) database: Database,
    pub(super) sources: Sources,
    pub(super) addresses: Arc<DepositKeys>,
    keys: Vec<(checkout_core::Network, String)>,
    scratch: Option<Scratch>,
}

impl Configured {
    pub(super) async fn open(self) -> Result<Opened, String> {
        self.open_on(false).await
    }

    async fn open_on(self, for_check: bool) -> Result<Opened, String> {
        let file = ConfigFile::read(&self.config)?;
        let (sources, keys) = (file.sources()?, file.keys()?);
        if sources.is_empty() {
            return Err(format!("{} has no section [chains.…].", self.config.display()));
        }
        if for_check {
            file.check(&sources)?;
        }
        let addresses = Arc::new(DepositKeys::of(&keys, &sources.environments())?);
        let (url, keyring) = (self.database.or(file.database), secret_keys().or(file.secret_keys));
        let scratch = if for_check { Scratch::for_missing(url.as_deref())? } else { None };
        let database = if let Some(scratch) = &scratch {
            sqlite::open(&scratch.0.join("checkout.db")).await.map_err(failed)?
        } else {
            require_existing(url.as_deref())?;
            open_with_keys(url.as_deref(), keyring.as_deref()).await?
        };
        Ok(Opened { database, sources, addresses, keys, scratch })
    }

    pub(super) async fn connect(self) -> Result<(Database, Connected, Arc<DepositKeys>), String> {
        let Opened { database, sources, addresses, keys, .. } = self.open().await?;
        let connected = sources.connect(&keys, &addresses, &database).await?;
        Ok((database, connected, addresses))
    }

    /// Connects also before the first start, without making the database.
    pub(super) async fn connect_for_check(
        self,
    ) -> Result<(Database, Connected, Arc<DepositKeys>, Option<Scratch>), String> {
        let Opened { database, sources, addresses, keys, scratch } = self.open_on(true).await?;
        let connected = sources.connect(&keys, &addresses, &database).await?;
        Ok((database, connected, addresses, scratch))
    }
}

/// An empty database in place of a missing one. It is deleted with this value.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    fn for_missing(url: Option<&str>) -> Result<Option<Self>, String> {
        if url.is_some_and(postgres::is_url) || database_path(url)?.exists() {
            return Ok(None);
        }
        Ok(Some(Self(std::env::temp_dir().join(format!("checkout-check-{}", std::process::id())))))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
