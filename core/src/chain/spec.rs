//! What a network's file says and does.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::facts::{Explorer, Finality, KeyPath, TransactionIdForm};
use super::public_key::PublicKey;
use crate::address::{Address, AddressError, TestNetwork};
use crate::network::{Network, TagRule};

/// The longest text that is read as an address of any network.
pub const LONGEST: usize = 128;

/// All that is known of a network. One row of [`CHAINS`](super::CHAINS).
pub struct ChainSpec {
    pub network: Network,
    /// The name a payer knows.
    pub name: &'static str,
    /// The token standard that wallets and exchanges show beside the name, where there is one.
    pub token_standard: Option<&'static str>,
    /// Instant deposits: a transfer is reported when it is first seen. True for UTXO coins only.
    pub instant: bool,
    pub tag: TagRule,
    /// The networks on which one address is one account, this one first.
    pub shared_accounts: &'static [Network],
    pub key_path: KeyPath,
    pub finality: Finality,
    /// The usual time between two blocks, in seconds, rounded up.
    pub block_seconds: u32,
    pub transaction_id: TransactionIdForm,
    pub explorer: Explorer,
    /// The test networks whose addresses are recognized.
    pub test_networks: &'static [TestNetwork],
    /// A published address, which shows what one looks like. It is the usual sender in the sandbox.
    pub example: &'static str,
    /// The sandbox's account on a network where one account serves all payments. Its key was thrown away.
    pub sandbox_account: Option<&'static str>,
    /// The sender's cost of a transfer in the sandbox, in the network's own coin.
    pub sandbox_fee: &'static str,
    /// The letter case of an address is its checksum, so an address in a single case has none.
    pub(crate) case_is_checksum: bool,
    /// Addresses, beside those of zeros only, from which nothing can be spent.
    pub(crate) burned: &'static [[u8; 20]],
    pub(crate) link: PaymentLink,
}

impl ChainSpec {
    /// The code on the wire, such as `BSC`.
    pub fn code(&self) -> &'static str {
        self.network.code()
    }
}

/// The standard by which wallets of a network read a payment; [`uri`](crate::uri) writes and reads it.
#[derive(Clone, Copy)]
pub(crate) enum PaymentLink {
    /// BIP-321. Of addresses that start with `capitals` the QR code has capital letters, which makes it smaller.
    Bip321 { scheme: &'static str, capitals: Option<&'static str> },
    /// ERC-681, with the chain id of EIP-155.
    Erc681 { chain_id: &'static str },
    /// No standard: the address alone, and a link of Trust Wallet.
    Tron,
    /// Parameters behind the address, and a link of Xaman.
    Xrpl,
    /// SEP-7.
    Sep7,
}

/// What a network's file does. Each function is linked only where it is used.
pub(crate) trait Chain {
    const SPEC: ChainSpec;

    /// Reads the form; rules that are the same for all networks come after it.
    fn parse(text: &str) -> Result<Address, AddressError>;

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// The account of `address`, which was read from `text`, as [`Chain::write`] writes it.
    fn normal_form(address: &Address, text: &str) -> String;

    /// The places of typing errors in a refused text, where the checksum can tell them.
    fn locate(_text: &str) -> Vec<usize> {
        Vec::new()
    }

    /// The address of a public key; `None` where one account serves all payments.
    fn deposit(_key: &PublicKey<'_>) -> Option<Address> {
        None
    }
}

/// The lower-case form of an accepted text whose letters are all of one case.
pub(super) fn lower_case(text: &str) -> String {
    if text.starts_with(|first: char| first.is_ascii_lowercase()) {
        text.to_string()
    } else {
        text.to_ascii_lowercase()
    }
}
