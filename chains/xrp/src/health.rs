//! Checks that a server and its account can take deposits.

use checkout_domain::chain::source::{self, Check};

use crate::NetworkId;
use crate::answers::{Account, Info, range_of};
use crate::entry::LedgerEntry;
use crate::node::Node;
use crate::payment;
use checkout_chain_http::NodeError;
use checkout_chain_http::error::tried;

/// Ledgers are validated every three to five seconds.
const OLDEST: u64 = 60;

/// States of a server that is in sync with the network.
const FOLLOWING: [&str; 3] = ["full", "validating", "proposing"];

pub async fn checks(node: &Node, account: &str) -> Vec<Check> {
    let info = match node.info().await {
        Ok(info) => info,
        Err(error) => return vec![error.check("connection")],
    };
    let mut checks = vec![network(&info, node.network()), sync(&info), history(&info)];
    checks.push(match node.account(account).await {
        Ok(found) => check_account(found.as_ref(), account),
        Err(error) => error.check("account"),
    });
    checks
}

/// Calls what reading and payouts call and the other checks do not.
pub async fn methods(node: &Node, account: &str) -> Vec<Check> {
    let nothing = "0".repeat(64);
    let submitted = match node.submit("").await {
        Err(error) if ["unknownCmd", "notSupported", "noPermission"].iter().any(|code| error.is(code)) => {
            Err(error.to_string())
        }
        Ok(_) | Err(NodeError::Refused { .. }) => Ok(()),
        Err(error) => Err(error.to_string()),
    };
    source::methods(vec![
        ("ledger", tried(node.last_ledger().await)),
        ("account_tx", tried(node.newest_transactions(account, None).await)),
        ("tx", tried(node.transaction(&nothing).await)),
        ("tx with binary", signed_form(node, account).await),
        ("fee", tried(node.fee().await)),
        ("submit", submitted),
    ])
}

/// A payment is credited under the hash of its signed form only: without that form each one is set aside.
async fn signed_form(node: &Node, account: &str) -> Result<(), String> {
    let newest = node.newest_transactions(account, None).await?;
    let hash = newest.transactions.iter().find_map(|raw| LedgerEntry::of(raw).ok()?.hash());
    let Some(hash) = hash else { return Ok(()) };
    match node.signed(&hash).await? {
        Some(bytes) if payment::hash(&bytes) == hash => Ok(()),
        Some(_) => Err(format!("the signed form of {hash} has another hash")),
        None => Err(format!("the server does not have the signed form of {hash}")),
    }
}

fn network(info: &Info, expected: NetworkId) -> Check {
    let found = info.network_id.unwrap_or(0);
    if found == expected {
        return Check::good("network", format!("network {found}"));
    }
    let detail = format!(
        "the server is on network {found}, and {expected} is configured: use a server of that network"
    );
    Check::fault("network", detail)
}

fn sync(info: &Info) -> Check {
    if info.amendment_blocked {
        return Check::fault(
            "sync",
            "the server is too old for the rules of the network (amendment blocked): update it",
        );
    }
    let state = info.server_state.as_deref().unwrap_or("full");
    match &info.validated_ledger {
        None => Check::fault(
            "sync",
            format!("no validated ledger yet, the server is {state}: wait until it is synchronized"),
        ),
        Some(ledger) if ledger.age > OLDEST => {
            let (seq, age) = (ledger.seq, ledger.age);
            Check::fault(
                "sync",
                format!("the last validated ledger, {seq}, is {age} seconds old: the server is out of sync"),
            )
        }
        Some(ledger) if FOLLOWING.contains(&state) => Check::good("sync", format!("ledger {}", ledger.seq)),
        Some(_) => Check::fault("sync", format!("the server is {state}: wait until it is synchronized")),
    }
}

fn history(info: &Info) -> Check {
    let last = info.validated_ledger.as_ref().map(|ledger| ledger.seq);
    match last.and_then(|last| range_of(&info.complete_ledgers, last)) {
        Some((first, last)) => Check::good("history", format!("ledgers {first} to {last} without a gap")),
        None => Check::warning("history", format!("the server has the ledgers {}", info.complete_ledgers)),
    }
}

fn check_account(found: Option<&Account>, address: &str) -> Check {
    match found {
        None => Check::fault(
            "account",
            format!("{address} does not exist yet: send it the reserve of an account"),
        ),
        Some(account) if account.requires_authorization() => Check::fault(
            "account",
            format!("{address} accepts deposits from authorized senders only: clear its flag DepositAuth"),
        ),
        Some(account) if !account.requires_tag() => Check::warning(
            "account",
            format!(
                "{address} accepts deposits without a destination tag, which cannot be assigned to a payment: set its flag RequireDest"
            ),
        ),
        Some(_) => Check::good("account", address),
    }
}
