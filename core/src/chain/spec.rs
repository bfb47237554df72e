//! The definition of a network.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::facts::{Explorer, Fees, Finality, GasCoin, KeyPath, TransactionIdForm};
use super::pairs::Pair;
use super::public_key::PublicKey;
use crate::address::{Address, AddressError, TestNetwork};
use crate::network::{Network, TagRule};

/// The longest text that is parsed as an address of any network.
pub const LONGEST: usize =
    if cfg!(any(feature = "cardano", feature = "monero", feature = "zcash")) { 216 } else { 128 };

/// All facts of a network. One row of [`CHAINS`](super::CHAINS).
pub struct ChainSpec {
    pub network: Network,
    /// The name shown to payers.
    pub name: &'static str,
    /// The token standard that wallets and exchanges show with the name, if any.
    pub token_standard: Option<&'static str>,
    /// Whether deposits are instant: reported when the transfer is first seen. True for UTXO coins only.
    pub instant: bool,
    /// Whether nodes take another transaction with a higher fee instead of one that is in no block.
    pub replaceable: bool,
    pub tag: TagRule,
    /// The networks that share accounts, this one first.
    pub shared_accounts: &'static [Network],
    /// The currencies on this network.
    pub pairs: &'static [Pair],
    /// The network's own coin, if it is none of these currencies.
    pub gas_coin: Option<GasCoin>,
    pub key_path: KeyPath,
    pub finality: Finality,
    /// The usual time between two blocks, in seconds, rounded up.
    pub block_seconds: u32,
    /// What a transfer costs its sender.
    pub fees: Fees,
    pub transaction_id: TransactionIdForm,
    pub explorer: Explorer,
    /// The test networks whose addresses are recognized.
    pub test_networks: &'static [TestNetwork],
    /// A published sample address. The sandbox uses it as the default sender.
    pub example: &'static str,
    /// The sandbox's deposit account if one account receives all payments. Its key was deleted.
    pub sandbox_account: Option<&'static str>,
    /// The sender's fee of a transfer in the sandbox, in the network's own coin.
    pub sandbox_fee: &'static str,
    /// Nodes do not relay a transfer of less, in the network's own coin; `0` where there is no such rule.
    pub smallest_transfer: &'static str,
    pub(crate) checksum: Checksum,
    /// Addresses that nobody can spend from, besides the all-zero one.
    pub(crate) burned: &'static [&'static [u8]],
    pub(crate) link: PaymentLink,
    /// Addresses are checked, and no gateway serves it.
    pub(crate) address_only: bool,
}

/// The facts of a network of which only addresses are checked: no gateway asks for the others.
pub(super) const ADDRESS_ONLY: ChainSpec = ChainSpec {
    network: Network::ALL[0],
    name: "",
    token_standard: None,
    instant: false,
    replaceable: false,
    tag: TagRule::None,
    shared_accounts: &[],
    pairs: &[],
    gas_coin: None,
    key_path: KeyPath { purpose: 0, coin_type: 0, account: 0 },
    finality: Finality { blocks: u32::MAX, reason: "" },
    block_seconds: 0,
    fees: Fees::Low,
    transaction_id: TransactionIdForm::Lower,
    explorer: Explorer { transactions: "", addresses: "" },
    test_networks: &[],
    example: "",
    sandbox_account: None,
    sandbox_fee: "0",
    smallest_transfer: "0",
    checksum: Checksum::Always,
    burned: &[],
    link: PaymentLink::Plain,
    address_only: true,
};

impl ChainSpec {
    /// The code on the wire, such as `BSC`.
    pub fn code(&self) -> &'static str {
        self.network.code()
    }

    /// The chain id of [EIP-155](https://eips.ethereum.org/EIPS/eip-155), on EVM networks.
    pub fn chain_id(&self) -> Option<u64> {
        match self.link {
            PaymentLink::Erc681 { chain_id, .. } => chain_id.parse().ok(),
            _ => None,
        }
    }

    /// The chain id by which a wallet in a browser knows the network.
    pub fn wallet_chain_id(&self) -> Option<u64> {
        match self.link {
            PaymentLink::Tron { chain_id, .. } => Some(chain_id),
            _ => self.chain_id(),
        }
    }

    /// A node for everybody, on EVM networks that wallets may not know and that name one themselves.
    pub fn public_node(&self) -> Option<&'static str> {
        match self.link {
            PaymentLink::Erc681 { public_node, .. } => public_node,
            _ => None,
        }
    }
}

/// What of an address detects a typing error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checksum {
    /// A part of every address.
    Always,
    /// Its letter case, so that an address in a single case has none.
    LetterCase,
    /// Nothing but its length.
    Never,
}

/// The payment URI standard of a network; [`uri`](crate::uri) writes and reads it.
#[derive(Clone, Copy)]
pub(crate) enum PaymentLink {
    /// BIP-321. QR codes write addresses that start with `capitals` in upper case, which makes the code
    /// smaller.
    Bip321 { scheme: &'static str, capitals: Option<&'static str> },
    /// ERC-681, with the chain id of EIP-155. Tokens have a link for Trust Wallet, with its
    /// [id](https://developer.trustwallet.com/developer/new-asset/universal_asset_id) of the coin. `public_node` is for a wallet
    /// that does not know the network yet.
    Erc681 { chain_id: &'static str, trust: &'static str, public_node: Option<&'static str> },
    /// No standard: the plain address, and a link for Trust Wallet. The chain id is the end of the id of the first block
    /// ([TIP-474](https://github.com/tronprotocol/tips/blob/master/tip-474.md)).
    Tron { trust: &'static str, chain_id: u64 },
    /// Parameters after the address, and a link for Xaman.
    Xrpl,
    /// SEP-7.
    Sep7,
    /// None is supported: the plain address.
    Plain,
}

/// The functions of a network. Each is linked only if it is used.
pub(crate) trait Chain {
    const SPEC: ChainSpec;

    /// Parses the form. The rules for all networks follow.
    fn parse(text: &str) -> Result<Address, AddressError>;

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// The account of `address`, which was parsed from `text`, in the form of [`Chain::write`].
    fn normal_form(address: &Address, text: &str) -> String;

    /// The positions of typing errors in a refused text, if the checksum can locate them.
    fn locate(_text: &str) -> Vec<usize> {
        Vec::new()
    }

    /// The address of a public key; `None` if one account receives all payments.
    fn deposit(_key: &PublicKey<'_>) -> Option<Address> {
        None
    }
}

/// The lower-case form of an accepted text in a single letter case.
pub(super) fn lower_case(text: &str) -> String {
    if text.starts_with(|first: char| first.is_ascii_lowercase()) {
        text.to_string()
    } else {
        text.to_ascii_lowercase()
    }
}
