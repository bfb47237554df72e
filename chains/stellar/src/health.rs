//! Checks that a server and its account can take deposits.

use checkout_domain::chain::source::{self, Check};

use crate::answers::{Account, Root};
use crate::node::Node;
use checkout_chain_http::error::tried;

/// Maximum lag of Horizon behind its node, in ledgers; one closes every five seconds.
const BEHIND: u32 = 12;

pub async fn checks(node: &Node, account: &str) -> Vec<Check> {
    let root = match node.any_root().await {
        Ok(root) => root,
        Err(error) => return vec![error.check("connection")],
    };
    let mut checks = vec![network(&root, node.passphrase()), sync(&root)];
    let (first, last) = (root.history_elder_ledger, root.history_latest_ledger);
    checks.push(Check::good("history", format!("ledgers {first} to {last}")));
    match node.account_at(account).await {
        Ok(found) => {
            checks.push(check_account(found.as_ref().map(|(account, _)| account), account));
            if matches!(found, Some((_, None))) {
                checks.push(Check::warning(
                    "ledger",
                    "Horizon does not name the ledger of its answers (Latest-Ledger): a payout that expires waits for an operator",
                ));
            }
        }
        Err(error) => checks.push(error.check("account")),
    }
    checks
}

/// Calls what reading and payouts call and the other checks do not.
pub async fn methods(node: &Node, account: &str) -> Vec<Check> {
    let last = match node.last_ledger().await {
        Ok(last) => last.sequence,
        Err(error) => return vec![error.check("method")],
    };
    // Of an empty transaction it says that it is malformed.
    let submitted = match node.submit(&[]).await {
        Ok(_) => Ok(()),
        Err(error) if error.number() == Some(400) => Ok(()),
        Err(error) => Err(error.to_string()),
    };
    source::methods(vec![
        ("ledgers/{sequence}", tried(node.ledger(last).await)),
        ("accounts/{id}/payments", tried(node.payments(account, "0").await)),
        ("accounts/{id}/transactions", tried(node.newest_transactions(account, None).await)),
        ("transactions/{hash}", tried(node.transaction(&"0".repeat(64)).await)),
        ("fee_stats", tried(node.fee().await)),
        ("transactions_async", submitted),
    ])
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
