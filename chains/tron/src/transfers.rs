//! The transfers to our addresses in a block.
//!
//! The index of a transfer is the place of its log in the transaction, so that it is the same in whatever block the
//! transaction is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use alloy_primitives::B256;
use checkout_core::{Amount, Network};
use checkout_domain::chain::found::FoundTransfer;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::{OutputState, Transfer};
use checkout_domain::ports::ChainError;
use checkout_domain::ports::watched_addresses::WatchedAddresses;

use crate::answers::Block;
use crate::calls::CalledTransfer;
use crate::cursor::transaction_id;
use crate::effects::{Candidate, Effects, Tokens};
use crate::node::{Node, Of};
use crate::settings::Settings;
use crate::{account, tokens};
use checkout_chain_http::NodeError;

/// Transactions of a block without effects that are set aside one by one. While its list has others, no more are asked for before it
/// stays.
const MOST_MISSING: usize = 50;

/// The name of a block that is set aside in the place of its transactions without effects.
pub(crate) fn of_block(number: u64) -> String {
    format!("{number}:effects")
}

pub(crate) struct Reader {
    node: Arc<Node>,
    tokens: Tokens,
    watched: Arc<dyn WatchedAddresses>,
}

/// What was read of a block.
#[derive(Default)]
pub(crate) struct Read {
    /// All are `Unconfirmed`.
    pub(crate) transfers: Vec<Transfer>,
    pub(crate) set_aside: Vec<SetAside>,
}

impl Read {
    fn leave(&mut self, block: &Block, transaction: String, part: String, why: String) {
        let (network, height, block) = (Network::Trx, block.number(), transaction_id(block.id));
        self.set_aside.push(SetAside { network, transaction, part, height, block, why });
    }
}

impl Reader {
    pub(crate) fn new(node: Arc<Node>, settings: &Settings, watched: Arc<dyn WatchedAddresses>) -> Self {
        let tokens = settings.token_pairs().map(|(pair, contract)| (contract, pair)).collect();
        Self { node, tokens, watched }
    }

    /// Each transaction is read for itself. `is_solid`: every server has the block.
    pub(crate) async fn transfers(&self, block: &Block, is_solid: bool) -> Result<Read, ChainError> {
        let listed = block.listed()?;
        let mut read = Read::default();
        if listed.ids.is_empty() && listed.odd.is_empty() {
            return Ok(read);
        }
        let number = block.number();
        let infos = self.node.infos(number).await;
        // Behind one URL there are many servers; one that does not have the block yet answers as if there was nothing in it.
        let (infos, refused) = match infos {
            Ok(infos) => (infos, None),
            Err(error @ NodeError::Limited(_)) => return Err(error.into()),
            Err(error) => (Vec::new(), Some(error)),
        };
        let (mut known, mut others) = (BTreeMap::new(), Vec::new());
        for effects in infos.iter().filter_map(|raw| Effects::of(raw).ok()) {
            match effects.id().filter(|_| effects.is_of(block)) {
                Some(id) if listed.ids.contains(&id) => drop(known.entry(id).or_insert(effects)),
                Some(id) => others.push((id, effects)),
                None => {}
            }
        }
        let missing: Vec<B256> = listed.ids.iter().copied().filter(|id| !known.contains_key(id)).collect();
        let is_list = !known.is_empty();
        let unknown = |error: Option<NodeError>| {
            error.unwrap_or_else(|| {
                let (have, want) = (known.len(), listed.ids.len());
                let why =
                    format!("block {number} has {want} transactions, and {have} are answered, or others");
                NodeError::malformed("wallet/gettransactioninfobyblocknum", why)
            })
        };
        if is_list && missing.len() > MOST_MISSING && !is_solid {
            return Err(unknown(refused).into());
        }
        let (mut alone, mut unknown_ids) = (BTreeMap::new(), 0);
        for id in missing {
            if unknown_ids > MOST_MISSING {
                break;
            }
            let is_first = !is_list && alone.is_empty();
            let found = match self.alone(id, block).await {
                Err(error) if is_first || error.is_limit() => return Err(error.into()),
                answer => answer.ok().flatten(),
            };
            if found.is_none() && is_first && !is_solid {
                return Err(unknown(refused).into());
            }
            unknown_ids += usize::from(found.is_none());
            alone.insert(id, found);
        }
        let mut without = Vec::new();
        for id in &listed.ids {
            let (effects, is_alone) = match (known.remove(id), alone.remove(id).flatten()) {
                (Some(effects), _) => (effects, false),
                (None, Some(effects)) => (effects, true),
                (None, None) => {
                    without.push(*id);
                    continue;
                }
            };
            let call = listed.calls.get(id);
            let mut ours = self.ours(&effects, call).await?;
            if !is_alone && ours.iter().any(|candidate| candidate.read.is_err()) {
                // What is odd in the list can be right where it is asked for alone.
                match self.alone(*id, block).await {
                    Err(error) if error.is_limit() => return Err(error.into()),
                    Ok(Some(effects)) => ours = self.ours(&effects, call).await?,
                    _ => {}
                }
            }
            for Candidate { part, read: found, .. } in ours {
                match found {
                    Ok(transfer) => read.transfers.push(transfer),
                    Err(why) => read.leave(block, transaction_id(*id), part, why),
                }
            }
        }
        if without.len() > MOST_MISSING {
            let why = format!("the server does not tell what {} of its transactions did", without.len());
            read.leave(block, of_block(number), String::new(), why);
        } else {
            for id in without {
                let why = "the server does not tell what it did".to_owned();
                read.leave(block, transaction_id(id), String::new(), why);
            }
        }
        self.unlisted(block, others, &listed.odd, &mut read).await?;
        Ok(read)
    }

    /// What the two answers about a block do not agree on.
    async fn unlisted(
        &self,
        block: &Block,
        others: Vec<(B256, Effects)>,
        odd: &[usize],
        read: &mut Read,
    ) -> Result<(), ChainError> {
        // As many transactions as the list of the block has without an id can be these.
        let belongs = odd.len() == others.len();
        for (id, effects) in &others {
            for Candidate { part, read: found, .. } in self.ours(effects, None).await? {
                match found {
                    Ok(transfer) if belongs => read.transfers.push(transfer),
                    Ok(_) => {
                        let why = "its block does not list it".to_owned();
                        read.leave(block, transaction_id(*id), part, why);
                    }
                    Err(why) => read.leave(block, transaction_id(*id), part, why),
                }
            }
        }
        for place in odd.iter().filter(|_| !belongs) {
            let name = format!("{}:{place}", block.number());
            read.leave(block, name, String::new(), "its block lists it without an id".to_owned());
        }
        Ok(())
    }

    /// All that a solidified block transfers to our addresses, each transaction asked for alone; or why that is not known.
    pub(crate) async fn confirmed(&self, block: &Block) -> Result<Result<Vec<Transfer>, String>, ChainError> {
        let listed = block.listed()?;
        let mut transfers = Vec::new();
        for id in &listed.ids {
            let raw = self.node.effects(Of::Solid, *id).await?;
            let effects = raw.and_then(|raw| Effects::of(&raw).ok());
            let Some(effects) = effects.filter(|found| found.id() == Some(*id) && found.is_of(block)) else {
                return Ok(Err(format!("the server does not tell what {} did", transaction_id(*id))));
            };
            for candidate in self.ours(&effects, listed.calls.get(id)).await? {
                match candidate.read {
                    Ok(transfer) => transfers.push(Transfer { state: OutputState::Confirmed, ..transfer }),
                    Err(why) => return Ok(Err(format!("{}: {why}", transaction_id(*id)))),
                }
            }
        }
        Ok(Ok(transfers))
    }

    /// The effects of one transaction of a block. An error is the server's.
    async fn alone(&self, id: B256, block: &Block) -> Result<Option<Effects>, NodeError> {
        let raw = match self.node.effects(Of::Newest, id).await {
            Err(error @ (NodeError::Unreachable(_) | NodeError::Limited(_))) => return Err(error),
            answer => answer.ok().flatten(),
        };
        let effects = raw.and_then(|raw| Effects::of(&raw).ok());
        Ok(effects.filter(|effects| effects.id() == Some(id) && effects.is_of(block)))
    }

    /// Those to our addresses, and those of which it is not known. `call`: what the transaction is to do.
    pub(crate) async fn ours(
        &self,
        effects: &Effects,
        call: Option<&CalledTransfer>,
    ) -> Result<Vec<Candidate>, ChainError> {
        let mut candidates = effects.candidates(&self.tokens);
        candidates.extend(call.and_then(|call| effects.without_log(call, &self.tokens)));
        let recipients: BTreeSet<String> = candidates.iter().filter_map(|found| found.to.clone()).collect();
        if recipients.is_empty() {
            return Ok(candidates);
        }
        let ours = self.watched.ours(Network::Trx, &Vec::from_iter(recipients)).await?;
        let is_ours = |candidate: &Candidate| candidate.to.as_ref().is_none_or(|to| ours.contains(to));
        Ok(candidates.into_iter().filter(is_ours).collect())
    }

    /// What a transaction in a block transfers, to whomever.
    pub(crate) fn found(&self, info: &crate::answers::Info) -> Vec<FoundTransfer> {
        let transfer = |log| {
            let (contract, _, to, value) = tokens::read_transfer(log)?;
            let currency = self.tokens.get(&contract)?.currency;
            let atoms = u128::try_from(value).ok()?;
            let amount = Amount::from_atoms(atoms).ok().filter(|amount| !amount.is_zero())?;
            Some(FoundTransfer { currency, amount, to: account::to_text(to), tag: None, origin: None })
        };
        if info.is_success() { info.log.iter().filter_map(transfer).collect() } else { Vec::new() }
    }
}
