//! The transaction type of payouts, in the [canonical form] that is signed and hashed. No Rust package for
//! the XRP Ledger is past beta; a payment of XRP has at most twelve fields.
//!
//! [canonical form]: https://xrpl.org/docs/references/protocol/binary-format

use crate::NetworkId;
use crate::key::{Key, account_id, half};

/// Prefix of the signed bytes: `STX\0`; of the hashed bytes: `TXN\0`.
const TO_SIGN: &[u8] = b"STX\0";
const TO_HASH: &[u8] = b"TXN\0";

/// Networks with a greater id require it in their transactions.
const LAST_WITHOUT_ID: NetworkId = 1024;

/// Flags of an amount: not an issued currency, and positive.
pub(crate) const POSITIVE_XRP: u64 = 1 << 62;

/// Field ids: the type in the upper four bits, the number in the lower ones; a number above 15 takes an extra
/// byte.
const TRANSACTION_TYPE: &[u8] = &[0x12];
const NETWORK_ID: &[u8] = &[0x21];
const SEQUENCE: &[u8] = &[0x24];
const DESTINATION_TAG: &[u8] = &[0x2E];
const LAST_LEDGER_SEQUENCE: &[u8] = &[0x20, 0x1B];
const AMOUNT: &[u8] = &[0x61];
const FEE: &[u8] = &[0x68];
const SIGNING_PUB_KEY: &[u8] = &[0x73];
const TXN_SIGNATURE: &[u8] = &[0x74];
const ACCOUNT: &[u8] = &[0x81];
const DESTINATION: &[u8] = &[0x83];

const PAYMENT: u16 = 0;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentTransaction {
    pub network: NetworkId,
    pub destination: [u8; 20],
    pub destination_tag: Option<u32>,
    pub drops: u64,
    /// In drops.
    pub fee: u64,
    pub sequence: u32,
    /// No ledger after this one can include it.
    pub last_ledger: u32,
}

pub struct SignedPayment {
    pub bytes: Vec<u8>,
    /// In hexadecimal digits, as servers write it.
    pub hash: String,
}

impl PaymentTransaction {
    /// Signs with the source account's key.
    pub fn sign(&self, key: &Key) -> SignedPayment {
        self.signed(key.public(), &key.sign(&self.message(key.public())))
    }

    /// The bytes that the source account signs. `public`: its key.
    pub fn message(&self, public: &[u8; 33]) -> Vec<u8> {
        [TO_SIGN, &self.bytes(public, None)].concat()
    }

    pub fn signed(&self, public: &[u8; 33], signature: &[u8]) -> SignedPayment {
        let bytes = self.bytes(public, Some(signature));
        SignedPayment { hash: hash(&bytes), bytes }
    }

    /// The fields in canonical order: by type, then by number.
    fn bytes(&self, public: &[u8; 33], signature: Option<&[u8]>) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(256);
        let mut put = |id: &[u8], content: &[u8]| bytes.extend([id, content].concat());
        let blob = |content: &[u8]| {
            let length = u8::try_from(content.len()).expect("keys, signatures and accounts are short");
            [&[length], content].concat()
        };
        put(TRANSACTION_TYPE, &PAYMENT.to_be_bytes());
        if self.network > LAST_WITHOUT_ID {
            put(NETWORK_ID, &self.network.to_be_bytes());
        }
        put(SEQUENCE, &self.sequence.to_be_bytes());
        if let Some(tag) = self.destination_tag {
            put(DESTINATION_TAG, &tag.to_be_bytes());
        }
        put(LAST_LEDGER_SEQUENCE, &self.last_ledger.to_be_bytes());
        put(AMOUNT, &(POSITIVE_XRP | self.drops).to_be_bytes());
        put(FEE, &(POSITIVE_XRP | self.fee).to_be_bytes());
        put(SIGNING_PUB_KEY, &blob(public));
        if let Some(signature) = signature {
            put(TXN_SIGNATURE, &blob(signature));
        }
        put(ACCOUNT, &blob(&account_id(public)));
        put(DESTINATION, &blob(&self.destination));
        bytes
    }
}

/// Of a signed transaction, as servers write it.
pub fn hash(bytes: &[u8]) -> String {
    hex::encode_upper(half(&[TO_HASH, bytes]))
}

/// Returns the last ledger that can include a stored payment.
pub fn last_ledger(bytes: &[u8]) -> Option<u32> {
    let mut rest = bytes.strip_prefix(TRANSACTION_TYPE)?.get(2..)?;
    loop {
        if let Some(found) = rest.strip_prefix(LAST_LEDGER_SEQUENCE) {
            return found.first_chunk().map(|number| u32::from_be_bytes(*number));
        }
        let known = [NETWORK_ID, SEQUENCE, DESTINATION_TAG];
        rest = known.iter().find_map(|id| rest.strip_prefix(*id))?.get(4..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_core::Network;
    use checkout_core::address::Address;

    use crate::MAIN;

    /// Bytes and hashes from `Wallet.fromSeed(…).sign(…)` of `xrpl` 5.3.0. `chains/oracles` compares many
    /// more.
    #[test]
    fn the_official_package_signs_the_same_bytes() {
        let destination = Address::parse(Network::Xrp, "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY").unwrap();
        let with_tag = PaymentTransaction {
            network: MAIN,
            destination: destination.payload().try_into().unwrap(),
            destination_tag: Some(495),
            drops: 25_000_000,
            fee: 12,
            sequence: 7,
            last_ledger: 95_844_482,
        };
        let on_sidechain = PaymentTransaction { network: 21_337, destination_tag: None, ..with_tag.clone() };
        let check = |seed, payment: &PaymentTransaction, bytes: &str, hash: &str| {
            let signed = payment.sign(&Key::from_seed(seed).unwrap());
            assert_eq!((hex::encode_upper(&signed.bytes).as_str(), signed.hash.as_str()), (bytes, hash));
            assert_eq!(last_ledger(&signed.bytes), Some(95_844_482));
        };
        check(
            "snoPBrXtMeMyMHUVTgbuqAfg1SUTb",
            &with_tag,
            "12000024000000072E000001EF201B05B678826140000000017D784068400000000000000C73210330E7FC9D56BB25D6893BA3F317AE5BCF33B3291BD63DB32654A313222F7FD02074473045022100BC7D15FA0983370582F40F066E2ADE83EF677FFDD209D712E53C4D4DCA6917AE022039FDA1CA4A8D18ABCB9D57D7A7D6F266EA01D861AF450AA68D4848EACE5BD3078114B5F762798A53D543A014CAF8B297CFF8F2F937E88314F40B468D5AC0DBA36E2941877AC2E9BBD48262A1",
            "AD8962094A6519B5E9A92A9CE23517628CCC2257E887A62F923258DD21F27270",
        );
        check(
            "sEdTM1uX8pu2do5XvTnutH6HsouMaM2",
            &with_tag,
            "12000024000000072E000001EF201B05B678826140000000017D784068400000000000000C7321EDA57EBBCB502C2009EFE17229E8DC865DCCB192C52D7888D624DC9EBADDB815F074409D371351432A98DA3DB97E4C1E8C95ECC395F9704E3649B6004A87B9626F561313FE8CBF6CA24FDCDB65B7206311AB178A804E103DB1350F06A7F1991A9BC6038114A6070B8A1822E3322676A99F0C804EE2D15B82708314F40B468D5AC0DBA36E2941877AC2E9BBD48262A1",
            "0AF1D00B1138767F67A54179E7B996EC0933BF83DFBC91956E29243AF3BC3F01",
        );
        check("sp6JS7f14BuwFY8Mw6bTtLKWauoUs", &on_sidechain, ON_SIDECHAIN, ON_SIDECHAIN_HASH);
    }

    const ON_SIDECHAIN: &str = "12000021000053592400000007201B05B678826140000000017D784068400000000000000C73210390A196799EE412284A5D80BF78C3E84CBB80E1437A0AECD9ADF94D7FEAAFA28474473045022100F8687E12659895F2029AE8C948F79BACDC2F1898259AE33EA1D25B0AD02AE93E02201C44806CEE7064E5AC4739B5280D333A1E19AABA6B6436A1185E3958122F404B8114ABDE56C21ACFBF94172489A1A01A9A6A95C4849D8314F40B468D5AC0DBA36E2941877AC2E9BBD48262A1";
    const ON_SIDECHAIN_HASH: &str = "56E5D66C4C3C74DB92603B284824A25E009CF70052FBB777847CE44BABC81209";

    #[test]
    fn only_a_payment_has_a_last_ledger() {
        for bytes in
            [&b""[..], b"\x12", b"\x12\0\0", b"\x12\0\0\x24\0", b"\x12\0\0\x20\x1B\0\0", b"\x12\0\0\x61"]
        {
            assert_eq!(last_ledger(bytes), None, "{bytes:?}");
        }
    }
}
