//! The suite of all chains. Stellar is read where it is final, so nothing that was reported leaves it. Nodes take one transaction
//! of an account for each ledger, and Horizon shows none before.

use std::sync::Arc;

use async_trait::async_trait;
use checkout_chain_conformance::accounts::TestAccount as _;
use checkout_chain_conformance::{Numbers, TestChain};
use checkout_chain_stellar::{Key, PayoutSettings, StellarBroadcaster};
use checkout_core::Amount;
use checkout_domain::ports::Chain;
use checkout_domain::ports::broadcaster::Broadcaster;

use super::{OURS, PAYER, World, node};

struct Suite {
    world: World,
    broadcaster: StellarBroadcaster,
    numbers: Arc<Numbers>,
}

#[async_trait]
impl TestChain for Suite {
    fn chain(&self) -> &dyn Chain {
        &self.world.chain
    }

    fn reports_only_what_stays(&self) -> bool {
        true
    }

    fn confirms_what_stays(&self) -> bool {
        true
    }

    fn shows_waiting_payouts(&self) -> bool {
        false
    }

    fn sends_one_at_a_time(&self) -> bool {
        true
    }

    fn numbers(&self) -> Option<&Numbers> {
        Some(&self.numbers)
    }

    fn broadcaster(&self) -> Option<&dyn Broadcaster> {
        Some(&self.broadcaster)
    }

    async fn other_address(&self) -> String {
        PAYER.to_owned()
    }

    async fn deposit_address(&self, index: u32) -> String {
        format!("{OURS}?dt={index}")
    }

    async fn send(&self, to: &[(String, &str)]) -> Vec<String> {
        let pay = |(to, amount): &(String, &str)| {
            let memo = to.split_once("?dt=").unwrap().1.parse().unwrap();
            self.world.pay(memo, Amount::parse(amount, 7).unwrap().atoms().try_into().unwrap())
        };
        to.iter().map(pay).collect()
    }

    async fn mine(&self, blocks: u32) {
        self.world.server.ledger().close_many(blocks);
    }

    async fn reorganise(&self, _: u32) {
        unreachable!("closed ledgers stay");
    }

    async fn double_spend(&self, _: &str) {
        unreachable!("what was reported stays");
    }
}

#[tokio::test]
async fn the_suite_of_all_chains() {
    let world = World::new().await;
    {
        let mut ledger = world.server.ledger();
        let memo = ("config.memo_required".to_owned(), "MQ==".to_owned());
        ledger.accounts.get_mut(OURS).unwrap().data.extend([memo]);
        ledger.fund(PAYER, 50_000_000);
    }
    let key = Key::from_seed("SAAZIQLXORXE4VVQ5CHS4BU2LTVOWYWLATOZAHDFPGIRDL6A4RNONRS3").unwrap();
    world.server.ledger().fund(&key.account(), 1_000_000_000);
    let numbers = Arc::new(Numbers::default());
    let broadcaster = StellarBroadcaster::new(
        node(&world.server.url),
        key,
        Arc::clone(&numbers) as _,
        PayoutSettings::default(),
    );
    checkout_chain_conformance::all(&Suite { world, broadcaster, numbers }).await;
}
