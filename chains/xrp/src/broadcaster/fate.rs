//! The fate of a payment that its server does not find. One URL may stand for several servers, of which some are behind, so a
//! missing answer of one and the last ledger of another prove nothing. One answer of one server does: the account at a
//! validated ledger. A payment uses its number, whether it moves anything or not.
//!
//! | number of the account | ledger of the answer | the payment |
//! |---|---|---|
//! | not past the payment's | before its last ledger | waits |
//! | not past the payment's | its last ledger or later | can never be included: signed again |
//! | past it, used by this payment | any | sent, or failed |
//! | past it, used by another transaction | any | can never be included: signed again |
//! | past it, set aside as a ticket | any | can never be included: signed again |
//! | past it, not known by which | any | waits for a server that has the transaction |

use checkout_domain::chain::payout::Signed;
use checkout_domain::ports::broadcaster::Unsent;

use crate::answers::SUCCESS;
use crate::entry::LedgerEntry;
use crate::node::{AccountAt, Node};

/// Pages of the account's transactions that are searched for its number.
const PAGES: usize = 20;

/// Returns false while it still can get into a ledger. `last`: its last ledger.
pub(super) async fn fate(node: &Node, signed: &Signed, last: u32) -> Result<bool, Unsent> {
    let own = signed.sequence.as_ref().ok_or_else(|| Unsent::later("its number is not stored"))?;
    let (account, number) = (&own.account, own.number);
    let Some(AccountAt { account: state, ledger }) = node.account_at(account).await? else {
        return Err(Unsent::later(format!("the account {account} does not exist")));
    };
    if u64::from(state.sequence) <= number {
        if ledger < last {
            return Ok(false);
        }
        return Err(Unsent::Expired(format!(
            "the account has not used its number {number} up to ledger {ledger}, and no ledger after {last} can include it"
        )));
    }
    let Some(user) = user_of(node, account, number).await? else {
        return Err(Unsent::unproven(format!(
            "its number {number} is used, and the server does not have all ledgers that can tell by what"
        )));
    };
    let user = match user {
        User::Transaction(user) => user,
        User::Ticket(hash) => {
            return Err(Unsent::Expired(format!(
                "the transaction {hash} of the account made its number {number} a ticket, and only the transaction with that \
                 ticket can use it"
            )));
        }
    };
    match user.hash() {
        Some(hash) if hash == signed.transaction_id => match user.result() {
            Ok(result) => outcome(&result, user.ledger().unwrap_or(ledger)),
            Err(why) => Err(Unsent::unproven(format!("the result of {hash} is not known: {why}"))),
        },
        Some(hash) => {
            Err(Unsent::Expired(format!("the transaction {hash} of the account has its number {number}")))
        }
        None => Err(Unsent::unproven(format!("the transaction with the number {number} has no hash"))),
    }
}

/// The transaction that used a number of the account.
enum User {
    /// A validated transaction.
    Transaction(Box<LedgerEntry>),
    /// The number is a ticket, since the validated transaction with this hash: <https://xrpl.org/docs/concepts/accounts/tickets>.
    Ticket(String),
}

async fn user_of(node: &Node, account: &str, number: u64) -> Result<Option<User>, Unsent> {
    let mut marker = None;
    for _ in 0..PAGES {
        let page = node.newest_transactions(account, marker.as_ref()).await?;
        // One that cannot be read proves nothing.
        let entries = page.transactions.iter().filter_map(|raw| LedgerEntry::of(raw).ok());
        let is_own = |entry: &LedgerEntry| {
            entry.is_validated() == Ok(true) && entry.account().as_deref() == Some(account)
        };
        for entry in entries.filter(is_own) {
            if entry.creates_ticket(account, number) {
                return Ok(Some(User::Ticket(entry.hash().unwrap_or_default())));
            }
            // 0: it has a ticket.
            let used = u64::from(entry.sequence().unwrap_or_default());
            if used != 0 && used <= number {
                return Ok((used == number).then(|| User::Transaction(Box::new(entry))));
            }
        }
        marker = page.marker;
        if marker.is_none() {
            break;
        }
    }
    Ok(None)
}

/// Of a payment in a validated ledger.
pub(super) fn outcome(result: &str, ledger: u32) -> Result<bool, Unsent> {
    if result == SUCCESS {
        return Ok(true);
    }
    Err(Unsent::Refused(format!("ledger {ledger} has it with {result}: it moved nothing")))
}
