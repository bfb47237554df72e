//! Why a text is refused, as a stable code and a sentence.

use core::fmt;

use crate::codes::codes;

codes! {
    /// Why a text is refused as an address, a tag or a memo.
    #[non_exhaustive]
    Reason {
        /// Nothing was given.
        Empty = "empty",
        /// Longer than any address; not looked at further.
        TooLong = "too_long",
        /// Not the form of any address of this network.
        Unrecognized = "unrecognized",
        /// Right for another of our networks; see [`AddressError::looks_like`](super::AddressError::looks_like).
        WrongNetwork = "wrong_network",
        /// A private key, a seed or a recovery phrase. It must not be shown, logged or sent on.
        Secret = "secret",
        /// A blank before or after the address.
        SurroundingWhitespace = "surrounding_whitespace",
        /// A character that this form does not have.
        BadCharacter = "bad_character",
        /// Small and capital letters in one bech32 or CashAddr text.
        MixedCase = "mixed_case",
        /// The prefix belongs to another network or form.
        BadPrefix = "bad_prefix",
        /// The checksum does not match: a typing error.
        BadChecksum = "bad_checksum",
        /// Too few or too many characters for this form.
        BadLength = "bad_length",
        /// A version that this network does not have.
        BadVersion = "bad_version",
        /// Bits or bytes that must be zero are not.
        ReservedBits = "reserved_bits",
        /// bech32 where bech32m is due, or the other way round.
        WrongBech32Variant = "wrong_bech32_variant",
        /// Right, but on a test network.
        TestNetwork = "test_network",
        /// Pay-to-anchor: anyone can spend it.
        AnyoneCanSpend = "anyone_can_spend",
        /// A null or burn address: what is sent there is lost.
        BurnAddress = "burn_address",
        /// Bitcoin Cash in the old base58 form, which is also a Bitcoin address.
        LegacyFormat = "legacy_format",
        /// Litecoin with the old prefix `3`, which is also a Bitcoin address.
        LegacyPrefix = "legacy_prefix",
        /// A MimbleWimble address, to which we cannot pay.
        MwebUnsupported = "mweb_unsupported",
        /// A hash size that no wallet uses for this kind.
        UnsupportedHashSize = "unsupported_hash_size",
        /// An address type that is not defined.
        UndefinedType = "undefined_type",
        /// An EVM address without its `0x`.
        Missing0x = "missing_0x",
        /// The IBAN-like form of an EVM address.
        IcapForm = "icap_form",
        /// A name that must be looked up on its network: ENS, Stellar federation.
        NeedsResolution = "needs_resolution",
        /// A TRON address in hexadecimal.
        HexForm = "hex_form",
        /// A Stellar contract, not an account.
        ContractAddress = "contract_address",
        /// A payment link or an address with parameters, not a bare address.
        UriLike = "uri_like",
        /// An X-address whose flags are not defined.
        UnknownFlags = "unknown_flags",
        /// An X-address with a 64-bit tag.
        UnsupportedTag = "unsupported_tag",
        /// A witness version that no rule of today covers, where that is not wanted.
        FutureWitnessVersion = "future_witness_version",
        /// An EVM address in one letter case, where that is not wanted.
        NoChecksum = "no_checksum",
        /// An X-address or a muxed account, where account and tag are wanted apart.
        TagInside = "tag_inside",
        /// The tag inside the address and the one beside it differ.
        ConflictingTag = "conflicting_tag",
        /// A memo beside a muxed account, which has its own.
        ConflictingMemo = "conflicting_memo",
        /// A tag with a character that is not a digit.
        TagNotDigits = "tag_not_digits",
        /// A tag with zeros that say nothing, as in `007`.
        TagLeadingZero = "tag_leading_zero",
        /// A tag above the largest one.
        TagTooLarge = "tag_too_large",
        /// A memo text of more than 28 bytes.
        MemoTooLong = "memo_too_long",
        /// A memo hash that is neither 64 hexadecimal digits nor the base64 of 32 bytes.
        MemoNotHash = "memo_not_hash",
    }
}

impl Reason {
    /// One English sentence for people.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Empty => "the address is empty",
            Self::TooLong => "this is longer than any address",
            Self::Unrecognized => "this is not an address of this network",
            Self::WrongNetwork => "this is an address of another network",
            Self::Secret => "this looks like a private key: never share it",
            Self::SurroundingWhitespace => "there is a blank before or after the address",
            Self::BadCharacter => "there is a character that addresses of this network do not have",
            Self::MixedCase => "small and capital letters are mixed",
            Self::BadPrefix => "the address starts wrongly",
            Self::BadChecksum => "the checksum does not match: there is a typing error",
            Self::BadLength => "the address is too short or too long",
            Self::BadVersion => "the address has a version that this network does not have",
            Self::ReservedBits => "parts of the address that must be empty are not",
            Self::WrongBech32Variant => "the checksum is of the wrong kind for this address",
            Self::TestNetwork => "this is an address of a test network",
            Self::AnyoneCanSpend => "anyone could spend what is sent to this address",
            Self::BurnAddress => "what is sent to this address is lost",
            Self::LegacyFormat => "this is an old form of the address, which is also a Bitcoin address",
            Self::LegacyPrefix => "this address has an old prefix and is also a Bitcoin address",
            Self::MwebUnsupported => "MWEB addresses are not supported",
            Self::UnsupportedHashSize => "the address has a hash of unusual size",
            Self::UndefinedType => "the address has a type that is not defined",
            Self::Missing0x => "the address must start with 0x",
            Self::IcapForm => "this is the ICAP form of an address",
            Self::NeedsResolution => "this is a name, not an address",
            Self::HexForm => "this is the hexadecimal form of an address",
            Self::ContractAddress => "this is a contract, not an account",
            Self::UriLike => "this is more than an address",
            Self::UnknownFlags => "the address has flags that are not defined",
            Self::UnsupportedTag => "the address has a tag that is too large",
            Self::FutureWitnessVersion => "this form of address has no rules yet",
            Self::NoChecksum => "the address has no checksum: give it in small and capital letters",
            Self::TagInside => "the account and its tag must be given apart",
            Self::ConflictingTag => "the address has another tag inside",
            Self::ConflictingMemo => "the address has its memo inside; another cannot be given",
            Self::TagNotDigits => "the tag may have digits only",
            Self::TagLeadingZero => "the tag has zeros at its start",
            Self::TagTooLarge => "the tag is too large",
            Self::MemoTooLong => "the memo is longer than 28 bytes",
            Self::MemoNotHash => "the memo is not the hash of 32 bytes",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}
