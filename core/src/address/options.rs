//! Options that relax or tighten the strict rules.

use core::str::FromStr;

use super::kind::Kind;
use super::reason::Reason;
use crate::codes::UnknownCode;
use crate::network::MemoType;
use crate::pair::Table;

/// Options that relax (`allow_…`) or tighten (`refuse_…`) the strict rules.
///
/// All options are off by default. An allowed form is still written in its normal form: a legacy
/// Bitcoin Cash address as CashAddr, a TRON address in hexadecimal as `T…`.
///
/// ```
/// use crypto_checkout_core::{Options, validate_with};
///
/// const OURS: Options = Options { allow_legacy_bch: true, ..Options::STRICT };
/// let verdict = validate_with("BCH", "BCH", "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", None, &OURS);
/// assert_eq!(verdict.normalized.as_deref(), Some("bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each option is independent")]
pub struct Options {
    /// The pairs that are supported. [`Table::All`] by default.
    pub table: Table,

    /// Accept addresses of test networks, else [`Reason::TestNetwork`].
    pub allow_test_networks: bool,

    /// Accept Bitcoin Cash in base58 (`1…`, `3…`), else [`Reason::LegacyFormat`].
    ///
    /// The same text is a Bitcoin address, so the other chain may have been meant. Nodes still read it
    /// ([CashAddr](https://github.com/bitcoincashorg/bitcoincash.org/blob/master/spec/cashaddr.md)).
    pub allow_legacy_bch: bool,

    /// Accept Litecoin script addresses with Bitcoin's version byte (`3…`), else [`Reason::LegacyPrefix`].
    ///
    /// The same text is a Bitcoin address. Litecoin Core reads it (`SCRIPT_ADDRESS` and `SCRIPT_ADDRESS2` in
    /// `chainparams.cpp`) and writes `M…`.
    pub allow_legacy_ltc: bool,

    /// Accept MimbleWimble addresses of Litecoin (`ltcmweb1…`), else [`Reason::MwebUnsupported`].
    ///
    /// A bech32 text of version 0 with a scan and a spend key
    /// ([stealth addresses](https://github.com/litecoin-project/litecoin/blob/master/doc/mweb/stealth-addresses.md)).
    /// Only a wallet with MWEB can pay it.
    pub allow_mweb: bool,

    /// Accept pay-to-anchor (`bc1pfeessrawgf`), else [`Reason::AnyoneCanSpend`].
    ///
    /// A standard output of Bitcoin Core that anyone can spend
    /// ([BIP-433](https://github.com/bitcoin/bips/blob/master/bip-0433.mediawiki)).
    pub allow_pay_to_anchor: bool,

    /// Accept contracts of Stellar (`C…`), else [`Reason::ContractAddress`].
    ///
    /// A payment operation cannot pay them; a smart contract transfer can
    /// ([SEP-23](https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0023.md)).
    pub allow_contracts: bool,

    /// Accept null and burn addresses, else [`Reason::BurnAddress`].
    pub allow_burn_addresses: bool,

    /// Accept an EVM address without its `0x`, or with `0X`; else [`Reason::Missing0x`] and [`Reason::BadPrefix`].
    ///
    /// A checksum is still verified. Many libraries accept these forms;
    /// [EIP-55](https://eips.ethereum.org/EIPS/eip-55) writes `0x`.
    pub allow_missing_0x: bool,

    /// Accept the [ICAP](https://github.com/ethereum/EIPs/wiki/ICAP:-Inter-exchange-Client-Address-Protocol) form of an
    /// EVM address (`XE…`), else [`Reason::IcapForm`].
    pub allow_icap: bool,

    /// Accept a TRON address in hexadecimal (`41…`), else [`Reason::HexForm`].
    ///
    /// Nodes return this form
    /// ([developers.tron.network](https://developers.tron.network/docs/account#account-address-format)); it
    /// has no checksum.
    pub allow_tron_hex: bool,

    /// Ignore whitespace before and after an address, else [`Reason::SurroundingWhitespace`].
    ///
    /// Bitcoin Core does so for base58.
    pub allow_surrounding_blanks: bool,

    /// Refuse witness programs of undefined versions, with [`Reason::FutureWitnessVersion`].
    ///
    /// [BIP-350](https://github.com/bitcoin/bips/blob/master/bip-0350.mediawiki) asks senders to pay them;
    /// until a version is defined, anyone can spend such an output. If this is off, they pass with a warning.
    pub refuse_future_witness: bool,

    /// Refuse EVM addresses in one letter case, and all of networks without checksums, with [`Reason::NoChecksum`].
    ///
    /// A typing error in them is not detected ([EIP-55](https://eips.ethereum.org/EIPS/eip-55)). If this is
    /// off, they pass with a warning. There is no suggestion: a checksum computed from a mistyped address
    /// would hide the error.
    pub refuse_no_checksum: bool,

    /// Refuse X-addresses and muxed accounts, with [`Reason::TagInside`]: account and tag must be given
    /// separately.
    ///
    /// [XLS-5](https://github.com/XRPLF/XRPL-Standards/tree/master/XLS-0005-standard-for-tagged-addresses),
    /// [SEP-23](https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0023.md). If this is
    /// off, the normal form has account and tag separately.
    pub refuse_tag_inside: bool,

    /// The type of a Stellar memo. By default, a number is an id and any other text is a text memo.
    pub memo_type: Option<MemoType>,
}

/// Reads the names of options, separated by commas: `allow_mweb,memo_type=id,table=interface`.
impl FromStr for Options {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut options = Self::STRICT;
        for name in text.split(',').filter(|name| !name.is_empty()) {
            let switch = Self::SWITCHES.iter().find(|switch| switch.0 == name);
            match (switch, name.split_once('=')) {
                (Some((_, field)), _) => *field(&mut options) = true,
                (None, Some(("memo_type", memo_type))) => options.memo_type = Some(memo_type.parse()?),
                (None, Some(("table", "interface"))) => options.table = Table::Interface,
                (None, Some(("table", "all"))) => options.table = Table::All,
                _ => return Err(UnknownCode("option")),
            }
        }
        Ok(options)
    }
}

impl Options {
    /// The strict rules of the main networks.
    pub const STRICT: Self = Self {
        table: Table::All,
        allow_test_networks: false,
        allow_legacy_bch: false,
        allow_legacy_ltc: false,
        allow_mweb: false,
        allow_pay_to_anchor: false,
        allow_contracts: false,
        allow_burn_addresses: false,
        allow_missing_0x: false,
        allow_icap: false,
        allow_tron_hex: false,
        allow_surrounding_blanks: false,
        refuse_future_witness: false,
        refuse_no_checksum: false,
        refuse_tag_inside: false,
        memo_type: None,
    };

    /// The options that are on or off, by name.
    #[allow(clippy::type_complexity, reason = "a name for it would be one more public item")]
    pub const SWITCHES: &[(&str, fn(&mut Self) -> &mut bool)] = &[
        ("allow_test_networks", |options| &mut options.allow_test_networks),
        ("allow_legacy_bch", |options| &mut options.allow_legacy_bch),
        ("allow_legacy_ltc", |options| &mut options.allow_legacy_ltc),
        ("allow_mweb", |options| &mut options.allow_mweb),
        ("allow_pay_to_anchor", |options| &mut options.allow_pay_to_anchor),
        ("allow_contracts", |options| &mut options.allow_contracts),
        ("allow_burn_addresses", |options| &mut options.allow_burn_addresses),
        ("allow_missing_0x", |options| &mut options.allow_missing_0x),
        ("allow_icap", |options| &mut options.allow_icap),
        ("allow_tron_hex", |options| &mut options.allow_tron_hex),
        ("allow_surrounding_blanks", |options| &mut options.allow_surrounding_blanks),
        ("refuse_future_witness", |options| &mut options.refuse_future_witness),
        ("refuse_no_checksum", |options| &mut options.refuse_no_checksum),
        ("refuse_tag_inside", |options| &mut options.refuse_tag_inside),
    ];

    /// Returns whether these options accept a form that is otherwise refused for this reason.
    pub(crate) const fn pardons(&self, reason: Reason) -> bool {
        match reason {
            Reason::LegacyFormat => self.allow_legacy_bch,
            Reason::LegacyPrefix => self.allow_legacy_ltc,
            Reason::Missing0x | Reason::BadPrefix => self.allow_missing_0x,
            Reason::IcapForm => self.allow_icap,
            Reason::HexForm => self.allow_tron_hex,
            _ => false,
        }
    }

    /// Returns why a valid address of this kind is refused.
    pub(crate) const fn refusal(&self, kind: Kind) -> Option<Reason> {
        match kind {
            Kind::Mweb if !self.allow_mweb => Some(Reason::MwebUnsupported),
            Kind::P2a if !self.allow_pay_to_anchor => Some(Reason::AnyoneCanSpend),
            Kind::Contract if !self.allow_contracts => Some(Reason::ContractAddress),
            Kind::FutureWitness if self.refuse_future_witness => Some(Reason::FutureWitnessVersion),
            Kind::XAddress | Kind::Muxed if self.refuse_tag_inside => Some(Reason::TagInside),
            _ => None,
        }
    }
}
