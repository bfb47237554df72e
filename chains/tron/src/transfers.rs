//! The transfers to our addresses in a block.
//!
//! The index of a transfer is the place of its log in the transaction, so that it is the same in whatever block the
//! transaction is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use alloy_primitives::{Address, B256, U256};
use checkout_core::{Amount, Network, Pair};
use checkout_domain::chain::found::FoundTransfer;
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::ChainError;
use checkout_domain::ports::watched_addresses::WatchedAddresses;

use crate::answers::{Block, Info};
use crate::cursor::transaction_id;
use crate::node::Node;
use crate::settings::Settings;
use crate::{COIN_DECIMALS, account, tokens};
use checkout_chain_http::NodeError;

pub(crate) struct Reader {
    node: Arc<Node>,
    tokens: BTreeMap<Address, &'static Pair>,
    watched: Arc<dyn WatchedAddresses>,
}

impl Reader {
    pub(crate) fn new(node: Arc<Node>, settings: &Settings, watched: Arc<dyn WatchedAddresses>) -> Self {
        let tokens = settings.token_pairs().map(|(pair, contract)| (contract, pair)).collect();
        Self { node, tokens, watched }
    }

    /// All are `Unconfirmed`.
    pub(crate) async fn transfers(&self, block: &Block) -> Result<Vec<Transfer>, ChainError> {
        if block.transactions.is_empty() {
            return Ok(Vec::new());
        }
        let infos = self.node.infos(block.number()).await?;
        check_whole(block, &infos)?;
        let found: Vec<Transfer> = infos.iter().flat_map(|info| self.of_transaction(info, block)).collect();
        let recipients: BTreeSet<String> = found.iter().map(|transfer| transfer.to.clone()).collect();
        if recipients.is_empty() {
            return Ok(Vec::new());
        }
        let ours = self.watched.ours(Network::Trx, &recipients.into_iter().collect::<Vec<_>>()).await?;
        Ok(found.into_iter().filter(|transfer| ours.contains(&transfer.to)).collect())
    }

    /// What a transaction in a block transfers, to whomever.
    pub(crate) fn found(&self, info: &Info) -> Vec<FoundTransfer> {
        let transfer = |log| {
            let (contract, _, to, value) = tokens::read_transfer(log)?;
            let currency = self.tokens.get(&contract)?.currency;
            let amount = amount(value).filter(|amount| !amount.is_zero())?;
            Some(FoundTransfer { currency, amount, to: account::to_text(to), tag: None, origin: None })
        };
        if info.is_success() { info.log.iter().filter_map(transfer).collect() } else { Vec::new() }
    }

    /// Only contracts of the list, and only what succeeded: any contract can write the same log.
    fn of_transaction(&self, info: &Info, block: &Block) -> Vec<Transfer> {
        if !info.is_success() {
            return Vec::new();
        }
        let transfer = |(index, log)| {
            let (contract, from, to, value) = tokens::read_transfer(log)?;
            let pair = self.tokens.get(&contract)?;
            let amount = amount(value);
            if amount.is_none() {
                tracing::error!(transaction = %info.id, "a transfer is larger than any amount; it is not credited");
            }
            Some(Transfer {
                output: OutputId { network: Network::Trx, transaction: transaction_id(info.id), index },
                currency: pair.currency,
                amount: amount.filter(|amount| amount.atoms() > 0)?,
                to: account::to_text(to),
                tag: None,
                from: account::to_text(from),
                from_tag: None,
                other_senders: Vec::new(),
                fee: trx(info.fee),
                seen_at: block.millis() / 1000,
                state: OutputState::Unconfirmed,
                uncertain: false,
            })
        };
        (0..).zip(&info.log).filter_map(transfer).collect()
    }
}

/// The answer is of this block, and nothing of it is missing. Behind one URL there are many servers; one that does not have
/// the block yet answers as if there was nothing in it.
fn check_whole(block: &Block, infos: &[Info]) -> Result<(), NodeError> {
    let ids: BTreeSet<B256> = infos.iter().map(|info| info.id).collect();
    let is_whole = block.transactions.len() == infos.len()
        && block.transactions.iter().all(|transaction| ids.contains(&transaction.id))
        && infos.iter().all(|info| info.block_number == block.number());
    if is_whole {
        return Ok(());
    }
    let (have, want) = (infos.len(), block.transactions.len());
    let why = format!("block {} has {want} transactions, and {have} are answered, or others", block.number());
    Err(NodeError::malformed("wallet/gettransactioninfobyblocknum", why))
}

fn amount(value: U256) -> Option<Amount> {
    Amount::from_atoms(u128::try_from(value).ok()?).ok()
}

/// Sun as a decimal of TRX.
pub fn trx(sun: u64) -> String {
    Amount::from_atoms(sun.into()).unwrap_or(Amount::MAX).to_text(COIN_DECIMALS)
}
