//! The networks that the gateway on a store serves, for commands that read no configuration file.

use checkout_core::Network;
use checkout_domain::ports::Stored;
use checkout_domain::ports::store::Store;

use crate::service::App;

const KEY: &str = "served_networks";

/// Stores those of this gateway.
pub async fn keep(app: &App) -> Stored<()> {
    let codes: Vec<&str> = app.chains.keys().map(|network| network.code()).collect();
    let mut tx = app.store.begin().await?;
    tx.put_setting(KEY, &codes.join(" ")).await?;
    tx.commit().await
}

/// Those of the gateway that started last; none before the first start.
pub async fn read(store: &dyn Store) -> Stored<Vec<Network>> {
    let codes = store.setting(KEY).await?.unwrap_or_default();
    Ok(codes.split(' ').filter_map(|code| code.parse().ok()).collect())
}
