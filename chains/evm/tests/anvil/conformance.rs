//! The suite of all chains, on anvil: Ethereum with its coin, BNB Smart Chain's chain ids with a token, because BNB is not a
//! supported currency.

use std::collections::BTreeMap;
use std::sync::Arc;

use alloy_primitives::{Address, B256, Bytes, U256};
use async_trait::async_trait;
use checkout_chain_conformance::{Numbers, TestChain};
use checkout_chain_evm::{EvmBroadcaster, EvmChain, Node, Settings};
use checkout_core::{Amount, Currency, Network, pair};
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::chain::Chain;
use serde_json::{Value, json};

use crate::node::{Anvil, CHAIN, ETHER, transferCall};
use crate::payouts::keystore;
use crate::view::{Watched, chain};

struct OnAnvil {
    anvil: Anvil,
    chain: EvmChain,
    broadcaster: EvmBroadcaster,
    numbers: Arc<Numbers>,
    watched: Arc<Watched>,
    /// The token that is sent instead of the chain's coin.
    token: Option<Address>,
}

/// The first block with a transfer reports it, the second one confirms it.
const CONFIRMATIONS: u64 = 2;

impl OnAnvil {
    async fn start(network: Network, chain_id: u64) -> Self {
        let anvil = Anvil::start_with(&["--chain-id", &chain_id.to_string()]);
        let mut tokens = BTreeMap::new();
        if network == Network::Bsc {
            for pair in pair::PAIRS.iter().filter(|pair| pair.network == network) {
                tokens.insert(pair.currency, anvil.token(pair.decimals).await);
            }
        }
        let url = anvil.url.clone();
        let settings =
            Settings { chain_id, confirmations: CONFIRMATIONS, tokens, ..Settings::new(network, url) };
        let watched = Arc::new(Watched::default());
        let node = Arc::new(Node::new(&settings.url, chain_id).unwrap());
        let account = keystore().account();
        anvil.ask::<Value>("anvil_setBalance", json!([account, U256::from(10 * u128::from(ETHER))])).await;
        for token in settings.tokens.values() {
            anvil
                .call(*token, transferCall { to: account, value: U256::from(10 * u128::from(ETHER)) }, 0)
                .await;
        }
        anvil.mine(1).await;
        let chain = chain(&settings, &watched);
        let token = settings.tokens.get(&Currency::Usdt).copied();
        let numbers = Arc::new(Numbers::default());
        let broadcaster = EvmBroadcaster::new(settings, node, keystore(), Arc::clone(&numbers) as _);
        Self { anvil, chain, broadcaster, numbers, watched, token }
    }

    async fn pay(&self, to: Address, amount: &str) -> B256 {
        let amount = u64::try_from(Amount::parse(amount, 18).unwrap().atoms()).unwrap();
        match self.token {
            Some(token) => self.anvil.call(token, transferCall { to, value: U256::from(amount) }, 0).await,
            None => self.anvil.send(to, amount).await,
        }
    }

    /// The transactions of the last blocks, in their order.
    async fn last(&self, blocks: u64) -> Vec<Bytes> {
        let (mut all, height) = (Vec::new(), self.anvil.height().await);
        for number in height + 1 - blocks..=height {
            let block: Value =
                self.anvil.ask("eth_getBlockByNumber", json!([format!("{number:#x}"), false])).await;
            for hash in block["transactions"].as_array().unwrap() {
                all.push(self.anvil.raw(hash.as_str().unwrap().parse().unwrap()).await);
            }
        }
        all
    }
}

#[async_trait]
impl TestChain for OnAnvil {
    fn chain(&self) -> &dyn Chain {
        &self.chain
    }

    fn blocks_when_seen(&self) -> u64 {
        1
    }

    fn blocks_when_confirmed(&self) -> u64 {
        CONFIRMATIONS
    }

    fn numbers(&self) -> Option<&Numbers> {
        Some(&self.numbers)
    }

    fn broadcaster(&self) -> Option<&dyn Broadcaster> {
        Some(&self.broadcaster)
    }

    async fn other_address(&self) -> String {
        Address::repeat_byte(0x77).to_checksum(None)
    }

    async fn deposit_address(&self, index: u32) -> String {
        let mut address = Address::repeat_byte(0x5a);
        address.0[..4].copy_from_slice(&index.to_be_bytes());
        self.watched.add(address);
        address.to_checksum(None)
    }

    async fn send(&self, to: &[(String, &str)]) -> Vec<String> {
        let mut ids = Vec::new();
        for (to, amount) in to {
            ids.push(self.pay(to.parse().unwrap(), amount).await.to_string());
        }
        self.anvil.mine(1).await;
        ids
    }

    async fn mine(&self, blocks: u32) {
        self.anvil.mine(blocks.into()).await;
    }

    /// The transactions of the abandoned blocks are in the last new one.
    async fn reorganise(&self, depth: u32) {
        let blocks = u64::from(depth) + CONFIRMATIONS - 1;
        let again: Vec<_> = self.last(blocks).await.into_iter().map(|raw| (raw, blocks - 1)).collect();
        self.anvil.reorganise(blocks, &again).await;
    }

    async fn double_spend(&self, _: &str) {
        self.anvil.reorganise(1, &[]).await;
        self.pay(Address::repeat_byte(0x77), "0.4").await;
        self.anvil.mine(1).await;
    }
}

#[tokio::test]
async fn the_suite_on_ethereum() {
    checkout_chain_conformance::all(&OnAnvil::start(Network::Eth, CHAIN).await).await;
}

/// The chain id of the main network, and that of Chapel, its test network.
#[tokio::test]
async fn the_suite_on_the_chain_ids_of_bnb_smart_chain() {
    for chain_id in [56, 97] {
        checkout_chain_conformance::all(&OnAnvil::start(Network::Bsc, chain_id).await).await;
    }
}
