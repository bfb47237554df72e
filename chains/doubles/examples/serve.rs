//! Runs the servers for clients in other languages, with a new ledger every half second, until standard
//! input ends. Accounts named by `account=XRP ADDRESS`, `account=XLM ADDRESS` or `account=TRX HEX` are funded.

#![allow(clippy::print_stdout, reason = "standard output tells the URLs")]

use std::time::Duration;

use checkout_chain_doubles::trongrid::chain::USDT;
use checkout_chain_doubles::{Horizon, Rippled, TronGrid};
use tokio::io::AsyncReadExt as _;

#[tokio::main]
async fn main() {
    let (rippled, horizon, trongrid) =
        (Rippled::start().await, Horizon::start().await, TronGrid::start().await);
    for argument in std::env::args().skip(1) {
        match argument.split_once(' ') {
            Some(("account=XRP", address)) => rippled.ledger().fund(address, 1_000_000_000),
            Some(("account=XLM", address)) => horizon.ledger().fund(address, 10_000_000_000),
            Some(("account=TRX", address)) => {
                trongrid.chain().fund(address, 1_000_000_000);
                trongrid.chain().give(address, USDT, 1_000_000_000);
            }
            _ => panic!("not an account: {argument}"),
        }
    }
    println!(
        r#"{{"rippled": "{}", "horizon": "{}", "trongrid": "{}"}}"#,
        rippled.url, horizon.url, trongrid.url
    );
    let closing = async {
        loop {
            tokio::time::sleep(Duration::from_millis(500)).await;
            rippled.ledger().close();
            horizon.ledger().close();
            trongrid.chain().close();
        }
    };
    let mut nothing = Vec::new();
    tokio::select! {
        () = closing => {}
        _ = async { tokio::io::stdin().read_to_end(&mut nothing).await } => {}
    }
}
