//! Reads entries again that were set aside. Another server, or the same one later, can know more.

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
use crate::watcher::most;

impl StellarChain {
    /// Reads the list up to this place: what was read of it before is the same again.
    async fn listed_again(&self, place: Place) -> Result<Reread, ChainError> {
        let root = self.node.root().await?;
        let mut page = self.node.payments(&self.account, &place.after.to_string()).await?;
        if place.last.is_none() {
            page.truncate(place.count);
        }
        let most = place.last.unwrap_or(u64::MAX).min(most(&root));
        let look = PageReading::of(&page, &self.account, place.after, most)?;
        if look.numbered.len() < place.count || !look.twice.is_empty() {
            return Ok(Reread::Still("the server does not list it, or it cannot be read".to_owned()));
        }
        let mut transfers = Vec::new();
        for operation in look.numbered {
            let operation = match operation {
                Ok(operation) => operation,
                Err(why) => return Ok(Reread::Still(why)),
            };
            for (_, read) in self.read(&operation, &self.account).await? {
                match read {
                    Ok(transfer) => transfers.extend(transfer),
                    Err(why) => return Ok(Reread::Still(why)),
                }
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
        let operations = match self.node.operations(&entry.transaction).await {
            Ok(operations) => operations,
            Err(error) if is_not_found(&error) => {
                return Ok(Reread::Still("the server does not have it".to_owned()));
            }
            Err(error) => return Err(error.into()),
        };
        let (mut transfers, mut is_there) = (Vec::new(), false);
        for raw in operations {
            let operation = match Operation::of(&raw) {
                Ok(operation) => operation,
                Err(why) => return Ok(Reread::Still(why)),
            };
            if operation.hash().as_ref() != Some(&entry.transaction) {
                return Ok(Reread::Still("the server has another transaction for it".to_owned()));
            }
            is_there |=
                entry.part.is_empty() || operation.part().is_some_and(|own| entry.part.starts_with(&own));
            for (_, read) in self.read(&operation, &self.account).await? {
                match read {
                    Ok(transfer) => transfers.extend(transfer),
                    Err(why) => return Ok(Reread::Still(why)),
                }
            }
        }
        if !is_there {
            return Ok(Reread::Still("the server has its transaction without it".to_owned()));
        }
        Ok(Reread::Read(transfers))
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
