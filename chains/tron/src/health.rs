//! What an operator has to know of a server.

use alloy_primitives::{Address, U256};
use checkout_core::Pair;
use checkout_gateway::domain::chain::source::Check;

use crate::account;
use crate::api::ApiError;
use crate::node::Node;
use crate::settings::Settings;

/// Seconds without a solidified block after which the main network or its server has a problem. One takes about a minute.
const STALE: u64 = 300;

/// What can change from one moment to the next. `now` is a UNIX second.
pub(crate) async fn now(node: &Node, settings: &Settings, now: u64) -> Vec<Check> {
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

/// What stays as it is.
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

fn connection(error: &ApiError) -> Check {
    let subject = match error {
        ApiError::Limited => "rate limit",
        ApiError::Malformed { path: "wallet/getblock", .. } => "network",
        _ => "connection",
    };
    Check::fault(subject, error.to_string())
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
        Err(error) => Check::fault("token", format!("{currency} at {shown} is no token: {error}")),
    }
}
