//! Moves what payers sent to many addresses of a network to one: coins for fees first to addresses that hold tokens and lack
//! them, then the tokens, then the coins that are left.
//!
//! Nothing is stored. Every run reads balances from the chain and goes on from there, so that it can be stopped at any moment.
//! Coins for fees come from the gas account, the first address of the internal chain (`1/0`) of the account whose external
//! chain (`0/n`) is given to payers. The gateway knows it by the public key, and takes nothing from it for a deposit.

pub mod keys;
pub mod report;
pub mod run;

use async_trait::async_trait;
use checkout_core::Pair;

pub use keys::Keys;
pub use report::{Kind, Report, Row};
pub use run::{Sweep, sweep};

/// Why something was not read or not sent; a message for users.
pub type Failed = String;

/// The coin of a network, in which fees are paid.
#[derive(Clone, Copy, Debug)]
pub struct Coin {
    pub code: &'static str,
    pub decimals: u8,
}

/// One network, as a sweep uses it. Amounts are atomic units; a secret is the private key of an address.
#[async_trait]
pub trait Wallet: Send + Sync {
    fn coin(&self) -> Coin;

    /// Tokens that are moved.
    fn tokens(&self) -> Vec<&'static Pair>;

    /// The address of a secret, in normal form.
    fn address(&self, secret: &[u8]) -> Result<String, Failed>;

    /// Waits until nothing that these addresses sent before is under way.
    async fn settle(&self, addresses: &[String]) -> Result<(), Failed>;

    async fn coins(&self, address: &str) -> Result<u128, Failed>;

    async fn balance(&self, address: &str, token: &Pair) -> Result<u128, Failed>;

    /// The most that a transfer of coins costs.
    async fn coin_fee(&self, from: &str, to: &str) -> Result<u128, Failed>;

    /// The most that a transfer of a token costs.
    async fn token_fee(&self, from: &str, token: &Pair, to: &str, amount: u128) -> Result<u128, Failed>;

    /// Sends coins, and returns the id of the transaction, which is in no block yet.
    async fn send_coins(&self, secret: &[u8], to: &str, amount: u128) -> Result<String, Failed>;

    async fn send_token(&self, secret: &[u8], token: &Pair, to: &str, amount: u128)
    -> Result<String, Failed>;

    /// Waits until a transaction is in a block; fails when it failed there.
    async fn wait(&self, transaction: &str) -> Result<(), Failed>;
}
