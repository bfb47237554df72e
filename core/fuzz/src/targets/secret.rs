use checkout_oracles::{base58, evm, strkey};
use crypto_checkout_core::chain::CHAINS;
use crypto_checkout_core::pair::EVERY_PAIR;
use crypto_checkout_core::{Address, Options, validate_with};

/// Text around a pasted secret.
const AROUND: [(&str, &str); 8] = [
    ("", ""),
    (" ", "\n"),
    ("bitcoin:", ""),
    ("", "?dt=7"),
    ("key ", ""),
    ("'", "'"),
    ("\u{feff}", ""),
    ("", "."),
];

/// The kind, the surrounding text, and 64 bytes for the secret.
pub(crate) fn run(data: &[u8]) {
    let Some((&[kind, around], rest)) = data.split_first_chunk::<2>() else { return };
    let Some(bytes) = rest.first_chunk::<64>() else { return };
    let secret = secret(kind, bytes);
    let (before, behind) = AROUND[usize::from(around) % AROUND.len()];
    let text = format!("{before}{secret}{behind}");
    let blanks = before.trim_matches('\u{feff}').trim().is_empty() && behind.trim().is_empty();
    for row in CHAINS {
        let pair =
            EVERY_PAIR.iter().find(|pair| pair.network == row.network).expect("every network has a pair");
        let verdict = validate_with(pair.currency.code(), row.code(), &text, None, &Options::STRICT);
        let json = serde_json::to_string(&verdict).expect("a verdict of texts is JSON");
        if blanks {
            assert_eq!(json, r#"{"valid":false,"supported":true,"reason":"secret"}"#);
        }
        assert!(!verdict.valid);
        let error = Address::parse(row.network, &text).expect_err("a secret is not an address");
        for output in [json, format!("{verdict:?}"), format!("{error:?}"), error.to_string()] {
            assert!(!output.contains(&secret), "{output}");
        }
    }
}

fn secret(kind: u8, bytes: &[u8; 64]) -> String {
    let wif = |version: u8, compressed: &[u8]| {
        base58::check(&[version], &[&bytes[..32], compressed].concat(), base58::BITCOIN)
    };
    match kind % 10 {
        0 => wif(0x80, &[]),
        1 => wif(0x80, &[1]),
        2 => wif(0xb0, &[1]),
        3 => wif(0xef, &[1]),
        // XRP Ledger, secp256k1 and ed25519.
        4 => base58::check(&[0x21], &bytes[..16], base58::RIPPLE),
        5 => base58::check(&[0x01, 0xe1, 0x4b], &bytes[..16], base58::RIPPLE),
        6 => strkey::encode(18 << 3, &bytes[..32]),
        7 => evm::hex(&bytes[..32]),
        8 => format!("0x{}", evm::hex(&bytes[..32])),
        // BIP-32: version, depth, fingerprint, number, chain code, key.
        _ => {
            let head = [&[0x04, 0x88, 0xad, 0xe4, 0], &bytes[..8], &bytes[..32]].concat();
            base58::check(&head, &[&[0], &bytes[32..]].concat(), base58::BITCOIN)
        }
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let seed = |kind| (0..8).map(move |around| [&[kind, around][..], &[0x5a; 64]].concat());
    (0..10).flat_map(seed).collect()
}
