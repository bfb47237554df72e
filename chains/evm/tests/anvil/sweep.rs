use std::sync::Arc;
use std::time::Duration;

use alloy_primitives::{Address, U256};
use checkout_chain_evm::rpc::Rpc;
use checkout_chain_evm::{EvmSweep, Node, Settings};
use checkout_chain_sweep::{Keys, Kind, Report, Sweep, Wallet as _, sweep};
use checkout_core::{Currency, Decimal};
use serde_json::{Value, json};
use tokio::task::AbortHandle;

use crate::node::{Anvil, ETHER, transferCall};
use crate::view::{View, settings};

/// BIP-32, test vector 1.
const KEY: &str = "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";
const TREASURY: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

struct World {
    anvil: Anvil,
    settings: Settings,
    wallet: EvmSweep,
    keys: Keys,
    mining: AbortHandle,
}

impl Drop for World {
    fn drop(&mut self) {
        self.mining.abort();
    }
}

impl World {
    /// A token on address 0, ETH on 1, both on 2, a little of the token on 3. Blocks come by themselves.
    async fn new() -> Self {
        let anvil = Anvil::start();
        let token = anvil.token(6).await;
        let mut settings = settings(&anvil);
        settings.tokens.insert(Currency::Usdt, token);
        let node = Arc::new(Node::new(&settings.url, settings.chain_id).unwrap());
        let (wallet, keys) = (EvmSweep::new(settings.clone(), node), Keys::read(KEY).unwrap());
        let rpc = Rpc::new(&anvil.url).unwrap();
        let mining = tokio::spawn(async move {
            loop {
                let _ = rpc.call::<Value>("evm_mine", json!([])).await;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
        let world = Self { anvil, settings, wallet, keys, mining: mining.abort_handle() };
        for (index, amount) in [(0, 25_000_000_u64), (2, 40_000_000), (3, 10)] {
            let call = transferCall { to: world.address(index), value: U256::from(amount) };
            world.anvil.call(token, call, 0).await;
        }
        for index in [1, 2] {
            world.anvil.send(world.address(index), ETHER).await;
        }
        while world.wallet.coins(&world.address(2).to_checksum(None)).await.unwrap() == 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        world
    }

    fn address(&self, index: u32) -> Address {
        let text = self.wallet.address(&*self.keys.deposit(index).unwrap()).unwrap();
        text.parse().unwrap()
    }

    fn gas_account(&self) -> Address {
        self.wallet.address(&*self.keys.gas().unwrap()).unwrap().parse().unwrap()
    }

    async fn fill_gas_account(&self) {
        let parameters = json!([self.gas_account(), U256::from(ETHER)]);
        self.anvil.ask::<Value>("anvil_setBalance", parameters).await;
    }

    async fn sweep(&self, dry_run: bool) -> Report {
        let min: Decimal = "0.001".parse().unwrap();
        let asked = Sweep { to: TREASURY.to_owned(), addresses: 5, min, dry_run };
        sweep(&self.wallet, &self.keys, &asked).await.unwrap()
    }

    async fn tokens(&self, address: &str) -> u128 {
        self.wallet.balance(address, self.wallet.tokens()[0]).await.unwrap()
    }
}

fn rows(report: &Report) -> Vec<(Kind, u32, &str)> {
    report.rows.iter().map(|row| (row.kind, row.index, row.currency.as_str())).collect()
}

#[tokio::test]
async fn everything_arrives_and_gas_is_no_deposit() {
    let world = World::new().await;
    world.fill_gas_account().await;
    let mut told =
        View::of(Settings { gas_account: Some(world.gas_account()), ..world.settings.clone() }).await;
    let mut untold = View::of(world.settings.clone()).await;
    for index in 0..5 {
        told.watch(world.address(index));
        untold.watch(world.address(index));
    }
    told.look().await;
    untold.look().await;
    let before = (told.known.len(), untold.known.len());

    let plan = world.sweep(true).await;
    let expected = [
        (Kind::Left, 3, "USDT"),
        (Kind::Fund, 0, "ETH"),
        (Kind::Token, 0, "USDT"),
        (Kind::Token, 2, "USDT"),
        (Kind::Coins, 1, "ETH"),
        (Kind::Coins, 2, "ETH"),
    ];
    assert_eq!(rows(&plan), expected);
    assert!(plan.rows.iter().all(|row| row.transaction.is_none()), "{plan:?}");
    assert_eq!(world.tokens(TREASURY).await, 0, "a plan moves nothing");

    let report = world.sweep(false).await;
    assert!(report.is_done(), "{report:?}");
    let moved: Vec<_> = rows(&report).into_iter().filter(|row| row.0 != Kind::Left).collect();
    assert_eq!(moved, expected[1..], "{report:?}");
    assert_eq!(world.tokens(TREASURY).await, 65_000_000);
    let coins = world.wallet.coins(TREASURY).await.unwrap();
    let (all, almost) = (2 * u128::from(ETHER), 2 * u128::from(ETHER) - u128::from(ETHER) / 500);
    assert!(coins < all && coins > almost, "{coins} of {all}");

    // Address 0 received ETH for gas: a watcher without the gas account counts it as a deposit.
    told.look().await;
    untold.look().await;
    assert_eq!((told.known.len() - before.0, untold.known.len() - before.1), (0, 1));

    let again = world.sweep(false).await;
    assert!(again.rows.iter().all(|row| row.kind == Kind::Left), "{again:?}");
}

/// As after a kill between the funding and the tokens, and with nothing to fund from.
#[tokio::test]
async fn a_run_goes_on_where_another_ended() {
    let world = World::new().await;
    let report = world.sweep(false).await;
    let failed: Vec<_> = report.rows.iter().filter(|row| row.error.is_some()).collect();
    assert!(matches!(failed[..], [row] if row.kind == Kind::Fund && row.index == 0), "{report:?}");
    assert_eq!(world.tokens(TREASURY).await, 40_000_000, "the others do not wait for one that fails");

    world.fill_gas_account().await;
    let address = world.address(0).to_checksum(None);
    let token = world.wallet.tokens()[0];
    let fee = world.wallet.token_fee(&address, token, TREASURY, 25_000_000).await.unwrap();
    let secret = world.keys.gas().unwrap();
    // It is under way while the next run starts: that one waits for it, and funds no second time.
    world.wallet.send_coins(&*secret, &address, 2 * fee).await.unwrap();
    let report = world.sweep(false).await;
    assert!(report.is_done() && !rows(&report).iter().any(|row| row.0 == Kind::Fund), "{report:?}");
    assert_eq!(world.tokens(TREASURY).await, 65_000_000);
}

#[tokio::test]
async fn what_is_asked_for_is_checked() {
    let world = World::new().await;
    for own in [world.address(4), world.gas_account()] {
        let to = own.to_checksum(None);
        let asked = Sweep { to, addresses: 5, min: Decimal::ZERO, dry_run: true };
        let refused = sweep(&world.wallet, &world.keys, &asked).await.unwrap_err();
        assert!(refused.contains("an address of this account itself"), "{refused}");
    }
    let settings = Settings { max_fee_per_gas: 1, ..world.settings.clone() };
    let node = Arc::new(Node::new(&settings.url, settings.chain_id).unwrap());
    let dear = EvmSweep::new(settings, node);
    let asked = Sweep { to: TREASURY.to_owned(), addresses: 5, min: Decimal::ZERO, dry_run: false };
    let refused = sweep(&dear, &world.keys, &asked).await.unwrap_err();
    assert!(refused.contains("more than the cap of 1 wei"), "{refused}");
    assert_eq!(world.tokens(TREASURY).await, 0);
}
