//! Payment URIs: what a QR code or a link says, per network.

use alloc::string::{String, ToString};

use crate::amount::Amount;
use crate::pair::Pair;

/// What a wallet reads to prepare the whole payment; without an amount when none is given.
pub fn payment_uri(_pair: &Pair, address: &str, _tag: Option<&str>, _amount: Option<Amount>) -> String {
    address.to_string()
}

/// What the QR code shows unless the payer switches.
pub fn default_qr(_pair: &Pair, address: &str, _tag: Option<&str>, _amount: Amount) -> String {
    address.to_string()
}

/// The QR code without the amount; with the tag, where there is one.
pub fn address_only(_pair: &Pair, address: &str, _tag: Option<&str>) -> String {
    address.to_string()
}

/// The link that opens a wallet on this device, where one is known.
pub fn wallet_link(_pair: &Pair, _address: &str, _tag: Option<&str>, _amount: Amount) -> Option<String> {
    None
}
