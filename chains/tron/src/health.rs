//! The health checks of a server.

use alloy_primitives::{Address, B256, U256};
use checkout_core::{Currency, Pair};
use checkout_domain::chain::source::{self, Check};

use crate::account;
use crate::node::{Node, Of};
use crate::settings::Settings;
use checkout_chain_http::NodeError;

/// Seconds without a solidified block after which the main network or its server has a problem. One takes about a minute.
const STALE: u64 = 300;

/// The checks whose results change. `now` is a UNIX second.
pub(crate) async fn current_checks(node: &Node, settings: &Settings, now: u64) -> Vec<Check> {
    let solid = match node.verify().await {
        Ok(()) => node.solid().await,
        Err(error) => Err(error),
    };
    let solid = match solid {
        Ok(solid) => solid,
        Err(error) => return vec![connection(&error)],
    };
    let place = if settings.is_main() { "main network" } else { "network for tests" };
    vec![
        Check::good("connection", "the server answers"),
        Check::good("network", format!("a {place}")),
        clock(settings, solid.number(), solid.millis() / 1000, now),
    ]
}

/// The checks whose results do not change.
pub(crate) async fn setup(node: &Node, settings: &Settings) -> Vec<Check> {
    let mut checks = Vec::new();
    for (pair, contract) in settings.token_pairs() {
        checks.push(token(node, pair, contract).await);
    }
    if checks.is_empty() {
        let detail = "no token is configured on this network for tests: [chains.TRX.tokens]";
        checks.push(Check::fault("token", detail));
    }
    checks
}

/// Calls what reading and payouts call and the other checks do not. Lite nodes close some of it.
pub(crate) async fn methods(node: &Node, settings: &Settings) -> Vec<Check> {
    fn tried<T>(answer: Result<T, NodeError>) -> Result<(), String> {
        answer.map(drop).map_err(|error| match error {
            NodeError::Refused { message, .. } if message.contains("lite") => {
                format!("{message}: use a full node, or a provider")
            }
            error => error.to_string(),
        })
    }
    let (newest, solid) = match (node.newest().await, node.solid().await) {
        (Ok(newest), Ok(solid)) => (newest.number(), solid.number()),
        (Err(error), _) | (_, Err(error)) => return vec![connection(&error)],
    };
    let (nothing, nobody) = (B256::ZERO, Address::ZERO);
    // What is sent is nothing, so a refusal shows that the method is there.
    let sent = match node.broadcast(&[]).await {
        Err(NodeError::Refused { message, .. }) if !message.contains("closed") => Ok(()),
        answer => tried(answer),
    };
    let mut checks = source::methods(vec![
        ("wallet/getblockbylimitnext", tried(node.blocks(Of::Newest, newest, newest + 1).await)),
        ("walletsolidity/getblockbylimitnext", tried(node.blocks(Of::Solid, solid, solid + 1).await)),
        ("wallet/gettransactioninfobyblocknum", tried(node.infos(newest).await)),
        ("wallet/gettransactioninfobyid", tried(node.info(Of::Newest, nothing).await)),
        ("walletsolidity/gettransactioninfobyid", tried(node.info(Of::Solid, nothing).await)),
        ("wallet/gettransactionfrompending", tried(node.is_pending(nothing).await)),
        ("wallet/getaccount", tried(node.balance(nobody).await)),
        ("wallet/getaccountresource", tried(node.resources(nobody).await)),
        ("wallet/getchainparameters", tried(node.parameters().await)),
        ("wallet/broadcasthex", sent),
    ]);
    let has_usdc = settings.token_pairs().any(|(pair, _)| pair.currency == Currency::Usdc);
    if settings.is_main() && has_usdc {
        checks.push(Check::warning("token", USDC));
    }
    checks
}

const USDC: &str = "USDC on TRX was ended by its issuer (no new ones since 21 February 2024; transfers were promised until February \
    2025): leave it out with `checkout business update --deposit-pairs`";

fn connection(error: &NodeError) -> Check {
    let subject = if error.is_malformed("wallet/getblock") { "network" } else { "connection" };
    error.check(subject)
}

/// Test chains make blocks when they like.
fn clock(settings: &Settings, number: u64, time: u64, now: u64) -> Check {
    if time > now + 60 {
        return Check::warning("clock", format!("the newest block is {} s in the future", time - now));
    }
    let age = now.saturating_sub(time);
    if age > STALE && settings.is_main() {
        let detail = format!(
            "the newest solidified block, {number}, is {age} s old: the server is cut off, or the clock is wrong"
        );
        return Check::fault("sync", detail);
    }
    Check::good("sync", format!("solidified up to block {number}, {age} s old"))
}

async fn token(node: &Node, pair: &Pair, contract: Address) -> Check {
    let (currency, shown) = (pair.currency, account::to_text(contract));
    match node.token_decimals(contract).await {
        Ok(decimals) if decimals == U256::from(pair.decimals) => {
            Check::good("token", format!("{currency} at {shown}"))
        }
        Ok(decimals) => {
            let detail =
                format!("{currency} at {shown} has {decimals} decimals instead of {}", pair.decimals);
            Check::fault("token", detail)
        }
        Err(error) if error.is_limit() => error.check("token"),
        Err(error) => Check::fault("token", format!("{currency} at {shown} is no token: {error}")),
    }
}
