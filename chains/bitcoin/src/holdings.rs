//! What the wallet of the deposits and the one that pays hold together.

use checkout_core::{Amount, pair};
use checkout_domain::ports::broadcaster::{Holding, Unsent};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::broadcaster::NodeWallet;
use crate::coins::amount;
use crate::deposit_wallet::lacks_blocks;
use crate::rpc::Node;

/// `getblockchaininfo`.
#[derive(Deserialize)]
struct Synchronised {
    blocks: u64,
    headers: u64,
    initialblockdownload: bool,
}

impl NodeWallet {
    pub(crate) async fn held_with(&self, deposits: &Node) -> Result<Vec<Holding>, Unsent> {
        let seen: Synchronised = self.node.call("getblockchaininfo", json!([])).await?;
        let is_behind = seen.initialblockdownload || seen.headers > seen.blocks + 1;
        if is_behind || lacks_blocks(deposits).await? {
            return Err(Unsent::later("the wallets have not seen all blocks"));
        }
        self.open().await?;
        let mut held = balance(deposits).await?;
        if self.node.dialect.has_wallets {
            held = held.checked_add(balance(&self.wallet).await?).map_err(|_| unreadable())?;
        }
        let coin = pair::EVERY_PAIR.iter().find(|pair| pair.network == self.network);
        Ok(coin.map(|pair| Holding { pair, amount: held }).into_iter().collect())
    }
}

/// With what is only watched, and with the change of own transactions that are in no block.
async fn balance(wallet: &Node) -> Result<Amount, Unsent> {
    let told: Box<RawValue> = wallet.call("getbalance", json!(["*", 0, true])).await?;
    amount(told.get()).ok_or_else(unreadable)
}

fn unreadable() -> Unsent {
    Unsent::later("a balance cannot be read")
}
