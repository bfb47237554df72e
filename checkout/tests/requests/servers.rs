//! The networks under test: a server for each, the adapter, and what happens on the network.

use std::sync::Arc;
use std::time::Duration;

use checkout_chain_bitcoin::{BitcoinChain, EsploraChain, NodeWallet, Ports};
use checkout_chain_doubles::bitcoin_cash::legacy;
use checkout_chain_doubles::horizon::ledger::INTERVAL;
use checkout_chain_doubles::trongrid::chain::USDT;
use checkout_chain_doubles::{BitcoinCash, Esplora, EvmNode, Horizon, Rippled, TronGrid};
use checkout_chain_evm::signer::keystore::Keystore;
use checkout_chain_evm::{EvmBroadcaster, EvmChain, Settings as EvmSettings};
use checkout_chain_stellar::{StellarBroadcaster, StellarChain};
use checkout_chain_tron::{Settings as TronSettings, TronBroadcaster, TronChain, account};
use checkout_chain_xrp::{XrpBroadcaster, XrpChain};
use checkout_core::{Currency, Network, pair};
use checkout_domain::ports::addresses::Addresses;
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::{Chain, Clock};
use checkout_storage::Database;
use checkout_test_nodes::{MINER, Node, PASSWORD, USER, bitcoind, litecoind};
use serde_json::json;

use super::counter::Counter;

const XRP_OURS: &str = "rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH";
const XRP_PAYER: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";
const XRP_SEED: &str = "sEdTM1uX8pu2do5XvTnutH6HsouMaM2";
const XLM_OURS: &str = "GDAO7QLKQJFKNJN6OYBG6LCXEQD3TXBC2WGXX7J7AN5LGXMKDOHOYQ6M";
const XLM_PAYER: &str = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const XLM_SEED: &str = "SAAZIQLXORXE4VVQ5CHS4BU2LTVOWYWLATOZAHDFPGIRDL6A4RNONRS3";
const EVM_PAYER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TRX_PAYER: &str = "TDhuJ9S34RgZpg2a3LPWs6W8WJ9ch66KbH";

pub(crate) enum Server {
    Evm(EvmNode),
    Tron(TronGrid),
    Xrp(Rippled),
    Xlm(Horizon),
    Coins(Box<Coins>),
}

/// A node of the Bitcoin family, and what is between it and the gateway.
pub(crate) struct Coins {
    node: Node,
    counter: Counter,
    has_esplora: bool,
}

impl Coins {
    /// Seconds between two blocks.
    fn interval(network: Network) -> u64 {
        if network == Network::Ltc { 150 } else { 600 }
    }

    async fn start(network: Network, has_esplora: bool, now: u64) -> Self {
        let node = match network {
            Network::Btc => {
                let program = bitcoind().expect("bitcoind is not installed: `cargo xtask test` does");
                Node::start(&program, &[])
            }
            network => {
                let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
                if network == Network::Bch {
                    Node::start_legacy(&program)
                } else {
                    Node::start(&program, &[])
                }
            }
        };
        node.call("", "setmocktime", &json!([now]));
        node.mine(20);
        let url = match network {
            Network::Bch => BitcoinCash::start(node.rpc()).await.url,
            _ if has_esplora => Esplora::start(node.rpc()).await.url,
            _ => node.url(),
        };
        Self { node, counter: Counter::start(&url).await, has_esplora }
    }

    fn settings(&self) -> checkout_chain_bitcoin::Settings {
        let counted = self.counter.url.clone();
        let (url, esplora) =
            if self.has_esplora { (self.node.url(), Some(counted)) } else { (counted, None) };
        checkout_chain_bitcoin::Settings {
            url,
            esplora,
            // The pause between two of them is real time.
            requests_per_second: self.has_esplora.then_some(1_000),
            user: Some(USER.to_owned()),
            password: Some(PASSWORD.to_owned()),
            network: checkout_chain_bitcoin::Environment::Regtest,
            wallet: "deposits".to_owned(),
            payout_wallet: Some(MINER.to_owned()),
            ..checkout_chain_bitcoin::Settings::default()
        }
    }

    fn adapters(
        &self,
        network: Network,
        store: &Database,
        clock: Arc<dyn Clock>,
        addresses: Arc<dyn Addresses>,
    ) -> Adapters {
        let (settings, key) = (self.settings(), coin_key(network));
        let chain: Arc<dyn Chain> = if self.has_esplora {
            let store = Arc::new(store.clone());
            let ports = Ports { watched: store.clone(), given: store, addresses, clock };
            Arc::new(EsploraChain::new(network, &settings, &key, ports).unwrap())
        } else {
            Arc::new(BitcoinChain::new(network, &settings, &key, addresses, 0, clock).unwrap())
        };
        (chain, Arc::new(NodeWallet::new(network, &settings).unwrap()))
    }
}

/// Nobody's money: test vector 1 of BIP-32, as a key of test networks.
const TPUB: &str = "tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B";

pub(crate) fn coin_key(network: Network) -> String {
    if network == Network::Bch { TPUB.to_owned() } else { format!("wpkh({TPUB})") }
}

pub(crate) fn is_coin(network: Network) -> bool {
    matches!(network, Network::Btc | Network::Ltc | Network::Bch)
}

/// The deposit address, and the recipient of withdrawals.
pub(crate) struct Trade {
    pub(crate) currency: Currency,
    pub(crate) withdrawn: &'static str,
    /// `None`: an address of our own that nobody watches.
    pub(crate) recipient: Option<&'static str>,
}

pub(crate) fn trade(network: Network) -> Trade {
    let trade = |currency, withdrawn, recipient| Trade { currency, withdrawn, recipient: Some(recipient) };
    let coin = |currency, withdrawn| Trade { currency, withdrawn, recipient: None };
    match network {
        Network::Eth => trade(Currency::Eth, "0.02", EVM_PAYER),
        Network::Bsc => trade(Currency::Usdt, "20", EVM_PAYER),
        Network::Trx => trade(Currency::Usdt, "20", TRX_PAYER),
        Network::Btc => coin(Currency::Btc, "0.001"),
        Network::Ltc => coin(Currency::Ltc, "0.5"),
        Network::Bch => coin(Currency::Bch, "0.1"),
        Network::Xrp => trade(Currency::Xrp, "20", XRP_PAYER),
        Network::Xlm => trade(Currency::Xlm, "20", XLM_PAYER),
        other => unreachable!("{other} has no server here"),
    }
}

/// The accounts of the networks that have one for all deposits.
pub(crate) fn deposit_keys() -> Vec<(Network, String)> {
    vec![(Network::Xrp, XRP_OURS.to_owned()), (Network::Xlm, XLM_OURS.to_owned())]
}

type Adapters = (Arc<dyn Chain>, Arc<dyn Broadcaster>);

impl Server {
    pub(crate) async fn start(network: Network, has_esplora: bool, now: u64) -> Self {
        match network {
            _ if is_coin(network) => Self::Coins(Box::new(Coins::start(network, has_esplora, now).await)),
            Network::Eth => Self::Evm(EvmNode::start(1).await),
            Network::Bsc => Self::Evm(EvmNode::start(56).await),
            Network::Trx => Self::Tron(TronGrid::start().await),
            Network::Xrp => Self::Xrp(Rippled::start().await),
            _ => Self::Xlm(Horizon::start().await),
        }
    }

    pub(crate) fn adapters(
        &self,
        network: Network,
        store: &Database,
        clock: Arc<dyn Clock>,
        addresses: Arc<dyn Addresses>,
    ) -> Adapters {
        if let Self::Coins(coins) = self {
            return coins.adapters(network, store, clock, addresses);
        }
        let store = Arc::new(store.clone());
        let key = || Keystore::from_secret(&[7; 32]).unwrap();
        match self {
            Self::Coins(_) => unreachable!("they have adapters above"),
            Self::Evm(server) => {
                let settings = EvmSettings::new(network, server.url.clone());
                let node = checkout_chain_evm::Node::new(&server.url, settings.chain_id).unwrap();
                let node = Arc::new(node);
                let chain = EvmChain::new(settings.clone(), Arc::clone(&node), store.clone(), clock);
                let sender = EvmBroadcaster::new(settings, node, Arc::new(key()), store);
                (Arc::new(chain), Arc::new(sender))
            }
            Self::Tron(server) => {
                server.chain().set_time(clock.now_millis());
                let own = account::to_hex(key().account());
                server.chain().fund(&own, 1_000_000_000_000);
                server.chain().give(&own, USDT, 1_000_000_000_000);
                let payer = account::to_hex(account::read(TRX_PAYER).unwrap());
                server.chain().give(&payer, USDT, 1);
                let settings = TronSettings::default();
                let api = checkout_chain_tron::api::Api::new(&server.url, None).unwrap();
                let api = api.with_pause(Duration::ZERO);
                let node = Arc::new(checkout_chain_tron::Node::new(api, settings.genesis));
                let chain = TronChain::new(settings.clone(), Arc::clone(&node), store.clone(), clock);
                (Arc::new(chain), Arc::new(TronBroadcaster::new(settings, node, key(), store)))
            }
            Self::Xrp(server) => {
                let key = checkout_chain_xrp::Key::from_seed(XRP_SEED).unwrap();
                let signer = checkout_chain_xrp::Signer::from(key);
                for account in [XRP_OURS, XRP_PAYER, &signer.account()] {
                    server.ledger().fund(account, 100_000_000_000);
                }
                let node = Arc::new(checkout_chain_xrp::Node::new(&server.url, 0).unwrap());
                let chain = XrpChain::new(Arc::clone(&node), XRP_OURS.to_owned());
                let max_fee = checkout_chain_xrp::MAX_FEE;
                (Arc::new(chain), Arc::new(XrpBroadcaster::new(node, signer, store, max_fee)))
            }
            Self::Xlm(server) => {
                let key = checkout_chain_stellar::Key::from_seed(XLM_SEED).unwrap();
                for account in [XLM_OURS, XLM_PAYER, &key.account()] {
                    server.ledger().fund(account, 100_000_000_000);
                }
                let node = checkout_chain_stellar::Node::new(&server.url, checkout_chain_stellar::MAIN);
                let node = Arc::new(node.unwrap());
                let chain = StellarChain::new(Arc::clone(&node), XLM_OURS.to_owned());
                let max_fee = checkout_chain_stellar::MAX_FEE;
                (Arc::new(chain), Arc::new(StellarBroadcaster::new(node, key, store, max_fee)))
            }
        }
    }

    /// Blocks and ledgers come, `second` after the start.
    pub(crate) fn pass(&self, network: Network, second: u64, now: u64) {
        // Each block has transfers between others.
        let mine = |server: &EvmNode| {
            let usdt = pair::find(Currency::Usdt, network).and_then(|pair| pair.contract).unwrap();
            let mut chain = server.chain();
            chain.transfer(usdt, EVM_PAYER, EVM_PAYER, 1);
            chain.put(EVM_PAYER, EVM_PAYER, 1, Vec::new());
            chain.mine(now);
        };
        match self {
            // Every 0.75 seconds.
            Self::Evm(server) if network == Network::Bsc => {
                for _ in second * 4 / 3..(second + 1) * 4 / 3 {
                    mine(server);
                }
            }
            Self::Evm(server) if network == Network::Eth && second.is_multiple_of(12) => mine(server),
            Self::Tron(server) if second.is_multiple_of(3) => {
                let mut chain = server.chain();
                chain.pay(USDT, &account::to_hex(account::read(TRX_PAYER).unwrap()), 1);
                chain.produce();
                // Nineteen blocks later they are solidified.
                if chain.blocks.len() > chain.solid + 18 {
                    chain.solidify(1);
                }
            }
            Self::Xrp(server) if second.is_multiple_of(4) => _ = server.ledger().close(),
            Self::Xlm(server) if second.is_multiple_of(INTERVAL) => _ = server.ledger().close(),
            Self::Coins(coins) => {
                let interval = Coins::interval(network);
                coins.node.call("", "setmocktime", &json!([now]));
                if second % interval == interval / 2 {
                    coins.node.mine(1);
                }
            }
            _ => {}
        }
    }

    /// A transfer to a payer's address, for the next block.
    pub(crate) fn pay(&self, network: Network, to: &str, tag: Option<&str>, amount: &str) {
        let trade = trade(network);
        let pair = pair::find(trade.currency, network).unwrap();
        let atoms = checkout_core::Amount::parse(amount, pair.decimals).unwrap().atoms();
        match self {
            Self::Coins(coins) => _ = coins.node.send(&legacy(to), amount),
            Self::Evm(server) => match pair.contract {
                Some(contract) => _ = server.chain().transfer(contract, EVM_PAYER, to, atoms),
                None => _ = server.chain().put(EVM_PAYER, to, atoms, Vec::new()),
            },
            Self::Tron(server) => {
                let to = account::to_hex(account::read(to).unwrap());
                server.chain().pay(USDT, &to, atoms);
            }
            Self::Xrp(server) => {
                let (drops, tag): (_, u32) = (atoms.to_string(), tag.unwrap().parse().unwrap());
                let tx = json!({"Destination": XRP_OURS, "DestinationTag": tag, "Amount": drops});
                server.ledger().put(tx, json!({"delivered_amount": drops}));
            }
            Self::Xlm(server) => {
                let operation = json!({
                    "type": "payment", "type_i": 1, "asset_type": "native", "from": XLM_PAYER, "to": XLM_OURS,
                    "amount": amount
                });
                server.ledger().put(operation, Vec::new(), json!({"memo_type": "id", "memo": tag}));
            }
        }
    }

    /// The account that pays withdrawals has almost nothing.
    pub(crate) fn spend_all(&self) {
        let Self::Xlm(server) = self else { return };
        let account = checkout_chain_stellar::Key::from_seed(XLM_SEED).unwrap().account();
        server.ledger().accounts.get_mut(&account).unwrap().stroops = 20_000_000;
    }

    /// So far; each call of a batch counts.
    pub(crate) fn requests(&self) -> u64 {
        match self {
            Self::Coins(coins) => coins.counter.requests(),
            Self::Evm(server) => server.chain().requests,
            Self::Tron(server) => server.chain().requests,
            Self::Xrp(server) => server.ledger().requests,
            Self::Xlm(server) => server.ledger().requests,
        }
    }
}
