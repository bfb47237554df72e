//! A network that is not read on although its chain grows is a fault, whatever the reason.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::ports::chain::{Chain, ChainError, Changes};
use checkout_gateway::service::App;
use checkout_gateway::workers;

use super::World;

/// Its answers are fine, but it never gets beyond a block.
#[derive(Default)]
struct Still {
    read: AtomicU64,
    newest: AtomicU64,
}

impl Still {
    fn at(&self, read: u64, newest: u64) {
        self.read.store(read, Ordering::SeqCst);
        self.newest.store(newest, Ordering::SeqCst);
    }
}

#[async_trait]
impl Chain for Still {
    fn network(&self) -> Network {
        Network::Eth
    }

    async fn changes(&self, _: Option<&str>) -> Result<Changes, ChainError> {
        Ok(Changes::new(Vec::new(), self.read.load(Ordering::SeqCst).to_string(), false))
    }

    async fn confirmations(&self, _: &OutputId) -> Result<u64, ChainError> {
        Ok(1)
    }

    fn read_up_to(&self, cursor: &str) -> Option<u64> {
        cursor.parse().ok()
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        Ok(Tip { height: self.newest.load(Ordering::SeqCst), hash: String::new(), time: None })
    }

    async fn health(&self) -> Vec<Check> {
        Vec::new()
    }
}

#[tokio::test]
async fn a_network_that_is_not_read_on_is_not_offered() {
    let world = World::new().await;
    let (mut app, chain) = (App::clone(&world.app), Arc::new(Still::default()));
    app.chains.insert(Network::Eth, chain.clone());
    let app = Arc::new(app);
    let check = async |seconds, (read, newest), expected: Option<&str>| {
        world.advance(seconds).await;
        chain.at(read, newest);
        workers::round(&app, Network::Eth).await.unwrap();
        let fault = app.state.networks.fault(Network::Eth);
        assert_eq!(fault.as_deref(), expected, "{seconds} {read} {newest}");
        assert_eq!(app.takes(Network::Eth), expected.is_none());
    };
    check(0, (7, 7), None).await;
    // Nothing to read, for however long.
    check(600, (7, 7), None).await;
    check(0, (7, 8), None).await;
    // Three blocks' time of Ethereum are 36 seconds.
    check(35, (7, 9), None).await;
    let stuck = "block 8 has not been read for 36 s, and the newest is 10";
    check(1, (7, 10), Some(stuck)).await;
    check(5, (8, 10), None).await;
}
