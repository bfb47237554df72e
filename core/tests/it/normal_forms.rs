//! Each account has exactly one normal form: different texts of one account agree, and different accounts
//! differ.

use std::collections::{BTreeMap, BTreeSet};

use crypto_checkout_core::{Address, Network, Options, validate_with};

use crate::support::{addresses, lines, rows};

/// All options that accept more on the main network.
const LAX: Options = Options {
    allow_legacy_bch: true,
    allow_legacy_ltc: true,
    allow_mweb: true,
    allow_pay_to_anchor: true,
    allow_contracts: true,
    allow_burn_addresses: true,
    allow_missing_0x: true,
    allow_icap: true,
    allow_tron_hex: true,
    allow_surrounding_blanks: true,
    ..Options::STRICT
};

/// Variants of a text as people and programs write it.
fn spellings(text: &str) -> Vec<String> {
    let bare = text.rsplit_once(':').map_or(text, |parts| parts.1);
    let digits = bare.strip_prefix("0x").or(bare.strip_prefix("0X")).unwrap_or(bare);
    let mut spellings = vec![text.to_owned()];
    for text in [bare, digits] {
        for start in ["", "bitcoincash:", "BITCOINCASH:", "0x", "0X", " "] {
            for text in [text.to_owned(), text.to_ascii_lowercase(), text.to_ascii_uppercase()] {
                spellings.push(format!("{start}{text}"));
            }
        }
    }
    spellings.sort();
    spellings.dedup();
    spellings
}

#[test]
fn every_text_of_an_account_has_one_normal_form() {
    let (mut texts, mut accounts) = (0, 0);
    for row in rows() {
        let currency = row.pairs[0].currency.code();
        let mut normal_forms = BTreeMap::new();
        // The legacy forms of two networks are Bitcoin's.
        let published = [addresses(row.network), addresses(Network::Btc), lines("policy.jsonl")];
        let published = published.into_iter().flatten().map(|case| case.address);
        let published: BTreeSet<String> = published.collect();
        for text in published.iter().flat_map(|text| spellings(text)) {
            let Ok(address) = Address::parse_with(row.network, &text, &LAX) else { continue };
            let account = address.account();
            let key = (account.kind(), account.witness_version(), account.payload().to_vec());
            let normal = validate_with(currency, row.code(), &text, None, &LAX).normalized.unwrap();
            assert_eq!(normal, account.to_string(), "{text}");
            let known = normal_forms.entry(key).or_insert_with(|| normal.clone());
            assert_eq!(*known, normal, "{text}");
            texts += 1;
        }
        let mut different: Vec<&String> = normal_forms.values().collect();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), normal_forms.len(), "{}: two accounts with one normal form", row.code());
        accounts += different.len();
    }
    assert!(texts > 2_000 && accounts > 300, "{texts} texts of {accounts} accounts");
}

#[test]
fn the_same_account_on_two_networks_is_two_accounts() {
    let text = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    let on = |network| Address::parse(network, text).unwrap();
    assert_ne!(on(Network::Eth), on(Network::Bsc));
    assert_eq!(on(Network::Eth).payload(), on(Network::Bsc).payload());
}
