//! The suite of all chains for an account whose payments have tags. It is read where the ledger is final, so nothing that was
//! reported leaves it.

use async_trait::async_trait;
use checkout_core::{Amount, Network, pair};
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::chain::Chain;

use crate::accounts::TestAccount;
use crate::{Numbers, Payer, TestChain};

pub struct AccountSuite<A, B> {
    pub account: A,
    pub payer: Payer<B>,
    /// Nodes take one transaction of an account for each ledger, and servers show none before.
    pub sends_one_at_a_time: bool,
}

const TAG: &str = "?dt=";

fn decimals(network: Network) -> u8 {
    pair::EVERY_PAIR.iter().find(|pair| pair.network == network).expect("a pair").decimals
}

#[async_trait]
impl<A: TestAccount, B: Broadcaster> TestChain for AccountSuite<A, B> {
    fn chain(&self) -> &dyn Chain {
        &self.account.watched().chain
    }

    fn reports_only_what_stays(&self) -> bool {
        true
    }

    fn confirms_what_stays(&self) -> bool {
        true
    }

    fn shows_waiting_payouts(&self) -> bool {
        !self.sends_one_at_a_time
    }

    fn sends_one_at_a_time(&self) -> bool {
        self.sends_one_at_a_time
    }

    fn numbers(&self) -> Option<&Numbers> {
        Some(&self.payer.numbers)
    }

    fn broadcaster(&self) -> Option<&dyn Broadcaster> {
        Some(&self.payer.broadcaster)
    }

    async fn other_address(&self) -> String {
        A::PAYER.to_owned()
    }

    async fn deposit_address(&self, index: u32) -> String {
        [A::OURS, TAG, &index.to_string()].concat()
    }

    async fn send(&self, to: &[(String, &str)]) -> Vec<String> {
        let decimals = decimals(self.chain().network());
        let pay = |(to, amount): &(String, &str)| {
            let tag = to.split_once(TAG).expect("a tag").1.parse().expect("a number");
            let atoms = Amount::parse(amount, decimals).expect("an amount").atoms();
            self.account.pay(tag, atoms.try_into().expect("a small amount"))
        };
        to.iter().map(pay).collect()
    }

    async fn mine(&self, blocks: u32) {
        self.account.close(blocks);
    }

    async fn reorganise(&self, _: u32) {
        unreachable!("final ledgers stay");
    }

    async fn double_spend(&self, _: &str) {
        unreachable!("what was reported stays");
    }
}
