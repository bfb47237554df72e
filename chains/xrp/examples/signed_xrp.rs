//! Prints signed payments with their fields, one JSON object a line, for `chains/oracles`.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example for tests")]

use checkout_chain_xrp::key::half;
use checkout_chain_xrp::payment::PaymentTransaction;
use checkout_chain_xrp::{Key, MAIN};
use serde_json::json;

const SEEDS: [&str; 4] = [
    "snoPBrXtMeMyMHUVTgbuqAfg1SUTb",
    "sp6JS7f14BuwFY8Mw6bTtLKWauoUs",
    "sEdTM1uX8pu2do5XvTnutH6HsouMaM2",
    "sEdSKaCy2JT7JaM7v95H9SxkhP9wS2r",
];

fn main() {
    for (number, seed) in (0_u32..100).flat_map(|number| SEEDS.map(|seed| (number, seed))) {
        let key = Key::from_seed(seed).unwrap();
        let random = half(&[seed.as_bytes(), &number.to_be_bytes()]);
        let word = |at: usize| u32::from_be_bytes(random[at..at + 4].try_into().unwrap());
        let payment = PaymentTransaction {
            network: if number % 3 == 0 { 1025 + word(0) % 1000 } else { MAIN },
            destination: random[..20].try_into().unwrap(),
            destination_tag: (number % 2 == 0).then(|| word(8)),
            drops: u64::from(word(12)) + 1,
            fee: 10 + u64::from(word(16) % 1000),
            sequence: word(20) >> (number % 32),
            last_ledger: word(24),
        };
        let signed = payment.sign(&key);
        let line = json!({
            "chain": "XRP", "seed": seed, "account": key.account(), "network": payment.network,
            "destination": hex::encode_upper(payment.destination), "tag": payment.destination_tag,
            "amount": payment.drops.to_string(), "fee": payment.fee.to_string(), "sequence": payment.sequence,
            "lastLedger": payment.last_ledger, "bytes": hex::encode_upper(&signed.bytes), "hash": signed.hash
        });
        println!("{line}");
    }
}
