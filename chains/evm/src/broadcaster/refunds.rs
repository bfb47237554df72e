//! The current fee of a payout, and whether the sender of a refund can be refunded.

use alloy_primitives::{Address, B256, Bytes, U256};
use checkout_core::Decimal;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::payout::Payout;
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ports::broadcaster::Unsent;

use super::EvmBroadcaster;
use crate::fees::{GasPrice, price_now};
use crate::l1_fee;
use crate::networks;
use crate::node::At;
use crate::transfers::{COIN_DECIMALS, FIRST_MOVE};

/// The code of an account that delegates to a contract, before the contract's address:
/// <https://eips.ethereum.org/EIPS/eip-7702>.
const DELEGATION: [u8; 3] = [0xef, 0x01, 0x00];

/// The recipient while nobody knows it: an account that holds nothing.
const NOBODY: Address = Address::new(*b"crypto checkout fees");

/// What the first tokens of an account cost beyond a transfer of none: two balances are written, one of them from nothing (EIP-2929).
const FIRST_TOKENS: u64 = 25_000;

impl EvmBroadcaster {
    /// Gas by its price in the next block, and the data on Ethereum. On Arbitrum the gas includes the data.
    pub(super) async fn fee_now(&self, payout: &Payout) -> Result<Decimal, Unsent> {
        self.node.verify().await?;
        let is_known = !payout.to.is_empty();
        let to = if is_known { payout.to.clone() } else { NOBODY.to_checksum(None) };
        let payout = &Payout { to, ..payout.clone() };
        let action = self.action(payout)?;
        let price = price_now(&self.node, self.settings.max_fee_per_gas).await?;
        let price = price.ok_or_else(|| {
            Unsent::later(format!("gas costs more than the cap of {} wei", self.settings.max_fee_per_gas))
        })?;
        self.check_funds(payout, action.value).await?;
        let gas = self.estimated_gas(&action).await?;
        let gas =
            if is_known || payout.pair.contract.is_none() { gas } else { gas.saturating_add(FIRST_TOKENS) };
        let transaction = action.transaction(self.settings.chain_id, 0, gas, GasPrice::Legacy(price));
        let data = l1_fee::l1_fee(&self.node, &self.settings, &transaction).await?;
        let wei = U256::from(gas).saturating_mul(U256::from(price));
        // Until it is sent, the price of the data may rise.
        let wei = wei.saturating_add(data).saturating_add(data / U256::from(4));
        let wei = i128::try_from(wei).ok();
        let coins = wei.and_then(|wei| Decimal::try_from_i128_with_scale(wei, COIN_DECIMALS.into()).ok());
        coins.ok_or_else(|| Unsent::later("the fee is out of range"))
    }

    /// A contract may not know the payer, or not be able to send money on. The account of a person has no code, or delegates to
    /// a contract (EIP-7702), and then receives like any other.
    pub(super) async fn judge_sender(
        &self,
        payout: &Payout,
        deposit: &OutputId,
    ) -> Result<Option<NoRefundAddress>, Unsent> {
        if deposit.index >= FIRST_MOVE {
            return Ok(Some(NoRefundAddress::InternalTransfer));
        }
        self.node.verify().await?;
        let Ok(sender) = payout.to.parse::<Address>() else {
            return Ok(Some(NoRefundAddress::UnknownSender));
        };
        let code = self.node.code(sender, At::Latest).await?;
        let is_contract = is_contract(&code) || self.is_message(deposit).await?;
        Ok(is_contract.then_some(NoRefundAddress::Contract))
    }

    /// Whether a contract on Ethereum may have sent it.
    async fn is_message(&self, deposit: &OutputId) -> Result<bool, Unsent> {
        if !networks::row(self.settings.network).is_rollup {
            return Ok(false);
        }
        let hash = deposit.transaction.parse::<B256>().map_err(|error| Unsent::later(error.to_string()))?;
        let seen = self.node.transaction(hash).await?;
        seen.map(|seen| !seen.is_signed()).ok_or_else(|| Unsent::later("its transaction is not found"))
    }
}

fn is_contract(code: &Bytes) -> bool {
    let delegates = code.len() == DELEGATION.len() + 20 && code.starts_with(&DELEGATION);
    !code.is_empty() && !delegates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_that_delegate_are_no_contracts() {
        let check = |code: &[u8], expected| {
            assert_eq!(is_contract(&Bytes::copy_from_slice(code)), expected, "{code:x?}");
        };
        let delegation = |length| [&DELEGATION[..], &vec![7; length]].concat();
        check(&[], false);
        check(&delegation(20), false);
        check(&delegation(19), true);
        check(&delegation(21), true);
        check(&[0x60, 0x80], true);
        check(&[0xef, 0x00], true);
    }
}
