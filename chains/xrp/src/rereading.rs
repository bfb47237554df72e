//! Reads entries again that were set aside. Another server, or the same one asked for the transaction alone, can know more.

use async_trait::async_trait;
use checkout_chain_http::fields::is_hash;
use checkout_domain::chain::Transfer;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::ports::ChainError;
use checkout_domain::ports::rereading::{Rejoined, Reread, Rereading};

use crate::cursor::Cursor;
use crate::look::proof;
use crate::place::Place;
use crate::{XrpChain, transfers};

impl XrpChain {
    /// Reads the list of these ledgers: what was read of it before is the same again.
    async fn listed_again(&self, place: Place) -> Result<Reread, ChainError> {
        let (first, last) = place.ledgers;
        Self::check_history(&self.node.server().await?, first)?;
        let mut cursor = Cursor::after_ledger(self.node.network(), first.saturating_sub(1));
        let (mut transfers, mut entries) = (Vec::new(), 0);
        while cursor.next_ledger() <= last {
            let look = self.read_on(&cursor, last, Some(place)).await?;
            if let Some(odd) = look.set_aside.into_iter().next() {
                return Ok(Reread::Still(odd.why));
            }
            if look.end == cursor {
                return Ok(Reread::Still("the server does not go on with its list".to_owned()));
            }
            entries += look.entries;
            transfers.extend(look.transfers);
            cursor = look.end;
        }
        if entries < place.entries {
            return Ok(Reread::Still("the server does not list it".to_owned()));
        }
        Ok(Reread::Read(transfers))
    }
}

#[async_trait]
impl Rereading for XrpChain {
    async fn read_again(&self, entry: &SetAside) -> Result<Reread, ChainError> {
        if let Some(place) = Place::read(&entry.transaction) {
            return self.listed_again(place).await;
        }
        if !is_hash(&entry.transaction) {
            return Ok(Reread::Still(entry.why.clone()));
        }
        let Some(found) = self.node.validated(&entry.transaction).await? else {
            return Ok(Reread::Still("the server does not have it".to_owned()));
        };
        let transfer = match transfers::read(&found, &self.account) {
            Ok(Some(transfer)) => proof(&found, &self.node).await?.map(|()| Some(transfer)),
            read => read,
        };
        Ok(match transfer {
            Ok(transfer) => Reread::Read(transfer.into_iter().collect()),
            Err(why) => Reread::Still(why),
        })
    }

    /// What is in a validated ledger stays.
    async fn rejoin(
        &self,
        cursor: &str,
        _: &SetAside,
        transfers: Vec<Transfer>,
    ) -> Result<Option<Rejoined>, ChainError> {
        Ok(Some(Rejoined { transfers, cursor: cursor.to_owned() }))
    }
}
