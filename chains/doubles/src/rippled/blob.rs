//! The binary form of transactions: reads a signed one and checks its signature, and writes one that a test made.

use bs58::Alphabet;
use ed25519_dalek::Verifier as _;
use k256::ecdsa::signature::hazmat::PrehashVerifier as _;
use ripemd::Ripemd160;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256, Sha512};

/// Type and number of the fields of payments (<https://xrpl.org/docs/references/protocol/binary-format>).
const FIELDS: &[(u8, u8, &str)] = &[
    (1, 2, "TransactionType"),
    (2, 1, "NetworkID"),
    (2, 2, "Flags"),
    (2, 3, "SourceTag"),
    (2, 4, "Sequence"),
    (2, 14, "DestinationTag"),
    (2, 27, "LastLedgerSequence"),
    (2, 41, "TicketSequence"),
    (6, 1, "Amount"),
    (6, 8, "Fee"),
    (7, 3, "SigningPubKey"),
    (7, 4, "TxnSignature"),
    (8, 1, "Account"),
    (8, 3, "Destination"),
];

/// Codes of types (`transactions.macro` of rippled).
const TYPES: &[(&str, u16)] =
    &[("Payment", 0), ("EscrowFinish", 2), ("OfferCreate", 7), ("CheckCreate", 16), ("AccountDelete", 21)];

/// Bit of an amount that is not of XRP.
const ISSUED: u8 = 0x80;

/// Without fields that are not in the table, or have no value of their type.
pub fn write(tx: &Map<String, Value>) -> Vec<u8> {
    FIELDS
        .iter()
        .filter_map(|(kind, number, name)| written((*kind, *number), tx.get(*name)?))
        .flatten()
        .collect()
}

fn written((kind, number): (u8, u8), value: &Value) -> Option<Vec<u8>> {
    let blob = |content: Vec<u8>| Some([vec![u8::try_from(content.len()).ok()?], content].concat());
    let content = match (kind, value) {
        (1, value) => {
            let code = TYPES.iter().find(|(name, _)| value == name).map_or(u16::MAX, |(_, code)| *code);
            code.to_be_bytes().to_vec()
        }
        (2, value) => u32::try_from(value.as_u64()?).ok()?.to_be_bytes().to_vec(),
        (6, Value::Object(_)) => [vec![ISSUED], vec![0; 47]].concat(),
        (6, value) => (1 << 62 | value.as_str()?.parse::<u64>().ok()?).to_be_bytes().to_vec(),
        (8, value) => {
            let address = bs58::decode(value.as_str()?).with_alphabet(Alphabet::RIPPLE).into_vec().ok()?;
            blob(address.get(1..21)?.to_vec())?
        }
        (_, value) => blob(hex::decode(value.as_str()?).ok()?)?,
    };
    let id = if number < 16 { vec![kind << 4 | number] } else { vec![kind << 4, number] };
    Some([id, content].concat())
}

/// As servers name a transaction.
pub fn hash(blob: &[u8]) -> String {
    hex::encode_upper(half(&[b"TXN\0", blob].concat()))
}

/// Returns the fields in the servers' JSON form and the hash. `None` unless it is an XRP payment signed by
/// its account.
pub fn read(blob: &[u8]) -> Option<(Map<String, Value>, String)> {
    let (mut rest, mut fields, mut last) = (blob, Map::new(), (0, 0));
    let mut unsigned = b"STX\0".to_vec();
    let (mut key, mut signature) = (&[][..], &[][..]);
    while !rest.is_empty() {
        let start = rest;
        let id = field_id(&mut rest)?;
        // Two encodings of one transaction would have two hashes.
        if id <= last {
            return None;
        }
        last = id;
        let name = FIELDS.iter().find(|(kind, number, _)| (*kind, *number) == id)?.2;
        let value = match id.0 {
            1 => (take(&mut rest, 2)? == [0, 0]).then(|| json!("Payment"))?,
            2 => json!(u32::from_be_bytes(take(&mut rest, 4)?.try_into().ok()?)),
            6 => {
                let amount = u64::from_be_bytes(take(&mut rest, 8)?.try_into().ok()?);
                (amount >> 62 == 1).then(|| json!((amount & ((1 << 62) - 1)).to_string()))?
            }
            _ => {
                let length = take(&mut rest, 1)?[0];
                let content = take(&mut rest, length.into())?;
                match name {
                    "SigningPubKey" => key = content,
                    "TxnSignature" => signature = content,
                    _ => {}
                }
                if id.0 == 8 { json!(address(content)) } else { json!(hex::encode_upper(content)) }
            }
        };
        if name != "TxnSignature" {
            unsigned.extend(&start[..start.len() - rest.len()]);
        }
        fields.insert(name.to_owned(), value);
    }
    let is_own = fields.get("Account")? == &json!(address(&Ripemd160::digest(Sha256::digest(key))));
    (is_own && is_signed(key, &unsigned, signature)).then(|| (fields, hash(blob)))
}

fn field_id(rest: &mut &[u8]) -> Option<(u8, u8)> {
    let byte = take(rest, 1)?[0];
    let (mut kind, mut number) = (byte >> 4, byte & 15);
    if kind == 0 {
        kind = take(rest, 1)?[0];
    }
    if number == 0 {
        number = take(rest, 1)?[0];
    }
    Some((kind, number))
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn is_signed(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    if let [0xED, key @ ..] = key {
        let key = key.try_into().ok().and_then(|key| ed25519_dalek::VerifyingKey::from_bytes(key).ok());
        let signature = ed25519_dalek::Signature::from_slice(signature).ok();
        return key.zip(signature).is_some_and(|(key, signature)| key.verify(message, &signature).is_ok());
    }
    let key = k256::ecdsa::VerifyingKey::from_sec1_bytes(key).ok();
    let signature = k256::ecdsa::Signature::from_der(signature).ok();
    key.zip(signature).is_some_and(|(key, signature)| {
        // Only the canonical form of a signature is accepted.
        signature.normalize_s().is_none() && key.verify_prehash(&half(message), &signature).is_ok()
    })
}

pub fn half(bytes: &[u8]) -> [u8; 32] {
    Sha512::digest(bytes)[..32].try_into().expect("SHA-512 has 64 bytes")
}

fn address(account: &[u8]) -> String {
    let mut bytes = [&[0], account].concat();
    let checksum = Sha256::digest(Sha256::digest(&bytes));
    bytes.extend(&checksum[..4]);
    bs58::encode(bytes).with_alphabet(Alphabet::RIPPLE).into_string()
}
