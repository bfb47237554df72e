//! A transaction by its id, with all of its outputs.

use checkout_core::{Currency, Network};
use checkout_domain::chain::found::{FoundTransaction, FoundTransfer, NotCredited};
use serde_json::json;

use crate::coins;
use crate::depth::depth;
use crate::rpc::{INVALID_PARAMETER, NOT_FOUND, Node};
use crate::settings::DECIMALS;
use crate::transaction::{Decoded, Output, WalletTransaction};
use checkout_chain_http::NodeError;

/// What pays the wallet is known with its blocks. Of what pays others a node knows what waits in its memory pool, and with
/// `txindex=1` all that is in a block. `None` for one that lost to a conflicting transaction.
pub(crate) async fn look_up(
    (network, currency): (Network, Currency),
    node: &Node,
    wallet: &Node,
    id: &str,
) -> Result<Option<FoundTransaction>, NodeError> {
    let own: Option<WalletTransaction> = known(wallet.call("gettransaction", json!([id, true])).await)?;
    let (confirmations, block, decoded) = match own {
        Some(own) => {
            let decoded = node.call("decoderawtransaction", json!([own.hex])).await?;
            (own.confirmations, own.blockhash, decoded)
        }
        None => match known::<Decoded>(node.call("getrawtransaction", json!([id, true])).await)? {
            Some(decoded) => (decoded.confirmations, decoded.blockhash.clone(), decoded),
            None => return Ok(None),
        },
    };
    let confirmations = depth(node, confirmations, block.as_deref()).await?;
    Ok(u64::try_from(confirmations)
        .ok()
        .map(|confirmations| found((network, currency), confirmations, &decoded)))
}

fn known<T>(answer: Result<T, NodeError>) -> Result<Option<T>, NodeError> {
    match answer {
        Ok(known) => Ok(Some(known)),
        Err(error) if matches!(error.number(), Some(NOT_FOUND | INVALID_PARAMETER)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn found(
    (network, currency): (Network, Currency),
    confirmations: u64,
    decoded: &Decoded,
) -> FoundTransaction {
    let transfer = |output: &Output| {
        let to = coins::normal_form(network, output.script.address()?)?;
        let amount = coins::amount(output.value.get())?;
        Some(FoundTransfer { currency, amount, to, tag: None, origin: None })
    };
    let transfers = decoded.vout.iter().filter_map(transfer).collect();
    known_as(confirmations, decoded.is_coinbase(), transfers)
}

/// Coins of a new block are not credited: they vanish with it, and cannot be spent for 100 blocks.
pub(crate) fn known_as(
    confirmations: u64,
    is_mined: bool,
    transfers: Vec<FoundTransfer>,
) -> FoundTransaction {
    if !is_mined {
        return FoundTransaction { confirmations, transfers, ..FoundTransaction::default() };
    }
    let not_credited = transfers.into_iter().map(|transfer| NotCredited {
        asset: transfer.currency.code().to_owned(),
        amount: transfer.amount.to_text(DECIMALS),
        to: transfer.to,
    });
    FoundTransaction { confirmations, not_credited: not_credited.collect(), ..FoundTransaction::default() }
}
