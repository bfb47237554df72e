//! The fate of a payment that Horizon does not find. One URL may stand for several servers, of which some are behind, so a
//! missing answer of one and the time of another prove nothing. One answer does: the account in the state of a ledger that the
//! same answer names (`Latest-Ledger`). A payment uses its number, whether it moves anything or not. When that ledger closed
//! is the same on every server.
//!
//! | number of the account | ledger of the answer closed | the payment |
//! |---|---|---|
//! | before the payment's | before its time bound | waits |
//! | before the payment's | at its time bound or later | can never be included: signed again |
//! | at or past it, used by this payment | any | sent, or failed |
//! | at or past it, used by another transaction | any | can never be included: signed again |
//! | at or past it, not known by which | any | waits for a server that has the transaction |

use checkout_domain::chain::payout::Signed;
use checkout_domain::ports::broadcaster::Unsent;

use super::{closed_at, last_number};
use crate::answers::Listed;
use crate::node::{Node, token};

/// Pages of the account's transactions that are searched for its number.
const PAGES: usize = 20;

/// Returns false while it still can get into a ledger. `dead_at`: its time bound.
pub(super) async fn fate(node: &Node, signed: &Signed, dead_at: u64) -> Result<bool, Unsent> {
    let own = signed.sequence.as_ref().ok_or_else(|| Unsent::later("its number is not stored"))?;
    let (account, number) = (&own.account, own.number);
    let Some((state, ledger)) = node.account_at(account).await? else {
        return Err(Unsent::later(format!("the account {account} does not exist")));
    };
    let used = last_number(&state, account)?;
    if used >= number {
        return used_by(node, signed, account, number).await;
    }
    let Some(ledger) = ledger else {
        // Then only the newest ledger tells whether it is worth another attempt.
        if closed_at(&node.last_ledger().await?)? < dead_at {
            return Ok(false);
        }
        return Err(Unsent::later(
            "it expired, and Horizon does not name the ledger of its answers (Latest-Ledger): use a server that does"
                .to_owned(),
        ));
    };
    if closed_at(&node.ledger(ledger).await?)? < dead_at {
        return Ok(false);
    }
    Err(Unsent::Expired(format!(
        "the account has not used its number {number} up to ledger {ledger}, and it expired at {dead_at}"
    )))
}

async fn used_by(node: &Node, signed: &Signed, account: &str, number: u64) -> Result<bool, Unsent> {
    match user_of(node, account, number).await? {
        Some(user) if user.is(&signed.transaction_id) && user.successful => Ok(true),
        Some(user) if user.is(&signed.transaction_id) => Err(failed(user.ledger)),
        Some(user) => {
            let hash = user.hash;
            Err(Unsent::Expired(format!("the transaction {hash} of the account has its number {number}")))
        }
        None => Err(Unsent::unproven(format!(
            "its number {number} is used, and Horizon does not show by what: it is behind, or has deleted ledgers"
        ))),
    }
}

/// The transaction of the account with this number.
async fn user_of(node: &Node, account: &str, number: u64) -> Result<Option<Listed>, Unsent> {
    let mut before = None;
    for _ in 0..PAGES {
        let page = node.newest_transactions(account, before.as_deref()).await?;
        let last = page.iter().rev().find_map(|raw| token(raw)).filter(|last| before.as_ref() != Some(last));
        before = last;
        // One that cannot be read proves nothing.
        let listed = page.iter().filter_map(|raw| serde_json::from_str::<Listed>(raw.get()).ok());
        for listed in listed.filter(|listed| listed.source_account == account) {
            let Ok(used) = listed.source_account_sequence.parse::<u64>() else { continue };
            if used <= number {
                return Ok((used == number).then_some(listed));
            }
        }
        if before.is_none() {
            break;
        }
    }
    Ok(None)
}

pub(super) fn failed(ledger: u32) -> Unsent {
    Unsent::Refused(format!("it failed in ledger {ledger} and moved nothing"))
}
