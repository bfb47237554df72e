//! Reads entries again that were set aside. Another server, or the same one asked for the transaction alone, can know more.

use async_trait::async_trait;
use checkout_chain_http::fields::is_hash;
use checkout_domain::chain::Transfer;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::ports::ChainError;
use checkout_domain::ports::rereading::{Rejoined, Reread, Rereading};

use crate::XrpChain;
use crate::transfers;

#[async_trait]
impl Rereading for XrpChain {
    async fn read_again(&self, entry: &SetAside) -> Result<Reread, ChainError> {
        if !is_hash(&entry.transaction) {
            return Ok(Reread::Still(entry.why.clone()));
        }
        let Some(found) = self.node.validated(&entry.transaction).await? else {
            return Ok(Reread::Still("the server does not have it".to_owned()));
        };
        Ok(match transfers::read(&found, &self.account) {
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
