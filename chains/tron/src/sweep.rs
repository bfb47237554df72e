//! A sweep on TRON.

use std::sync::Arc;
use std::time::{Duration, Instant};

use alloy_primitives::{Address, U256};
use async_trait::async_trait;
use checkout_chain_sweep::{Coin, Failed, Wallet};
use checkout_core::Pair;

use crate::fees::{self, Estimate};
use crate::key::Key;
use crate::node::{Node, Of};
use crate::settings::Settings;
use crate::transaction::{Action, Window};
use crate::{COIN_DECIMALS, account, tokens};

/// From signature to expiration, in milliseconds; then a transaction that is in no block never will be.
const LIFETIME: u64 = 120_000;

/// How long a transaction may wait for a block.
const TIMEOUT: Duration = Duration::from_mins(3);

/// Fee for activating an account, in sun. Its first payer pays it.
const NEW_ACCOUNT: u64 = 1_100_000;

pub struct TronSweep {
    settings: Settings,
    node: Arc<Node>,
}

impl TronSweep {
    pub fn new(settings: Settings, node: Arc<Node>) -> Self {
        Self { settings, node }
    }

    async fn estimate(
        &self,
        from: Address,
        token: &Pair,
        to: Address,
        amount: u128,
    ) -> Result<fees::Fee, Failed> {
        let call = tokens::transfer(to, U256::from(amount));
        let cap = self.settings.max_fee;
        match fees::estimate(&self.node, from, self.contract(token)?, &call, cap).await? {
            Estimate::Fee(fee) => Ok(fee),
            Estimate::TooDear(least) => Err(format!("a transfer costs {least} sun, and the cap is {cap}")),
            Estimate::Reverted => Err("the token refuses the transfer".to_owned()),
        }
    }

    async fn send(&self, secret: &[u8], action: Action) -> Result<String, Failed> {
        self.node.verify().await?;
        let key = Key::from_secret(secret).ok_or("the key is none of this network")?;
        let solid = self.node.solid().await?;
        let head = self.node.newest().await?.millis();
        let signed = action.sign(&key, &solid, Window { timestamp: head, expiration: head + LIFETIME });
        let answer = self.node.broadcast(&signed.bytes).await?;
        if answer.result {
            return Ok(crate::cursor::transaction_id(signed.id));
        }
        Err(format!("{}: {}", answer.code.as_deref().unwrap_or("refused"), answer.message()))
    }

    fn contract(&self, token: &Pair) -> Result<Address, Failed> {
        let contract = self.settings.contract(token);
        contract.ok_or_else(|| format!("no contract of {} is configured", token.currency))
    }

    async fn pause(&self) {
        tokio::time::sleep(self.settings.poll.max(Duration::from_millis(20))).await;
    }
}

#[async_trait]
impl Wallet for TronSweep {
    fn coin(&self) -> Coin {
        Coin { code: "TRX", decimals: COIN_DECIMALS }
    }

    fn tokens(&self) -> Vec<&'static Pair> {
        self.settings.token_pairs().map(|(pair, _)| pair).collect()
    }

    fn address(&self, secret: &[u8]) -> Result<String, Failed> {
        let key = Key::from_secret(secret).ok_or("the key is none of this network")?;
        Ok(account::to_text(key.account()))
    }

    /// Accounts do not number their transactions: what was sent is in one of the next two blocks.
    async fn settle(&self, _: &[String]) -> Result<(), Failed> {
        self.node.verify().await?;
        let (started, first) = (Instant::now(), self.node.newest().await?.number());
        while self.node.newest().await?.number() < first + 2 {
            if started.elapsed() > TIMEOUT {
                return Err("the network makes no blocks".to_owned());
            }
            self.pause().await;
        }
        Ok(())
    }

    async fn coins(&self, address: &str) -> Result<u128, Failed> {
        self.node.balance(read(address)?).await.map(u128::from).map_err(Failed::from)
    }

    async fn balance(&self, address: &str, token: &Pair) -> Result<u128, Failed> {
        let balance = self.node.token_balance(self.contract(token)?, read(address)?).await?;
        Ok(u128::try_from(balance).unwrap_or(u128::MAX))
    }

    async fn coin_fee(&self, from: &str, to: &str) -> Result<u128, Failed> {
        let fee = fees::transfer(&self.node, read(from)?).await?;
        let is_new = !self.node.exists(read(to)?).await?;
        Ok(u128::from(fee + if is_new { NEW_ACCOUNT } else { 0 }))
    }

    async fn token_fee(&self, from: &str, token: &Pair, to: &str, amount: u128) -> Result<u128, Failed> {
        Ok(self.estimate(read(from)?, token, read(to)?, amount).await?.needed.into())
    }

    async fn send_coins(&self, secret: &[u8], to: &str, amount: u128) -> Result<String, Failed> {
        let amount = u64::try_from(amount).map_err(|_| format!("there are not {amount} sun"))?;
        self.send(secret, Action::Transfer { to: read(to)?, amount }).await
    }

    async fn send_token(
        &self,
        secret: &[u8],
        token: &Pair,
        to: &str,
        amount: u128,
    ) -> Result<String, Failed> {
        let (from, to) = (read(&self.address(secret)?)?, read(to)?);
        let fee_limit = self.estimate(from, token, to, amount).await?.limit;
        let data = tokens::transfer_data(to, U256::from(amount));
        self.send(secret, Action::Call { contract: self.contract(token)?, data, fee_limit }).await
    }

    async fn wait(&self, transaction: &str) -> Result<(), Failed> {
        let id = transaction.parse().map_err(|_| format!("{transaction} is no transaction"))?;
        let started = Instant::now();
        loop {
            match self.node.info(Of::Newest, id).await {
                Ok(Some(info)) if info.result.is_none() => return Ok(()),
                Ok(Some(info)) => {
                    return Err(format!("block {} has it with {}", info.block_number, info.outcome()));
                }
                // What cannot be asked is asked again.
                Ok(None) | Err(_) if started.elapsed() < TIMEOUT => self.pause().await,
                Ok(None) => return Err("no block has it: run the sweep again".to_owned()),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

fn read(address: &str) -> Result<Address, Failed> {
    account::read(address).ok_or_else(|| format!("{address} is no account"))
}
