//! The suite of all chains for an account whose payments have tags. It is read where the ledger is final, so nothing that was
//! reported leaves it.

use async_trait::async_trait;
use checkout_core::{Amount, Network, pair};
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::chain::Chain;

use crate::accounts::TestAccount;
use crate::{Numbers, TestChain};

pub struct AccountSuite<A>(pub A);

const TAG: &str = "?dt=";

fn decimals(network: Network) -> u8 {
    pair::EVERY_PAIR.iter().find(|pair| pair.network == network).expect("a pair").decimals
}

#[async_trait]
impl<A: TestAccount> TestChain for AccountSuite<A> {
    fn chain(&self) -> &dyn Chain {
        &self.0.watched().chain
    }

    fn reports_only_what_stays(&self) -> bool {
        true
    }

    fn confirms_what_stays(&self) -> bool {
        true
    }

    fn shows_waiting_payouts(&self) -> bool {
        !A::SENDS_ONE_AT_A_TIME
    }

    fn sends_one_at_a_time(&self) -> bool {
        A::SENDS_ONE_AT_A_TIME
    }

    fn numbers(&self) -> Option<&Numbers> {
        Some(&self.0.payer().numbers)
    }

    fn broadcaster(&self) -> Option<&dyn Broadcaster> {
        Some(&self.0.payer().broadcaster)
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
            self.0.deposit(tag, atoms.try_into().expect("a small amount"))
        };
        to.iter().map(pay).collect()
    }

    async fn mine(&self, blocks: u32) {
        self.0.close(blocks);
    }

    async fn reorganise(&self, _: u32) {
        unreachable!("final ledgers stay");
    }

    async fn double_spend(&self, _: &str) {
        unreachable!("what was reported stays");
    }
}
