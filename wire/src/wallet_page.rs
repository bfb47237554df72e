//! `GET /checkout/{paymentId}/wallet`: what the page asks a wallet in the payer's browser, and its words for it.
//!
//! An extension: the interface has no such endpoint. Only the page reads it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::texts::{AmountText, CurrencyCode, NetworkCode};
use super::words::{Word, words};

words! {
    /// Why a wallet cannot pay. Each is the name of a text of the page.
    WalletObstacle {
        TooLittle = "tooLittle",
        NoFee = "noFee",
        WouldFail = "wouldFail",
    }
}

/// What the page asks a wallet in the payer's browser.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct WalletPage {
    /// Missing when the payment asks for nothing that such a wallet could send: before the choice, after its window, once the amount
    /// was seen, on networks other than EVM networks and TRON, and in the sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment: Option<WalletPayment>,
    /// Texts of the page in its language, by name.
    pub texts: BTreeMap<String, String>,
}

/// What is asked of the wallet, and what the page shows with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct WalletPayment {
    /// Cryptocurrency on the page.
    pub currency: CurrencyCode,
    /// Network on the page.
    pub network: NetworkCode,
    /// Amount on the page.
    pub amount: AmountText,
    /// Recipient on the page.
    pub address: String,
    /// Chain id of the network, hexadecimal.
    pub chain_id: String,
    /// Amount in atomic units, hexadecimal.
    pub atoms: String,
    /// The transaction that pays, without its sender.
    pub transaction: WalletCall,
    /// The call that reads how much of the token `account` has. Missing for the network's own coin, and without an `account`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<WalletCall>,
    /// On TRON, for an `account`: the bytes that it signs (`raw_data` of the transaction), hexadecimal. Missing if there is an obstacle, and while the
    /// network does not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsigned: Option<String>,
    /// On TRON, for an `account`: why it cannot pay. `tooLittle`: it has less than the amount. `noFee`: it has too little TRX. `wouldFail`: the
    /// token refuses the transfer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<Word<WalletObstacle>>,
    /// The network as EIP-3085 describes it, for a wallet that does not know it. Missing where the wallet has to know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<WalletChain>,
    /// Address of a transaction at the explorer, without its hash. Missing on test networks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explorer: Option<String>,
}

/// A transaction or a call, as the JSON-RPC of Ethereum has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WalletCall {
    /// Recipient, or the token's contract. On TRON, it is the address of the contract (T…).
    pub to: String,
    /// Of the network's own coin, hexadecimal.
    pub value: String,
    /// Hexadecimal.
    pub data: String,
}

/// A network as EIP-3085 describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WalletChain {
    /// Chain id, hexadecimal.
    pub chain_id: String,
    /// Name of the network.
    pub chain_name: String,
    /// The network's own coin.
    pub native_currency: WalletCoin,
    /// Public nodes.
    pub rpc_urls: [String; 1],
    /// Explorers.
    pub block_explorer_urls: [String; 1],
}

/// The coin that pays for gas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WalletCoin {
    /// Name of the coin.
    pub name: String,
    /// Code of the coin.
    pub symbol: String,
    /// Decimals of the coin.
    pub decimals: u8,
}
