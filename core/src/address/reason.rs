//! Reasons for refusal: a stable code and a sentence each.

use core::fmt;

use crate::codes::codes;

codes! {
    /// Why a text is refused as an address, a tag or a memo.
    #[non_exhaustive]
    Reason("reason") {
        /// The text is empty.
        Empty = "empty",
        /// Longer than any address; not examined further.
        TooLong = "too_long",
        /// Not an address form of this network.
        Unrecognized = "unrecognized",
        /// Valid on another supported network; see
        /// [`AddressError::looks_like`](super::AddressError::looks_like).
        WrongNetwork = "wrong_network",
        /// A private key, a seed or a recovery phrase. It must not be shown, logged or sent.
        Secret = "secret",
        /// Whitespace before or after the address.
        SurroundingWhitespace = "surrounding_whitespace",
        /// A character outside this form's alphabet.
        BadCharacter = "bad_character",
        /// Mixed upper and lower case in a bech32 or CashAddr text.
        MixedCase = "mixed_case",
        /// The prefix belongs to another network or form.
        BadPrefix = "bad_prefix",
        /// The checksum does not match: a typing error.
        BadChecksum = "bad_checksum",
        /// Too few or too many characters for this form.
        BadLength = "bad_length",
        /// A version byte that this network does not define.
        BadVersion = "bad_version",
        /// Bits or bytes that must be zero are not.
        ReservedBits = "reserved_bits",
        /// bech32 instead of bech32m, or the other way round.
        WrongBech32Variant = "wrong_bech32_variant",
        /// Valid, but on a test network.
        TestNetwork = "test_network",
        /// Pay-to-anchor: anyone can spend it.
        AnyoneCanSpend = "anyone_can_spend",
        /// A null or burn address: coins sent there are lost.
        BurnAddress = "burn_address",
        /// Bitcoin Cash in the legacy base58 form, which is also a Bitcoin address.
        LegacyFormat = "legacy_format",
        /// Litecoin with the legacy prefix `3`, which is also a Bitcoin address.
        LegacyPrefix = "legacy_prefix",
        /// A MimbleWimble address, which is not supported.
        MwebUnsupported = "mweb_unsupported",
        /// A hash size that is not used for this kind.
        UnsupportedHashSize = "unsupported_hash_size",
        /// An undefined address type.
        UndefinedType = "undefined_type",
        /// An EVM address without its `0x`.
        Missing0x = "missing_0x",
        /// The IBAN-like form of an EVM address.
        IcapForm = "icap_form",
        /// A name that must be resolved on its network: ENS, SNS, TON DNS, SuiNS, Aptos Names, Stellar federation.
        NeedsResolution = "needs_resolution",
        /// A TRON address in hexadecimal.
        HexForm = "hex_form",
        /// It names something of this network that receives no payments: an account for rewards, a viewing key.
        NotPayable = "not_payable",
        /// A TON address as a number and hexadecimal digits, without a checksum.
        RawForm = "raw_form",
        /// A Stellar contract, not an account.
        ContractAddress = "contract_address",
        /// A payment link or an address with parameters, not a bare address.
        UriLike = "uri_like",
        /// An X-address with undefined flags.
        UnknownFlags = "unknown_flags",
        /// An X-address with a 64-bit tag.
        UnsupportedTag = "unsupported_tag",
        /// An undefined witness version, refused by an option.
        FutureWitnessVersion = "future_witness_version",
        /// An address without a checksum, refused by an option.
        NoChecksum = "no_checksum",
        /// An X-address or a muxed account, refused by an option: account and tag must be given separately.
        TagInside = "tag_inside",
        /// The separate tag differs from the one in the X-address, or the X-address says that it has none.
        ConflictingTag = "conflicting_tag",
        /// A memo in addition to a muxed account, which contains one.
        ConflictingMemo = "conflicting_memo",
        /// A tag with a character other than a digit.
        TagNotDigits = "tag_not_digits",
        /// A tag with leading zeros, such as `007`.
        TagLeadingZero = "tag_leading_zero",
        /// A tag above the maximum.
        TagTooLarge = "tag_too_large",
        /// An empty memo with an explicit type.
        MemoEmpty = "memo_empty",
        /// A memo text of more than 28 bytes on Stellar, of more than 255 elsewhere.
        MemoTooLong = "memo_too_long",
        /// A memo hash that is neither 64 hexadecimal digits nor the base64 of 32 bytes.
        MemoNotHash = "memo_not_hash",
    }
}

impl Reason {
    /// One English sentence for users.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Empty => "the address is empty",
            Self::TooLong => "this is longer than any address",
            Self::Unrecognized => "this is not an address of this network",
            Self::WrongNetwork => "this is an address of another network",
            Self::Secret => "this looks like a private key: never share it",
            Self::SurroundingWhitespace => "there is whitespace before or after the address",
            Self::BadCharacter => "the address contains a character that is not valid on this network",
            Self::MixedCase => "upper and lower case letters are mixed",
            Self::BadPrefix => "the address has the wrong prefix",
            Self::BadChecksum => "the checksum does not match: there is a typing error",
            Self::BadLength => "the address is too short or too long",
            Self::BadVersion => "the address version is not valid on this network",
            Self::ReservedBits => "reserved parts of the address are not zero",
            Self::WrongBech32Variant => "the checksum type does not fit this kind of address",
            Self::TestNetwork => "this is an address of a test network",
            Self::AnyoneCanSpend => "anyone can spend coins sent to this address",
            Self::BurnAddress => "coins sent to this address are lost",
            Self::LegacyFormat => "this is a legacy form of the address, which is also a Bitcoin address",
            Self::LegacyPrefix => "this address has a legacy prefix and is also a Bitcoin address",
            Self::MwebUnsupported => "MWEB addresses are not supported",
            Self::UnsupportedHashSize => "the address has an unsupported hash size",
            Self::UndefinedType => "the address type is not defined",
            Self::Missing0x => "the address must start with 0x",
            Self::IcapForm => "this is the ICAP form of an address",
            Self::NeedsResolution => "this is a name, not an address",
            Self::HexForm => "this is the hexadecimal form of an address",
            Self::NotPayable => "this receives no payments",
            Self::RawForm => "this is the raw form of an address, which has no checksum",
            Self::ContractAddress => "this is a contract, not an account",
            Self::UriLike => "this is a payment link or has parameters, not a plain address",
            Self::UnknownFlags => "the address has undefined flags",
            Self::UnsupportedTag => "the address has a tag that is too large",
            Self::FutureWitnessVersion => "this witness version is not defined yet",
            Self::NoChecksum => "the address has no checksum that shows a typing error",
            Self::TagInside => "account and tag must be given separately",
            Self::ConflictingTag => "the address contains a different tag, or none",
            Self::ConflictingMemo => "the address already contains a memo",
            Self::TagNotDigits => "the tag must contain only digits",
            Self::TagLeadingZero => "the tag has leading zeros",
            Self::TagTooLarge => "the tag is too large",
            Self::MemoEmpty => "the memo is empty",
            Self::MemoTooLong => "the memo is too long",
            Self::MemoNotHash => "the memo is not a 32-byte hash",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}
