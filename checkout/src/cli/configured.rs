//! The networks, keys and database of a configuration file.

use std::path::PathBuf;
use std::sync::Arc;

use checkout_gateway::adapters::deposit_keys::DepositKeys;
use checkout_gateway::storage::Database;
use clap::Args;

use super::{DATABASE, open_database};
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

/// What the file names; nothing is connected.
pub(super) struct Opened {
    pub(super) database: Database,
    pub(super) sources: Sources,
    pub(super) addresses: Arc<DepositKeys>,
    keys: Vec<(checkout_core::Network, String)>,
}

impl Configured {
    pub(super) async fn open(self) -> Result<Opened, String> {
        let file = ConfigFile::read(&self.config)?;
        let (sources, keys) = (Sources::read(file.chains()?)?, file.keys()?);
        if sources.is_empty() {
            return Err(format!("{} has no section [chains.…].", self.config.display()));
        }
        let addresses = Arc::new(DepositKeys::of(&keys, &sources.environments())?);
        let database = open_database(self.database.or(file.database).as_deref()).await?;
        Ok(Opened { database, sources, addresses, keys })
    }

    pub(super) async fn connect(self) -> Result<(Database, Connected, Arc<DepositKeys>), String> {
        let Opened { database, sources, addresses, keys } = self.open().await?;
        let connected = sources.connect(&keys, &addresses, &database).await?;
        Ok((database, connected, addresses))
    }
}
