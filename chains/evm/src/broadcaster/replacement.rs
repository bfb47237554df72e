//! Replaces a transaction by one with the same nonce that pays more for gas.

use alloy_consensus::{Transaction as _, TxEnvelope, TypedTransaction};
use alloy_eips::eip2718::{Decodable2718 as _, Encodable2718 as _};
use alloy_primitives::U256;
use checkout_domain::chain::payout::Signed;
use checkout_domain::chain::waiting::{ReplaceAfter, Waiting};
use checkout_domain::ports::broadcaster::{Replacement, Unsent};

use super::EvmBroadcaster;
use crate::fees::{GasPrice, gas_price, raised};
use crate::l1_fee;
use crate::node::At;
use crate::signer::signed;
use crate::transfers::amount_text;
use checkout_chain_http::NodeError;

impl EvmBroadcaster {
    pub(super) async fn is_time(&self, waiting: Waiting) -> Result<bool, NodeError> {
        match self.settings.replace_after {
            ReplaceAfter::Never => Ok(false),
            ReplaceAfter::Seconds(seconds) => Ok(waiting.seconds() >= seconds),
            ReplaceAfter::Blocks(blocks) => {
                let height = self.node.latest().await?.height();
                let Some(first) = (height + 1).checked_sub(blocks) else { return Ok(false) };
                let header = self.node.header(At::Number(first)).await?;
                Ok(header.is_some_and(|header| header.timestamp.to::<u64>() > waiting.since))
            }
        }
    }

    pub(super) async fn replacement(&self, newest: &Signed) -> Result<Replacement, Unsent> {
        self.node.verify().await?;
        let account = self.signer.account();
        let Some(sequence) = &newest.sequence else { return Ok(Replacement::None) };
        if sequence.account != account.to_checksum(None) {
            return Err(Unsent::later(format!(
                "it is from {}, and the signer has {account}",
                sequence.account
            )));
        }
        // The chain takes the nonces in order: only the next one waits for a higher fee.
        if self.node.nonce(account, At::Latest).await? != sequence.number {
            return Ok(Replacement::None);
        }
        let Some(mut transaction) = read(&newest.bytes) else {
            return Err(Unsent::Refused("the stored bytes are no transaction of this gateway".to_owned()));
        };
        let wanted = gas_price(&self.node, u128::MAX).await?;
        let Some(price) = raised(price_of(&transaction), wanted, self.settings.max_fee_per_gas) else {
            return Ok(Replacement::Capped);
        };
        set_price(&mut transaction, price);
        let gas = U256::from(transaction.gas_limit()).saturating_mul(U256::from(price.most()));
        let data = l1_fee::reserve(l1_fee::l1_fee(&self.node, &self.settings, &transaction).await?);
        let need = transaction.value().saturating_add(gas).saturating_add(data);
        let have = self.node.balance(account, At::Latest).await?;
        if have < need {
            let (have, need) = (amount_text(have), amount_text(need));
            return Err(Unsent::later(format!(
                "the account {account} has {have} of the network's coin and needs {need}"
            )));
        }
        let envelope = signed(self.signer.as_ref(), transaction).await.map_err(Unsent::Unavailable)?;
        Ok(Replacement::Signed(Signed {
            transaction_id: envelope.tx_hash().to_string(),
            bytes: envelope.encoded_2718(),
            sequence: newest.sequence.clone(),
        }))
    }
}

/// `None` for a kind of transaction that the gateway does not sign.
fn read(bytes: &[u8]) -> Option<TypedTransaction> {
    match TxEnvelope::decode_2718_exact(bytes).ok()? {
        TxEnvelope::Eip1559(signed) => Some(signed.tx().clone().into()),
        TxEnvelope::Legacy(signed) => Some(signed.tx().clone().into()),
        _ => None,
    }
}

fn price_of(transaction: &TypedTransaction) -> GasPrice {
    match transaction.max_priority_fee_per_gas() {
        Some(tip) => GasPrice::Eip1559 { max: transaction.max_fee_per_gas(), tip },
        None => GasPrice::Legacy(transaction.max_fee_per_gas()),
    }
}

fn set_price(transaction: &mut TypedTransaction, price: GasPrice) {
    match (transaction, price) {
        (TypedTransaction::Eip1559(transaction), GasPrice::Eip1559 { max, tip }) => {
            (transaction.max_fee_per_gas, transaction.max_priority_fee_per_gas) = (max, tip);
        }
        (TypedTransaction::Legacy(transaction), GasPrice::Legacy(price)) => transaction.gas_price = price,
        _ => {}
    }
}
