//! `POST /sandbox/…`: the control API of the simulated chains. No credentials; only with `--sandbox`.

use serde::{Deserialize, Serialize};

use super::words::words;

#[cfg(feature = "schema")]
use super::schema::Count;
use super::texts::{AssetCode, CurrencyCode, NetworkCode, NonEmpty, NumberOrText, TagText, Time};

words! {
    /// The kind of sender of a simulated transfer.
    SimulatedSender {
        Account = "ACCOUNT",
        Contract = "CONTRACT",
        Internal = "INTERNAL",
        TagRequired = "TAG_REQUIRED",
        Unknown = "UNKNOWN",
    }
}

/// A transfer to broadcast.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SendTransfer {
    /// Network of the transfer. The currency must exist on it.
    pub network: NetworkCode,
    /// Cryptocurrency to send.
    pub currency: CurrencyCode,
    /// Recipient.
    pub address: NonEmpty,
    /// Destination tag (XRP) or memo (XLM).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<TagText>,
    /// Amount in the cryptocurrency.
    pub amount: NumberOrText,
    /// Sender. The default is an address of the sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_address: Option<String>,
    /// Whether the sender can still replace the transfer (BIP 125). If so, it is not an instant deposit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaceable: Option<bool>,
    /// Adds the transfer to this pending transaction as another output. Without it, the transfer is a transaction of its
    /// own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    /// The kind of sender. Nothing is refunded automatically to a contract, through a contract (`INTERNAL`), to an account
    /// that demands a tag and sent none, or to an unknown sender. The default is the account of a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<SimulatedSender>,
}

/// A transaction that reverts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RevertTransaction {
    /// Transaction of a withdrawal or a refund.
    pub transaction_id: String,
}

/// The fee of a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SetFee {
    /// Network.
    pub network: NetworkCode,
    /// The fee of a transaction, in the main coin of the chain.
    pub fee: NumberOrText,
}

/// A transfer of a simulated chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SentTransfer {
    /// Transaction on the chain.
    pub transaction_id: String,
}

/// Blocks to mine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MineBlocks {
    /// Network of the chain.
    pub network: NetworkCode,
    /// Number of blocks, from 1 to 1000.
    #[cfg_attr(feature = "schema", schemars(with = "Count"))]
    pub count: u32,
}

/// A transfer to drop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DropTransfer {
    /// Transaction on the chain.
    pub transaction_id: String,
}

/// An address to flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FlagSender {
    /// Network of the address.
    pub network: NetworkCode,
    /// Address on the network.
    pub address: NonEmpty,
    /// Whether deposits from this address are held. The default is `true`; `false` removes the flag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flagged: Option<bool>,
}

/// Whether an address is flagged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FlaggedSender {
    /// Network of the address.
    pub network: NetworkCode,
    /// Address on the network.
    pub address: NonEmpty,
    /// Whether deposits from this address are held.
    pub flagged: bool,
}

/// How far to advance the clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AdvanceClock {
    /// Seconds to advance the clock by, at most ten years.
    #[cfg_attr(feature = "schema", schemars(with = "Count"))]
    pub advance_seconds: u64,
}

/// Blocks to drop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DropBlocks {
    /// Network of the chain.
    pub network: NetworkCode,
    /// Number of blocks, from 1 to 1000.
    #[cfg_attr(feature = "schema", schemars(with = "Count"))]
    pub depth: u32,
}

/// An exchange rate to set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SetRate {
    /// Base currency.
    pub from: AssetCode,
    /// Quote currency.
    pub to: AssetCode,
    /// Price of one `from` in `to`.
    pub rate: NumberOrText,
}

/// The height of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChainHeight {
    /// Network of the chain.
    pub network: NetworkCode,
    /// Height of the chain.
    #[cfg_attr(feature = "schema", schemars(with = "Count"))]
    pub height: u64,
}

/// The time of the gateway.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GatewayTime {
    /// Current time.
    pub now: Time,
}
