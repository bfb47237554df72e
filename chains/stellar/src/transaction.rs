//! Payout transactions: one payment, or the creation of the recipient's account.

use sha2::{Digest as _, Sha256};
use stellar_xdr::{
    AccountId, Asset, CreateAccountOp, DecoratedSignature, Hash, Limits, Memo, MuxedAccount,
    MuxedAccountMed25519, Operation, OperationBody, PaymentOp, Preconditions, PublicKey, ReadXdr as _,
    SequenceNumber, Signature, SignatureHint, TimeBounds, TimePoint, Transaction, TransactionEnvelope,
    TransactionExt, TransactionSignaturePayload, TransactionSignaturePayloadTaggedTransaction,
    TransactionV1Envelope, Uint256, WriteXdr as _,
};

use crate::key::Key;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentTransaction {
    pub destination: [u8; 32],
    /// The id of a muxed account.
    pub muxed_id: Option<u64>,
    /// Creates the account; the amount is its first balance.
    pub creates: bool,
    pub memo: Memo,
    pub stroops: i64,
    /// Maximum fee, in stroops.
    pub fee: u32,
    pub sequence: i64,
    /// UNIX second after which no ledger accepts it.
    pub max_time: u64,
}

pub struct SignedPayment {
    pub bytes: Vec<u8>,
    /// In hexadecimal digits, as Horizon writes it.
    pub hash: String,
}

impl PaymentTransaction {
    /// Signs with the source account's key. `network`: the SHA-256 of its passphrase.
    pub fn sign(&self, key: &Key, network: [u8; 32]) -> Result<SignedPayment, stellar_xdr::Error> {
        let hash = Sha256::digest(self.message(&key.public(), network)?);
        self.signed(&key.public(), network, &key.sign(&hash))
    }

    /// The bytes whose SHA-256 the source account signs.
    pub fn message(&self, account: &[u8; 32], network: [u8; 32]) -> Result<Vec<u8>, stellar_xdr::Error> {
        let tagged_transaction = TransactionSignaturePayloadTaggedTransaction::Tx(self.transaction(account)?);
        let payload = TransactionSignaturePayload { network_id: Hash(network), tagged_transaction };
        payload.to_xdr(Limits::none())
    }

    pub fn signed(
        &self,
        account: &[u8; 32],
        network: [u8; 32],
        signature: &[u8; 64],
    ) -> Result<SignedPayment, stellar_xdr::Error> {
        let tx = self.transaction(account)?;
        let hash = tx.hash(network)?;
        let [.., a, b, c, d] = *account;
        let signature = DecoratedSignature {
            hint: SignatureHint([a, b, c, d]),
            signature: Signature(signature.to_vec().try_into()?),
        };
        let envelope =
            TransactionEnvelope::Tx(TransactionV1Envelope { tx, signatures: vec![signature].try_into()? });
        let hash = hex::encode(hash);
        Ok(SignedPayment { bytes: envelope.to_xdr(Limits::none())?, hash })
    }

    fn transaction(&self, account: &[u8; 32]) -> Result<Transaction, stellar_xdr::Error> {
        let ed25519 = Uint256(self.destination);
        let body = if self.creates {
            let destination = AccountId(PublicKey::PublicKeyTypeEd25519(ed25519));
            OperationBody::CreateAccount(CreateAccountOp { destination, starting_balance: self.stroops })
        } else {
            let destination = match self.muxed_id {
                Some(id) => MuxedAccount::MuxedEd25519(MuxedAccountMed25519 { id, ed25519 }),
                None => MuxedAccount::Ed25519(ed25519),
            };
            OperationBody::Payment(PaymentOp { destination, asset: Asset::Native, amount: self.stroops })
        };
        let bounds = TimeBounds { min_time: TimePoint(0), max_time: TimePoint(self.max_time) };
        Ok(Transaction {
            source_account: MuxedAccount::Ed25519(Uint256(*account)),
            fee: self.fee,
            seq_num: SequenceNumber(self.sequence),
            cond: Preconditions::Time(bounds),
            memo: self.memo.clone(),
            operations: vec![Operation { source_account: None, body }].try_into()?,
            ext: TransactionExt::V0,
        })
    }
}

/// Returns the UNIX second after which no ledger accepts a stored payment.
pub fn max_time(bytes: &[u8]) -> Option<u64> {
    // Each level of an envelope takes a few bytes, so a short text cannot nest deeply.
    let limits = Limits { depth: 100, len: bytes.len() };
    match TransactionEnvelope::from_xdr(bytes, limits).ok()? {
        TransactionEnvelope::Tx(envelope) => match envelope.tx.cond {
            Preconditions::Time(bounds) => Some(bounds.max_time.0).filter(|time| *time > 0),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::*;
    use crate::{MAIN, TEST};

    const SEED: &str = "SAAZIQLXORXE4VVQ5CHS4BU2LTVOWYWLATOZAHDFPGIRDL6A4RNONRS3";
    const TO: &str = "GC2KB7QT6KKBRYOYPUJVCPGNFHR4TBY4XLUPKZ24YATPXOSTU7K67WI7";

    /// Envelopes and hashes from `@stellar/stellar-sdk` 15.1.0. `chains/oracles` compares many more.
    #[test]
    fn the_official_package_signs_the_same_bytes() {
        let payment = PaymentTransaction {
            destination: stellar_strkey::ed25519::PublicKey::from_string(TO).unwrap().0,
            muxed_id: None,
            creates: false,
            memo: Memo::Id(495),
            stroops: 25_000_000,
            fee: 100,
            sequence: (1 << 40) + 8,
            max_time: 1_800_000_000,
        };
        let check = |payment: &PaymentTransaction, passphrase: &str, envelope: &str, hash: &str| {
            let network = Sha256::digest(passphrase.as_bytes()).into();
            let signed = payment.sign(&Key::from_seed(SEED).unwrap(), network).unwrap();
            assert_eq!((STANDARD.encode(&signed.bytes).as_str(), signed.hash.as_str()), (envelope, hash));
            assert_eq!(max_time(&signed.bytes), Some(1_800_000_000));
        };
        check(
            &payment,
            MAIN,
            "AAAAAgAAAABMSFxr+DuiBRABvPVwThylrT3R+wMUqnbsrhjzhFVfDQAAAGQAAAEAAAAACAAAAAEAAAAAAAAAAAAAAABrSdIAAAAAAgAAAAAAAAHvAAAAAQAAAAAAAAABAAAAALSg/hPylBjh2H0TUTzNKePJhxy66PVnXMAm+7pTp9XvAAAAAAAAAAABfXhAAAAAAAAAAAGEVV8NAAAAQK/9Rzukf4uprR3ZGWV7X7Xz+oPLdUu2X43VoRE6oLoagrFTBsMty8zHx0jiE7Sf5wOexD4pHXz/Lrpxs/eIyw4=",
            "e66bc39306a78ec65bdd45da3f3f8d6e6c838274be3efdd1ed622785d9fb538f",
        );
        let text = Memo::Text("order 7".to_owned().try_into().unwrap());
        check(
            &PaymentTransaction { creates: true, memo: text, ..payment.clone() },
            TEST,
            "AAAAAgAAAABMSFxr+DuiBRABvPVwThylrT3R+wMUqnbsrhjzhFVfDQAAAGQAAAEAAAAACAAAAAEAAAAAAAAAAAAAAABrSdIAAAAAAQAAAAdvcmRlciA3AAAAAAEAAAAAAAAAAAAAAAC0oP4T8pQY4dh9E1E8zSnjyYccuuj1Z1zAJvu6U6fV7wAAAAABfXhAAAAAAAAAAAGEVV8NAAAAQMbdgEPciybnHwEqAQUNvz+hvQ2efxkvHiC/P7aqMAt3QGXui8wwCddjVrnGnmDiUcUiGIi+VumbeZODD8vDlQI=",
            "195dd3e4a1c10a1cbdc7b84dba486673d51ee9cbcdcc20032fd60e9269029cb0",
        );
        check(
            &PaymentTransaction { muxed_id: Some(7), memo: Memo::None, ..payment },
            MAIN,
            "AAAAAgAAAABMSFxr+DuiBRABvPVwThylrT3R+wMUqnbsrhjzhFVfDQAAAGQAAAEAAAAACAAAAAEAAAAAAAAAAAAAAABrSdIAAAAAAAAAAAEAAAAAAAAAAQAAAQAAAAAAAAAAB7Sg/hPylBjh2H0TUTzNKePJhxy66PVnXMAm+7pTp9XvAAAAAAAAAAABfXhAAAAAAAAAAAGEVV8NAAAAQAi2J/J3OtAFY+0vY9T203LAUD8jRzphbhwO4R0ptTi8QcbLjb1Bd2M+7zJTPdR+NIx7D9mCAN4yimCsq+zojgo=",
            "f634578233e6e2c83db2fffa3a7c64c766eeec408933d578564cc7e437b72f3e",
        );
    }

    #[test]
    fn only_a_payment_has_an_expiry() {
        for bytes in [&b""[..], b"\0\0\0\x02", &[0xFF; 200]] {
            assert_eq!(max_time(bytes), None);
        }
    }
}
