//! What a wallet in the payer's browser is asked ([EIP-1193]): the transaction that pays, and calls that read the chain.
//!
//! Numbers and bytes are as JSON-RPC has them, so that a page passes them on unchanged. Contracts on TRON take the same calls.
//!
//! [EIP-1193]: https://eips.ethereum.org/EIPS/eip-1193

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use crate::address::Address;
use crate::encoding::hex;
use crate::money::Amount;
use crate::pair::Pair;

/// A transaction without its sender, or a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvmCall {
    /// The recipient, or the contract of the token.
    pub to: String,
    /// Of the network's own coin, in atomic units.
    pub value: String,
    pub data: String,
}

/// `transfer(address,uint256)` and `balanceOf(address)` of [ERC-20](https://eips.ethereum.org/EIPS/eip-20).
const TRANSFER: &str = "a9059cbb";
const BALANCE_OF: &str = "70a08231";

/// The transaction that sends an amount of the pair, on EVM networks, and on TRON if the pair is a token; `None` on other networks,
/// for a recipient on another network, and for nothing.
pub fn payment(pair: &Pair, to: &Address, amount: Amount) -> Option<EvmCall> {
    let spec = pair.network.spec();
    if spec.wallet_chain_id().is_none() || to.network() != pair.network || amount.is_zero() {
        return None;
    }
    let atoms = amount.atoms();
    Some(match pair.contract {
        // The coin of TRON is sent by a transaction of another kind.
        None if spec.chain_id().is_none() => return None,
        None => EvmCall { to: to.to_string(), value: format!("{atoms:#x}"), data: "0x".to_string() },
        Some(contract) => EvmCall {
            to: contract.to_string(),
            value: "0x0".to_string(),
            data: format!("0x{TRANSFER}{}{atoms:064x}", Word(to)),
        },
    })
}

/// The call that reads how much of the pair's token an account has, on EVM networks; `None` for the network's own coin.
pub fn balance(pair: &Pair, of: &Address) -> Option<EvmCall> {
    let contract = pair.contract.filter(|_| pair.network.spec().chain_id().is_some());
    let contract = contract.filter(|_| of.network() == pair.network)?;
    let data = format!("0x{BALANCE_OF}{}", Word(of));
    Some(EvmCall { to: contract.to_string(), value: "0x0".to_string(), data })
}

/// An account in 32 bytes, as the [ABI](https://docs.soliditylang.org/en/latest/abi-spec.html) has it.
struct Word<'a>(&'a Address);

impl fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("000000000000000000000000")?;
        hex::write(self.0.payload(), f)
    }
}
