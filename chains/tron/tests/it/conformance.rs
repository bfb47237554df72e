use std::sync::Arc;

use async_trait::async_trait;
use checkout_chain_conformance::{Numbers, TestChain};
use checkout_chain_doubles::TronGrid;
use checkout_chain_doubles::trongrid::chain::{USDC, USDT};
use checkout_chain_tron::{SOLID, TronBroadcaster, TronChain, account};
use checkout_core::Amount;
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_domain::ports::{Chain, Clock as _};

use super::{Given, PAYER, hex, key, node, settings};

struct Suite {
    server: TronGrid,
    chain: TronChain,
    broadcaster: TronBroadcaster,
}

#[async_trait]
impl TestChain for Suite {
    fn chain(&self) -> &dyn Chain {
        &self.chain
    }

    fn blocks_when_confirmed(&self) -> u64 {
        SOLID
    }

    fn confirms_what_stays(&self) -> bool {
        true
    }

    fn broadcaster(&self) -> Option<&dyn Broadcaster> {
        Some(&self.broadcaster)
    }

    async fn other_address(&self) -> String {
        PAYER.to_owned()
    }

    async fn deposit_address(&self, index: u32) -> String {
        let mut bytes = [0x5a; 20];
        bytes[..4].copy_from_slice(&index.to_be_bytes());
        account::to_text(bytes.into())
    }

    async fn send(&self, to: &[(String, &str)]) -> Vec<String> {
        let mut chain = self.server.chain();
        let pay = |(to, amount): &(String, &str)| {
            chain.pay(USDT, &hex(to), Amount::parse(amount, 6).unwrap().atoms())
        };
        let ids = to.iter().map(pay).collect();
        chain.produce();
        ids
    }

    /// Solidifies as many blocks, or all up to what waits.
    async fn mine(&self, blocks: u32) {
        let (mut chain, mut left) = (self.server.chain(), blocks as usize);
        if chain.waits() {
            chain.close();
            left -= 1;
        }
        while chain.blocks.len() < chain.solid + left {
            chain.produce();
        }
        chain.solidify(left);
    }

    async fn reorganise(&self, depth: u32) {
        self.server.chain().reorganise(depth as usize, &[]);
    }

    async fn double_spend(&self, id: &str) {
        self.server.chain().reorganise(1, &[id]);
    }
}

#[tokio::test]
async fn the_suite_of_all_chains() {
    let server = TronGrid::start().await;
    let account = account::to_hex(key().account());
    server.chain().fund(&account, 1_000_000_000);
    server.chain().give(&account, USDC, 1_000_000_000);
    server.chain().set_time(SystemClock.now_millis());
    let chain = TronChain::new(settings(), node(&server), Arc::new(Given), Arc::new(SystemClock));
    let numbers = Arc::new(Numbers::default());
    let broadcaster = TronBroadcaster::new(settings(), node(&server), key(), numbers);
    checkout_chain_conformance::all(&Suite { server, chain, broadcaster }).await;
}
