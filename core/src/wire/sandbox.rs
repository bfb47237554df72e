//! `POST /sandbox/…`: the control API of the simulated chains. No credentials; only with `--sandbox`.

use alloc::string::String;

use serde::{Deserialize, Serialize};

/// `POST /sandbox/transfers`: an unconfirmed transfer appears.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SendTransfer {
    pub network: String,
    pub currency: String,
    pub address: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<String>,
    pub amount: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_address: Option<String>,
    /// The sender can still replace it (BIP 125), so that it is no instant deposit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaceable: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SentTransfer {
    pub transaction_id: String,
}

/// `POST /sandbox/blocks`: mines; confirms what is pending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MineBlocks {
    pub network: String,
    pub count: u32,
}

/// `POST /sandbox/drops`: the transfer vanishes (double spend).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DropTransfer {
    pub transaction_id: String,
}

/// `POST /sandbox/flags`: the screening flags what comes from an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FlagSender {
    pub network: String,
    pub address: String,
    /// `false` takes the flag away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flagged: Option<bool>,
}

/// The answer of `/sandbox/flags`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FlaggedSender {
    pub network: String,
    pub address: String,
    pub flagged: bool,
}

/// `POST /sandbox/clock`: moves the gateway's clock forward.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AdvanceClock {
    pub advance_seconds: u64,
}

/// `POST /sandbox/reorgs`: drops the last blocks; their transfers are pending again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DropBlocks {
    pub network: String,
    pub depth: u32,
}

/// `POST /sandbox/rates`: `rate` is how much of `to` one whole `from` is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SetRate {
    pub from: String,
    pub to: String,
    pub rate: String,
}

/// The answer of `/sandbox/blocks` and `/sandbox/reorgs`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChainHeight {
    pub network: String,
    pub height: u64,
}

/// The answer of `/sandbox/clock`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GatewayTime {
    pub now: u64,
}
