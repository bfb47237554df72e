//! Prints signed payments with their fields, one JSON object a line, for `chains/oracles`.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example for tests")]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_chain_stellar::transaction::PaymentTransaction;
use checkout_chain_stellar::{Key, MAIN, TEST};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use stellar_xdr::Memo;

const SEEDS: [&str; 2] = [
    "SAAZIQLXORXE4VVQ5CHS4BU2LTVOWYWLATOZAHDFPGIRDL6A4RNONRS3",
    "SBJNOD3HMR542NOKZTF2KOLTWW2XMJ3N5Q27KFO5EMWYMBZQP3IBDCE2",
];

fn main() {
    for (number, seed) in (0_u32..150).flat_map(|number| SEEDS.map(|seed| (number, seed))) {
        let key = Key::from_seed(seed).unwrap();
        let random: [u8; 32] = Sha256::digest([seed.as_bytes(), &number.to_be_bytes()].concat()).into();
        let word = |at: usize| u32::from_be_bytes(random[at..at + 4].try_into().unwrap());
        let (creates, id) = (number % 4 == 0, u64::from(word(0)) << 16);
        let (memo, shown) = match number % 3 {
            0 => (Memo::None, json!(null)),
            1 => (Memo::Id(id), json!({"id": id.to_string()})),
            _ => (
                Memo::Text(format!("order {id}").try_into().unwrap()),
                json!({"text": format!("order {id}")}),
            ),
        };
        let payment = PaymentTransaction {
            destination: Key::from_seed(SEEDS[1]).unwrap().public(),
            muxed_id: (number % 4 == 1).then_some(id + 1),
            creates,
            memo,
            stroops: i64::from(word(4)) + 1,
            fee: 100 + word(8) % 1000,
            sequence: i64::from(word(12)) << 20,
            max_time: u64::from(word(16)),
        };
        let passphrase = if number % 2 == 0 { MAIN } else { TEST };
        let signed = payment.sign(&key, Sha256::digest(passphrase.as_bytes()).into()).unwrap();
        let line = json!({
            "chain": "XLM", "seed": seed, "account": key.account(), "network": passphrase,
            "destination": Key::from_seed(SEEDS[1]).unwrap().account(), "muxedId": payment.muxed_id.map(|id| id.to_string()),
            "creates": creates, "memo": shown, "amount": payment.stroops.to_string(), "fee": payment.fee.to_string(),
            "sequence": payment.sequence.to_string(), "maxTime": payment.max_time, "bytes": STANDARD.encode(&signed.bytes),
            "hash": signed.hash
        });
        println!("{line}");
    }
}
