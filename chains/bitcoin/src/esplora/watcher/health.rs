//! Health checks of a server. What does not change is asked for once, so that a check costs one request.

use std::time::Duration;

use checkout_core::Network;
use checkout_domain::chain::source::{Check, RATE_LIMIT};
use serde_json::{Map, Value};

use super::EsploraChain;
use crate::esplora::api::is_refusal;
use crate::settings::Environment;
use crate::watcher::health::longest_wait;
use checkout_chain_http::NodeError;

/// A server that asks to wait longer is a fault: deposits are seen late.
pub(super) const TOLERATED_WAIT: Duration = Duration::from_mins(2);

/// Tolerated time of a block in the future, in seconds: that of the networks.
const AHEAD: u64 = 2 * 60 * 60;

pub(super) async fn look(chain: &EsploraChain) -> Vec<Check> {
    let mut checks = Vec::new();
    match questions(chain, &mut checks).await {
        Ok(()) => {}
        Err(error @ NodeError::Limited(held)) => checks.push(if held.wait() > TOLERATED_WAIT {
            Check::fault(RATE_LIMIT, format!("{error}; raise poll_seconds, or use another server"))
        } else {
            Check::warning(RATE_LIMIT, error.to_string())
        }),
        Err(error) => checks.push(Check::fault("connection", error.to_string())),
    }
    checks
}

async fn questions(chain: &EsploraChain, checks: &mut Vec<Check>) -> Result<(), NodeError> {
    let tip = chain.block().await?;
    checks.push(Check::good("connection", "the Esplora server answers"));
    if !chain.is_verified() && !is_right_network(chain, checks).await? {
        return Ok(());
    }
    let now = chain.ports.clock.now();
    let age = now.saturating_sub(tip.timestamp);
    let limits = chain.environment == Environment::Mainnet;
    checks.push(if limits && age > longest_wait(chain.network) {
        let detail =
            format!("the last block is {} minutes old: the server lags, or a clock is wrong", age / 60);
        Check::fault("blocks", detail)
    } else {
        Check::good("blocks", format!("{} blocks", tip.height))
    });
    if tip.timestamp > now + AHEAD {
        let detail = format!(
            "the last block is {} minutes ahead of this machine's clock: set it",
            (tip.timestamp - now) / 60
        );
        checks.push(Check::warning("clock", detail));
    }
    Ok(())
}

/// Checks the network by its first block, and that the server knows addresses.
async fn is_right_network(chain: &EsploraChain, checks: &mut Vec<Check>) -> Result<bool, NodeError> {
    let (network, expected) = (chain.network, chain.environment.name());
    let first = chain.api.text("/block-height/0").await?;
    let found = Environment::ALL.into_iter().find(|known| genesis(network, *known).contains(&first.trim()));
    if found != Some(chain.environment) {
        let found = found.map_or("a network of another coin", Environment::name);
        let detail = format!("the server is on {found}, and [chains.{network}] says {expected}");
        checks.push(Check::fault("network", detail));
        return Ok(false);
    }
    checks.push(Check::good("network", format!("{network} {expected}")));
    if let Some(address) = chain.ports.addresses.address(network, 0) {
        match chain.api.json::<Map<String, Value>>(&format!("/address/{address}")).await {
            Ok(_) => checks.push(Check::good("addresses", "the server finds transactions by address")),
            Err(error) if is_refusal(&error) => {
                checks.push(Check::fault("addresses", format!("{address}: {error}")));
                return Ok(false);
            }
            Err(error) => return Err(error),
        }
    }
    chain.note_verified();
    Ok(true)
}

/// The hash of the first block. Testnet has several generations.
fn genesis(network: Network, environment: Environment) -> &'static [&'static str] {
    match (network, environment) {
        (Network::Btc, Environment::Mainnet) => {
            &["000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"]
        }
        (Network::Btc, Environment::Testnet) => &[
            "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
            "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043",
        ],
        (Network::Btc, Environment::Signet) => {
            &["00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6"]
        }
        (Network::Btc, Environment::Regtest) => {
            &["0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206"]
        }
        (Network::Ltc, Environment::Mainnet) => {
            &["12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2"]
        }
        (Network::Ltc, Environment::Testnet) => {
            &["4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0"]
        }
        (Network::Ltc, Environment::Regtest) => {
            &["530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9"]
        }
        _ => &[],
    }
}
