//! Checks that a server and its account can take deposits.

use checkout_gateway::domain::chain::source::Check;

use crate::answers::{Account, Root};
use crate::node::Node;

/// Maximum lag of Horizon behind its node, in ledgers; one closes every five seconds.
const BEHIND: u32 = 12;

pub async fn checks(node: &Node, account: &str) -> Vec<Check> {
    let root = match node.any_root().await {
        Ok(root) => root,
        Err(error) => return vec![Check::fault("connection", error.to_string())],
    };
    let mut checks = vec![network(&root, node.passphrase()), sync(&root)];
    let (first, last) = (root.history_elder_ledger, root.history_latest_ledger);
    checks.push(Check::good("history", format!("ledgers {first} to {last}")));
    checks.push(match node.account(account).await {
        Ok(found) => check_account(found.as_ref(), account),
        Err(error) => Check::fault("account", error.to_string()),
    });
    checks
}

fn network(root: &Root, expected: &str) -> Check {
    let found = &root.network_passphrase;
    if found == expected {
        return Check::good("network", found);
    }
    let detail =
        format!("the server is on '{found}', and '{expected}' is configured: use a server of that network");
    Check::fault("network", detail)
}

fn sync(root: &Root) -> Check {
    let behind = root.core_latest_ledger.saturating_sub(root.history_latest_ledger);
    if root.history_latest_ledger == 0 {
        return Check::fault("sync", "Horizon has no ledger yet: wait until it is synchronized");
    }
    if behind > BEHIND {
        return Check::fault(
            "sync",
            format!("Horizon is {behind} ledgers behind its node: wait until it has caught up"),
        );
    }
    Check::good("sync", format!("ledger {}", root.history_latest_ledger))
}

fn check_account(found: Option<&Account>, address: &str) -> Check {
    match found {
        None => Check::fault(
            "account",
            format!("{address} does not exist yet: send it the reserve of an account"),
        ),
        Some(account) if !account.requires_memo() => Check::warning(
            "account",
            format!(
                "{address} does not require a memo, and deposits without one cannot be assigned to a payment: set its data entry config.memo_required to 1 (SEP-29)"
            ),
        ),
        Some(_) => Check::good("account", address),
    }
}
