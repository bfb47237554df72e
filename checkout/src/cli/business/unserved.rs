//! Says which currencies of a business no gateway on its database serves yet.

use std::collections::BTreeSet;
use std::io::Write as _;

use checkout_core::{Network, pair};
use checkout_domain::business::Business;
use checkout_domain::business::deposit_pairs::DepositChoice;
use checkout_gateway::service::state::served_networks;
use checkout_storage::Database;

use crate::cli::failed;

/// A note on standard error: the configuration file of a gateway may come later.
pub(super) async fn note(database: &Database, business: &Business) -> Result<(), String> {
    let served = served_networks::read(database).await.map_err(failed)?;
    let mut unserved = business.deposit_choices();
    unserved.retain(|choice| !networks(*choice).iter().any(|network| served.contains(network)));
    if unserved.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = unserved.iter().map(ToString::to_string).collect();
    let sections: BTreeSet<Network> = unserved.into_iter().flat_map(networks).collect();
    let sections: Vec<String> = sections.iter().map(|network| format!("[chains.{network}]")).collect();
    let _ = writeln!(
        std::io::stderr(),
        "Note: no gateway on this database serves {} yet. Payers are offered a network once the configuration file has its section: {}.",
        names.join(", "),
        sections.join(", "),
    );
    Ok(())
}

fn networks(choice: DepositChoice) -> Vec<Network> {
    let usual =
        || pair::usual(choice.currency).filter(|pair| pair.deposit).map(|pair| pair.network).collect();
    choice.network.map_or_else(usual, |only| vec![only])
}
