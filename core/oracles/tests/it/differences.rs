//! Deliberate differences of the core, with the reason. A difference that no question shows fails the test.

use checkout_oracles::questions::{Answer, Question};
use crypto_checkout_core::Network::{Atom, Btc, Doge, Ltc, Sol, Trx, Xlm, Xmr, Xrp, Zec};
use crypto_checkout_core::{Network, Reason};

use crate::peers::{ALLOY, ALLOY_CHECKSUMMED, BITCOIN_CRATE, EVM, Found, MONERO, PIECES, STRKEY, ZCASH};

pub(crate) struct Difference {
    pub(crate) peer: &'static str,
    pub(crate) networks: &'static [Network],
    pub(crate) why: &'static str,
    /// As narrow as the reason: everything else is an error of the core or of the peer.
    pub(crate) is: fn(&Question, Option<&Found>) -> bool,
}

const BURN: &str = "it has no list of burn addresses; coins sent there are lost";
const ANCHOR: &str = "it accepts a pay-to-anchor output as an address; anyone can spend coins sent there";

pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference { peer: BITCOIN_CRATE, networks: &[Btc], why: ANCHOR, is: anchor },
    Difference { peer: PIECES, networks: &[Btc, Ltc], why: ANCHOR, is: anchor },
    Difference { peer: BITCOIN_CRATE, networks: &[Btc], why: BURN, is: burned },
    Difference { peer: PIECES, networks: &[Btc, Ltc, Doge, Trx, Xrp, Sol, Atom], why: BURN, is: burned },
    Difference { peer: ALLOY, networks: EVM, why: BURN, is: burned },
    Difference { peer: ALLOY_CHECKSUMMED, networks: EVM, why: BURN, is: burned },
    Difference { peer: STRKEY, networks: &[Xlm], why: BURN, is: burned },
    Difference { peer: MONERO, networks: &[Xmr], why: BURN, is: burned },
    Difference { peer: ZCASH, networks: &[Zec], why: BURN, is: burned },
    Difference {
        peer: MONERO,
        networks: &[Xmr],
        why: "it refuses keys that are no points of the curve; the checksum shows a typing error, and no wallet writes such an address",
        is: |question, theirs| {
            theirs.is_none()
                && matches!(&question.answer, Answer::Accepted(parts, _) if parts.payload.len() >= 64)
                && monero_address::MoneroAddress::from_str(monero_address::Network::Mainnet, &question.text)
                    .is_err_and(|error| error == monero_address::AddressError::InvalidKey)
        },
    },
    Difference {
        peer: ZCASH,
        networks: &[Zec],
        why: "it accepts receivers of unknown types in a unified address; we refuse what we could not write again",
        is: |question, theirs| {
            // The longest address of known receivers has 213 characters.
            let long = refused(question, Reason::TooLong, theirs);
            long || refused(question, Reason::UndefinedType, theirs)
        },
    },
    Difference {
        peer: ZCASH,
        networks: &[Zec],
        why: "it refuses bech32 and bech32m in capitals, which BIP-173 allows",
        is: |question, theirs| {
            let capitals = !question.text.bytes().any(|letter| letter.is_ascii_lowercase());
            theirs.is_none() && capitals && matches!(question.answer, Answer::Accepted(..))
        },
    },
    Difference {
        peer: ZCASH,
        networks: &[Zec],
        why: "it ignores blanks before and after the address",
        is: |question, theirs| refused(question, Reason::SurroundingWhitespace, theirs),
    },
    Difference {
        peer: PIECES,
        networks: &[Atom],
        why: "it does not check the bits after the last byte, so that several texts are one account",
        is: |question, theirs| {
            let written = theirs.and_then(|found| found.normal.clone());
            matches!(question.answer, Answer::Refused(Reason::ReservedBits | Reason::BadLength))
                && written.is_some_and(|text| text != question.text.to_ascii_lowercase())
        },
    },
    Difference {
        peer: ALLOY,
        networks: EVM,
        why: "it does not check EIP-55 checksums: mixed-case digits with a wrong one pass, and a typing error would lose the money",
        is: |question, theirs| {
            refused(question, Reason::BadChecksum, theirs)
                && alloy_primitives::Address::parse_checksummed(&question.text, None).is_err()
        },
    },
    Difference {
        peer: ALLOY,
        networks: EVM,
        why: "it accepts 40 digits without 0x, which are also those of a hash or a TRON account; the right form is suggested",
        is: |question, theirs| theirs.is_some() && refused_bare(question),
    },
    Difference {
        peer: ALLOY,
        networks: EVM,
        why: "it accepts 0X for 0x, which wallets and nodes do not; the right form is suggested",
        is: |question, theirs| {
            question.text.starts_with("0X") && refused(question, Reason::BadPrefix, theirs)
        },
    },
    Difference {
        peer: ALLOY_CHECKSUMMED,
        networks: EVM,
        why: "it requires the checksum, which EIP-55 makes optional: digits of one case are accepted with the warning no_checksum",
        is: |question, theirs| {
            let digits = question.text.strip_prefix("0x").unwrap_or_default();
            let lower = digits.bytes().any(|digit| digit.is_ascii_lowercase());
            let upper = digits.bytes().any(|digit| digit.is_ascii_uppercase());
            theirs.is_none() && matches!(question.answer, Answer::Accepted(..)) && !(lower && upper)
        },
    },
];

fn refused(question: &Question, reason: Reason, theirs: Option<&Found>) -> bool {
    theirs.is_some() && question.answer == Answer::Refused(reason)
}

/// Only all-zero accounts that the peer accepts, and those listed by the interface and explorers.
fn burned(question: &Question, theirs: Option<&Found>) -> bool {
    const LISTED: [&[u8]; 7] = [
        &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xde, 0xad],
        &[0xde, 0xad, 0, 0, 0, 0, 0, 0, 0, 0, 0x42, 6, 0x94, 0x20, 0x69, 0x42, 6, 0x94, 0x20, 0x69],
        &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x6f, 0xc6, 0x9d],
        &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0x77],
        &[
            0x5f, 0x0d, 0x49, 0xfe, 0xb9, 0x84, 0x2f, 0x4e, 0xf9, 0x58, 0xd1, 0xa2, 0xf6, 0x9a, 0x77, 0x6c,
            0xe1, 0x7f, 0x28, 0x08,
        ],
        // The incinerator of Solana.
        &[
            0x00, 0x33, 0x90, 0x72, 0x8d, 0x34, 0x11, 0x60, 0x79, 0xbd, 0xc9, 0x11, 0xbf, 0xff, 0x00, 0xdb,
            0xd4, 0x4d, 0x2e, 0xcd, 0xcc, 0xf7, 0x9c, 0xa6, 0xe1, 0x00, 0x38, 0xe1, 0x00, 0x00, 0x00, 0x00,
        ],
    ];
    refused(question, Reason::BurnAddress, theirs)
        && theirs.is_some_and(|found| {
            found.payload.iter().all(|byte| *byte == 0) || LISTED.contains(&found.payload.as_slice())
        })
}

fn anchor(question: &Question, theirs: Option<&Found>) -> bool {
    refused(question, Reason::AnyoneCanSpend, theirs)
        && theirs.is_some_and(|found| found.payload == [0x4e, 0x73])
}

/// 40 digits and nothing before them.
fn refused_bare(question: &Question) -> bool {
    let bare = question.text.len() == 40 && question.text.bytes().all(|digit| digit.is_ascii_hexdigit());
    bare && matches!(
        question.answer,
        Answer::Refused(Reason::Missing0x | Reason::BadChecksum | Reason::BurnAddress)
    )
}
