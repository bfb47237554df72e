//! A sweep on a network of the family.

use std::sync::Arc;
use std::time::{Duration, Instant};

use alloy_primitives::{Address, Bytes, U64, U256};
use async_trait::async_trait;
use checkout_chain_sweep::{Coin, Failed, Wallet};
use checkout_core::Pair;
use serde_json::json;

use crate::fees::{GasPrice, gas_price};
use crate::node::{At, Node};
use crate::settings::Settings;
use crate::signer::keystore::Keystore;
use crate::signer::signed;
use crate::transfers::COIN_DECIMALS;
use crate::{broadcaster, l1_fee, tokens};

/// How long a transaction may wait for a block.
const TIMEOUT: Duration = Duration::from_mins(15);
const LOOK: Duration = Duration::from_millis(500);

pub struct EvmSweep {
    settings: Settings,
    node: Arc<Node>,
}

impl EvmSweep {
    pub fn new(settings: Settings, node: Arc<Node>) -> Self {
        Self { settings, node }
    }

    async fn price(&self) -> Result<GasPrice, Failed> {
        let cap = self.settings.max_fee_per_gas;
        let price = gas_price(&self.node, cap).await?;
        price.ok_or_else(|| format!("gas costs more than the cap of {cap} wei"))
    }

    async fn gas(&self, from: Address, to: Address, value: U256, data: &Bytes) -> Result<u64, Failed> {
        let call = json!({"from": from, "to": to, "value": value, "data": data});
        let gas: U64 = self.node.rpc.call("eth_estimateGas", json!([call, At::Latest.json()])).await?;
        // A transfer between accounts takes exactly this; a contract may take more later.
        let gas = gas.to::<u64>();
        Ok(if gas == 21_000 { gas } else { gas.saturating_add(gas / 4) })
    }

    async fn fee(&self, from: Address, to: Address, value: U256, data: &Bytes) -> Result<u128, Failed> {
        let (gas, price) = (self.gas(from, to, value, data).await?, self.price().await?);
        let action = broadcaster::Action { to, value, data: data.clone() };
        let transaction = action.transaction(self.settings.chain_id, 0, gas, price);
        let l1_fee = l1_fee::l1_fee(&self.node, &self.settings, &transaction).await?;
        let l1_fee = u128::try_from(l1_fee::reserve(l1_fee)).unwrap_or(u128::MAX);
        Ok(u128::from(gas).saturating_mul(price.most()).saturating_add(l1_fee))
    }

    async fn send(&self, secret: &[u8], to: Address, value: U256, data: Bytes) -> Result<String, Failed> {
        self.node.verify().await?;
        let key = Keystore::from_secret(secret).ok_or("the key is none of this network")?;
        let from = key.account();
        let gas = self.gas(from, to, value, &data).await?;
        let nonce = self.node.nonce(from, At::Pending).await?;
        let action = broadcaster::Action { to, value, data };
        let transaction = action.transaction(self.settings.chain_id, nonce, gas, self.price().await?);
        let envelope = signed(&key, transaction).await.map_err(|error| error.to_string())?;
        let bytes = alloy_eips::eip2718::Encodable2718::encoded_2718(&envelope);
        self.node.send_raw(&bytes).await?;
        Ok(envelope.tx_hash().to_string())
    }

    fn contract(&self, token: &Pair) -> Result<Address, Failed> {
        let contract = self.settings.contract(token);
        contract.ok_or_else(|| format!("no contract of {} is configured", token.currency))
    }
}

#[async_trait]
impl Wallet for EvmSweep {
    fn coin(&self) -> Coin {
        let coin = &self.settings.network.spec().gas_coin;
        let code = coin.map_or("ETH", |coin| coin.code);
        Coin { code, decimals: COIN_DECIMALS }
    }

    fn tokens(&self) -> Vec<&'static Pair> {
        self.settings.token_pairs().map(|(pair, _)| pair).collect()
    }

    fn address(&self, secret: &[u8]) -> Result<String, Failed> {
        let key = Keystore::from_secret(secret).ok_or("the key is none of this network")?;
        Ok(key.account().to_checksum(None))
    }

    async fn settle(&self, addresses: &[String]) -> Result<(), Failed> {
        let started = Instant::now();
        for address in addresses {
            let account = read(address)?;
            while self.node.nonce(account, At::Pending).await? != self.node.nonce(account, At::Latest).await?
            {
                if started.elapsed() > TIMEOUT {
                    return Err(format!("transactions of {address} wait for a block: try again later"));
                }
                tokio::time::sleep(LOOK).await;
            }
        }
        Ok(())
    }

    async fn coins(&self, address: &str) -> Result<u128, Failed> {
        let coins = self.node.balance(read(address)?, At::Latest).await?;
        Ok(u128::try_from(coins).unwrap_or(u128::MAX))
    }

    async fn balance(&self, address: &str, token: &Pair) -> Result<u128, Failed> {
        let contract = self.contract(token)?;
        let balance = tokens::balance(&self.node, contract, read(address)?, At::Latest).await?;
        Ok(u128::try_from(balance).unwrap_or(u128::MAX))
    }

    async fn coin_fee(&self, from: &str, to: &str) -> Result<u128, Failed> {
        self.fee(read(from)?, read(to)?, U256::ZERO, &Bytes::new()).await
    }

    async fn token_fee(&self, from: &str, token: &Pair, to: &str, amount: u128) -> Result<u128, Failed> {
        let data = tokens::transfer_data(read(to)?, U256::from(amount));
        self.fee(read(from)?, self.contract(token)?, U256::ZERO, &data).await
    }

    async fn send_coins(&self, secret: &[u8], to: &str, amount: u128) -> Result<String, Failed> {
        self.send(secret, read(to)?, U256::from(amount), Bytes::new()).await
    }

    async fn send_token(
        &self,
        secret: &[u8],
        token: &Pair,
        to: &str,
        amount: u128,
    ) -> Result<String, Failed> {
        let data = tokens::transfer_data(read(to)?, U256::from(amount));
        self.send(secret, self.contract(token)?, U256::ZERO, data).await
    }

    async fn wait(&self, transaction: &str) -> Result<(), Failed> {
        let hash = transaction.parse().map_err(|_| format!("{transaction} is no transaction"))?;
        let started = Instant::now();
        loop {
            match self.node.receipt(hash).await {
                Ok(Some(receipt)) if receipt.succeeded() => return Ok(()),
                Ok(Some(receipt)) => return Err(format!("it reverted in block {}", receipt.block_number)),
                // What cannot be asked is asked again.
                Ok(None) | Err(_) if started.elapsed() < TIMEOUT => tokio::time::sleep(LOOK).await,
                Ok(None) => return Err("it waits for a block still: run the sweep again later".to_owned()),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

fn read(address: &str) -> Result<Address, Failed> {
    address.parse().map_err(|_| format!("{address} is no account"))
}
