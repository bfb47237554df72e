//! Recipients that are this gateway's own: the accounts that pay, and those to which payers pay. Money sent there would be charged to
//! one business and credited to another one, or to nobody.

use std::time::Duration;

use checkout_core::address::Address;
use checkout_core::{Network, tag};
use checkout_domain::chain::address_space::networks_of_account;
use checkout_domain::chain::environment::ANY_NETWORK;
use checkout_domain::chain::payout::Payout;
use checkout_domain::ports::broadcaster::Unsent;
use checkout_domain::ports::{Stored, Tx};
use tokio::time::timeout;

use crate::service::App;

/// How long a node has for its answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether a text, which may carry a tag, is an own address, in whatever spelling. If a node does not answer, it is not; the node is
/// asked again before anything is signed. Asked before a transaction, so that none waits for a node.
pub async fn is_own(app: &App, network: Network, text: &str) -> bool {
    let answer = ask(app, network, text).await;
    answer.unwrap_or_else(|error| {
        tracing::warn!(%network, ?error, "it is not known whether a recipient is an own account");
        false
    })
}

/// The same of a payout; `None` if a node does not answer.
pub(crate) async fn is_own_recipient(app: &App, payout: &Payout) -> Option<bool> {
    let answer = ask(app, payout.pair.network, &payout.to).await;
    answer.inspect_err(|error| tracing::warn!(payout = %payout.id, ?error, "its recipient is not known")).ok()
}

/// Whether payers pay to an address: the part of the question that a transaction answers.
pub(crate) async fn is_deposit_address(tx: &mut dyn Tx, network: Network, text: &str) -> Stored<bool> {
    match account(network, text) {
        Some(account) => tx.is_own(&account.to_string()).await,
        None => Ok(false),
    }
}

fn late() -> Unsent {
    Unsent::later(format!("no answer in {} seconds", PATIENCE.as_secs()))
}

async fn ask(app: &App, network: Network, text: &str) -> Result<bool, Unsent> {
    let Some(account) = account(network, text) else { return Ok(false) };
    let text = account.to_string();
    if !app.store.ours(network, std::slice::from_ref(&text)).await?.is_empty() {
        return Ok(true);
    }
    for network in networks_of_account(network) {
        // The account that takes all deposits, before the first one.
        if app.addresses.address(*network, 0).as_ref() == Some(&text) {
            return Ok(true);
        }
        if let Some(broadcaster) = app.broadcasters.get(network)
            && timeout(PATIENCE, broadcaster.is_own(&account)).await.unwrap_or_else(|_| Err(late()))?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The account of an address, without its tag.
fn account(network: Network, text: &str) -> Option<Address> {
    let (address, _) = tag::split(text).ok()?;
    Address::parse_with(network, address, &ANY_NETWORK).ok().map(|address| address.account())
}
