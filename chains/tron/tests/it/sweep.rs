use std::sync::Arc;
use std::time::Duration;

use checkout_chain_doubles::TronGrid;
use checkout_chain_doubles::trongrid::chain::{USDC, USDT};
use checkout_chain_sweep::{Keys, Kind, Report, Sweep, Wallet as _, sweep};
use checkout_chain_tron::{Settings, TronSweep};
use checkout_core::Decimal;
use tokio::task::AbortHandle;

use super::{OURS, hex, node, settings};

/// BIP-32, test vector 1.
const KEY: &str = "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";

struct World {
    server: TronGrid,
    wallet: TronSweep,
    keys: Keys,
    closing: AbortHandle,
}

impl Drop for World {
    fn drop(&mut self) {
        self.closing.abort();
    }
}

impl World {
    /// USDT on address 0, which has no TRX; USDT and USDC with TRX on 1; a little USDT on 2. Blocks come by themselves.
    async fn new(gas: u64) -> Self {
        let server = TronGrid::start().await;
        let (wallet, keys) = (TronSweep::new(settings(), node(&server)), Keys::read(KEY).unwrap());
        let closing = tokio::spawn({
            let server = server.clone();
            async move {
                loop {
                    tokio::time::sleep(Duration::from_millis(30)).await;
                    server.chain().close();
                }
            }
        });
        let world = Self { server, wallet, keys, closing: closing.abort_handle() };
        {
            let mut chain = world.server.chain();
            chain.fund(&hex(&world.wallet.address(&*world.keys.gas().unwrap()).unwrap()), gas);
            chain.give(&world.address(0), USDT, 25_000_000);
            chain.give(&world.address(1), USDT, 10_000_000);
            chain.give(&world.address(1), USDC, 30_000_000);
            chain.fund(&world.address(1), 900_000_000);
            chain.give(&world.address(2), USDT, 10);
        }
        world
    }

    fn address(&self, index: u32) -> String {
        hex(&self.wallet.address(&*self.keys.deposit(index).unwrap()).unwrap())
    }

    async fn sweep(&self, dry_run: bool) -> Report {
        let min: Decimal = "0.001".parse().unwrap();
        let asked = Sweep { to: OURS.to_owned(), addresses: 4, min, dry_run };
        sweep(&self.wallet, &self.keys, &asked).await.unwrap()
    }

    fn arrived(&self) -> (u128, u128, u64) {
        let (chain, to) = (self.server.chain(), hex(OURS));
        let sun = chain.accounts.get(&to).map_or(0, |account| account.balance);
        (chain.token(&to, USDT), chain.token(&to, USDC), sun)
    }
}

fn rows(report: &Report) -> Vec<(Kind, u32, &str)> {
    report.rows.iter().map(|row| (row.kind, row.index, row.currency.as_str())).collect()
}

#[tokio::test]
async fn everything_arrives() {
    let world = World::new(100_000_000).await;
    let plan = world.sweep(true).await;
    let expected = [
        (Kind::Left, 2, "USDT"),
        (Kind::Fund, 0, "TRX"),
        (Kind::Token, 0, "USDT"),
        (Kind::Token, 1, "USDC"),
        (Kind::Token, 1, "USDT"),
        (Kind::Coins, 1, "TRX"),
    ];
    assert_eq!(rows(&plan), expected);
    assert_eq!(world.arrived(), (0, 0, 0), "a plan moves nothing");
    let report = world.sweep(false).await;
    assert!(report.is_done(), "{report:?}");
    let moved: Vec<_> = rows(&report).into_iter().filter(|row| row.0 != Kind::Left).collect();
    assert_eq!(moved, expected[1..], "{report:?}");
    let (tethers, circles, sun) = world.arrived();
    assert_eq!((tethers, circles), (35_000_000, 30_000_000));
    assert!(sun > 880_000_000 && sun < 900_000_000, "{sun}");
    let again = world.sweep(false).await;
    assert!(again.rows.iter().all(|row| row.kind == Kind::Left), "{again:?}");
}

/// The gas account has nothing at first; the second run takes up what is left.
#[tokio::test]
async fn a_run_goes_on_where_another_ended() {
    let world = World::new(0).await;
    let report = world.sweep(false).await;
    let failed: Vec<_> = report.rows.iter().filter(|row| row.error.is_some()).collect();
    assert!(matches!(failed[..], [row] if row.kind == Kind::Fund && row.index == 0), "{report:?}");
    assert_eq!(world.arrived().0, 10_000_000, "the others do not wait for one that fails");
    let gas = hex(&world.wallet.address(&*world.keys.gas().unwrap()).unwrap());
    world.server.chain().fund(&gas, 100_000_000);
    assert!(world.sweep(false).await.is_done());
    assert_eq!(world.arrived().0, 35_000_000);
}

#[tokio::test]
async fn a_cap_on_fees_holds() {
    let world = World::new(100_000_000).await;
    let dear =
        TronSweep::new(Settings { max_fee: 6_000_000, ..settings() }, Arc::clone(&node(&world.server)));
    let asked = Sweep { to: OURS.to_owned(), addresses: 4, min: Decimal::ZERO, dry_run: false };
    let refused = sweep(&dear, &world.keys, &asked).await.unwrap_err();
    assert!(refused.contains("the cap is 6000000"), "{refused}");
    assert_eq!(world.arrived(), (0, 0, 0));
}
