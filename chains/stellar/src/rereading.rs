//! Reads entries again that were set aside. Another server, or the same one later, can know more.

use std::collections::BTreeSet;

use async_trait::async_trait;
use checkout_chain_http::fields::is_hash;
use checkout_domain::chain::Transfer;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::ports::ChainError;
use checkout_domain::ports::rereading::{Rejoined, Reread, Rereading};

use crate::StellarChain;
use crate::horizon::is_not_found;
use crate::look::PageReading;
use crate::operation::Operation;
use crate::place::Place;
use crate::transfers::parts_of;
use crate::watcher::most;

impl StellarChain {
    /// The transfers of a whole transaction, and its parts; or why it cannot be read.
    async fn whole(&self, hash: &str) -> Result<Result<(Vec<Transfer>, Vec<String>), String>, ChainError> {
        let operations = match self.node.operations(hash).await {
            Ok(operations) => operations,
            Err(error) if is_not_found(&error) => return Ok(Err("the server does not have it".to_owned())),
            Err(error) => return Err(error.into()),
        };
        let (mut transfers, mut parts) = (Vec::new(), Vec::new());
        for raw in operations {
            let operation = match Operation::of(&raw) {
                Ok(operation) => operation,
                Err(why) => return Ok(Err(why)),
            };
            if operation.hash().as_deref() != Some(hash) {
                return Ok(Err("the server has another transaction for it".to_owned()));
            }
            parts.extend(parts_of(&operation));
            for (_, read) in self.read(&operation, &self.account).await? {
                match read {
                    Ok(transfer) => transfers.extend(transfer),
                    Err(why) => return Ok(Err(why)),
                }
            }
        }
        Ok(Ok((transfers, parts)))
    }

    /// Reads the list up to this place, and the transactions that it names: what was read of them before is the same again.
    async fn listed_again(&self, place: Place) -> Result<Reread, ChainError> {
        let root = self.node.root().await?;
        let mut page = self.node.payments(&self.account, &place.after.to_string()).await?;
        let most = place.last.unwrap_or(u64::MAX).min(most(&root));
        let mut look = PageReading::of(&page, &self.account, place.after, most)?;
        if place.last.is_none() && look.is_in_order {
            page.truncate(place.count);
            look = PageReading::of(&page, &self.account, place.after, most)?;
        }
        let hashes = look.numbered.iter().map(|operation| operation.as_ref().ok()?.hash());
        let hashes: Option<BTreeSet<String>> = hashes.collect();
        // In another order any of them can be the first.
        let is_clear = place.last.is_some() || look.is_in_order || look.others.is_empty();
        let is_there = look.numbered.len() >= place.count && look.twice.is_empty() && is_clear;
        let Some(hashes) = hashes.filter(|_| is_there) else {
            return Ok(Reread::Still("the server does not list it, or it cannot be read".to_owned()));
        };
        let mut transfers = Vec::new();
        for hash in hashes {
            match self.whole(&hash).await? {
                Ok((found, _)) => transfers.extend(found),
                Err(why) => return Ok(Reread::Still(why)),
            }
        }
        Ok(Reread::Read(transfers))
    }
}

#[async_trait]
impl Rereading for StellarChain {
    /// Reads the whole transaction: what was read of it before is the same again.
    async fn read_again(&self, entry: &SetAside) -> Result<Reread, ChainError> {
        if let Some(place) = Place::read(&entry.transaction) {
            return self.listed_again(place).await;
        }
        if !is_hash(&entry.transaction) {
            return Ok(Reread::Still(entry.why.clone()));
        }
        Ok(match self.whole(&entry.transaction).await? {
            Err(why) => Reread::Still(why),
            Ok((transfers, parts)) => {
                let is_there = entry.part.is_empty() || parts.contains(&entry.part);
                if is_there && !parts.is_empty() {
                    Reread::Read(transfers)
                } else {
                    Reread::Still("the server has its transaction without it".to_owned())
                }
            }
        })
    }

    /// What is in a closed ledger stays.
    async fn rejoin(
        &self,
        cursor: &str,
        _: &SetAside,
        transfers: Vec<Transfer>,
    ) -> Result<Option<Rejoined>, ChainError> {
        Ok(Some(Rejoined { transfers, cursor: cursor.to_owned() }))
    }
}
