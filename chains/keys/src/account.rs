//! The account that pays, on a network where accounts number their payments: XRP and Stellar.

use std::sync::Arc;

use checkout_core::Network;
use checkout_domain::ports::broadcaster::{SentBefore, Sequences, Unsent, sent_by_numbers};

pub struct NumberedAccount {
    pub network: Network,
    pub address: String,
    /// The smallest part of the coin, in the plural.
    pub unit: &'static str,
    /// Maximum fee of one payment, in these units.
    pub max_fee: u64,
    pub sequences: Arc<dyn Sequences>,
}

/// What is wrong now may change, so all errors are temporary.
impl NumberedAccount {
    /// This account, and that of all deposits if it is another one.
    pub fn with<'a>(&'a self, deposits: Option<&'a str>) -> impl Iterator<Item = &'a str> {
        let own = self.address.as_str();
        std::iter::once(own).chain(deposits.filter(move |other| *other != own))
    }

    pub fn missing(&self) -> Unsent {
        Unsent::later(format!("the account {} for payouts does not exist", self.address))
    }

    pub fn check_fee(&self, fee: u64) -> Result<(), Unsent> {
        let (unit, cap) = (self.unit, self.max_fee);
        if fee > cap {
            return Err(Unsent::later(format!("a payment costs {fee} {unit}, and the cap is {cap}")));
        }
        Ok(())
    }

    /// `free`: the balance without the account's reserve.
    pub fn check_funds(&self, free: u64, needed: u64) -> Result<(), Unsent> {
        let (address, unit) = (&self.address, self.unit);
        if free < needed {
            return Err(Unsent::later(format!(
                "the account {address} has {free} free {unit} and needs {needed}"
            )));
        }
        Ok(())
    }

    /// Returns the first number that neither the ledger nor a pending payment uses. `first`: the ledger's next one;
    /// `most`: maximum number of pending payments.
    pub async fn free_number(&self, first: u64, most: u64) -> Result<u64, Unsent> {
        let next = self.sequences.free_sequence(self.network, &self.address, first).await?;
        if (first..first.saturating_add(most)).contains(&next) {
            return Ok(next);
        }
        let address = &self.address;
        Err(Unsent::later(format!("the account {address} has its maximum of {most} pending payments")))
    }

    /// `next`: the ledger's next number.
    pub async fn sent_before(&self, next: u64) -> Result<SentBefore, Unsent> {
        sent_by_numbers(self.sequences.as_ref(), self.network, &self.address, next).await
    }
}
