//! The facts of each network are consistent.

use std::collections::BTreeSet;

use crypto_checkout_core::address::TestNetwork;
use crypto_checkout_core::chain::{CHAINS, ChainSpec};
use crypto_checkout_core::network::TagRule;
use crypto_checkout_core::{Address, Amount, Network, Options, decimal, pair};

use crate::support::{addresses, rows};

#[test]
fn examples_are_addresses_in_their_normal_form() {
    for row in rows() {
        for text in [Some(row.example), row.sandbox_account].into_iter().flatten() {
            assert_eq!(Address::parse(row.network, text).unwrap().to_string(), text);
        }
    }
}

#[test]
fn networks_with_tags_use_one_account() {
    for row in CHAINS {
        assert_eq!(row.sandbox_account.is_some(), row.tag != TagRule::None, "{}", row.code());
    }
}

#[test]
fn networks_that_share_accounts_agree_on_it() {
    for row in CHAINS {
        assert_eq!(row.shared_accounts.first(), Some(&row.network));
        for other in row.shared_accounts {
            let theirs: BTreeSet<Network> = other.spec().shared_accounts.iter().copied().collect();
            assert_eq!(theirs, row.shared_accounts.iter().copied().collect(), "{} {other}", row.code());
            assert!(Address::parse(*other, row.example).is_ok(), "{} {other}", row.code());
        }
    }
}

#[test]
fn no_two_networks_derive_the_same_deposit_addresses() {
    // The index of an address is counted for all networks that share accounts, so that one key can serve them.
    let is_alone = |row: &&ChainSpec| row.shared_accounts.len() == 1 || !row.network.is_opt_in();
    let derived = CHAINS.iter().filter(|row| row.sandbox_account.is_none()).filter(is_alone);
    let paths: Vec<String> = derived.map(|row| row.key_path.to_string()).collect();
    assert_eq!(paths.iter().collect::<BTreeSet<_>>().len(), paths.len(), "{paths:?}");
    assert_eq!(Network::Bch.spec().key_path.to_string(), "m/44'/145'/0'");
}

#[test]
fn transaction_ids_and_explorer_links() {
    let check = |network: Network, expected| {
        let spec = network.spec();
        assert_eq!(spec.explorer.transaction(&spec.transaction_id.write("c0ffee")), expected);
    };
    check(Network::Btc, "https://mempool.space/tx/c0ffee");
    check(Network::Eth, "https://etherscan.io/tx/0xc0ffee");
    check(Network::Polygon, "https://polygonscan.com/tx/0xc0ffee");
    check(Network::Base, "https://basescan.org/tx/0xc0ffee");
    check(Network::Arbitrum, "https://arbiscan.io/tx/0xc0ffee");
    check(Network::Doge, "https://blockchair.com/dogecoin/transaction/c0ffee");
    check(Network::Xrp, "https://livenet.xrpl.org/transactions/C0FFEE");
    for row in CHAINS {
        for link in [row.explorer.transaction("c0ffee"), row.explorer.address(row.example)] {
            assert!(link.starts_with("https://") && !link.contains(' '), "{link}");
        }
    }
}

/// The vectors of a network cover exactly the test networks in its row.
#[test]
fn test_networks_match_the_vectors() {
    let options = Options { allow_test_networks: true, ..Options::STRICT };
    for row in rows() {
        let texts = addresses(row.network);
        let seen: BTreeSet<TestNetwork> = texts
            .iter()
            .filter_map(|case| Address::parse_with(row.network, &case.address, &options).ok()?.test_network())
            .collect();
        assert_eq!(seen, row.test_networks.iter().copied().collect(), "{}", row.code());
    }
}

#[test]
fn amounts_of_the_tables_can_be_read() {
    for row in CHAINS {
        assert!(decimal::parse(row.sandbox_fee, 18).is_ok_and(|fee| !fee.is_zero()), "{}", row.code());
        assert!(decimal::parse(row.smallest_transfer, 18).is_ok(), "{}", row.code());
        assert!(row.finality.blocks > 0, "{}", row.code());
    }
    for pair in pair::EVERY_PAIR {
        let limits = [pair.limits.fee, pair.limits.minimum, pair.limits.maximum];
        let [fee, minimum, maximum] = limits.map(|text| Amount::parse(text, pair.decimals).unwrap());
        assert!(!fee.is_zero() && fee < minimum && minimum < maximum, "{pair:?}");
    }
}

/// A contract of the tables in the letter case of EIP-55: a mistyped letter is found.
#[test]
fn contracts_have_their_checksum() {
    let evm = |pair: &&pair::Pair| pair.network.spec().chain_id().is_some();
    for pair in pair::EVERY_PAIR.iter().filter(evm) {
        let Some(contract) = pair.contract else { continue };
        assert_ne!(contract.to_ascii_lowercase(), contract);
        assert_eq!(Address::parse(pair.network, contract).unwrap().to_string(), contract, "{pair:?}");
    }
}

#[test]
fn each_evm_network_has_its_chain_id_and_shares_all_accounts() {
    let evm: Vec<&ChainSpec> = CHAINS.iter().filter(|row| row.chain_id().is_some()).collect();
    let ids: Vec<u64> = evm.iter().filter_map(|row| row.chain_id()).collect();
    assert_eq!(ids, [1, 56, 137, 8453, 42161]);
    for row in &evm {
        assert_eq!(row.shared_accounts.len(), evm.len(), "{}", row.code());
    }
    assert_eq!(Network::Base.spec().shared_accounts[..2], [Network::Base, Network::Eth]);
    assert_eq!(Network::Trx.spec().chain_id(), None);
}

/// Sources are in the files of the networks.
#[test]
fn who_owes_the_wrapped_tokens() {
    let row = |pair: &pair::Pair| Some((pair.currency.code(), pair.network.code(), pair.wrapped_by?));
    let wrapped: Vec<_> = pair::EVERY_PAIR.iter().filter_map(row).collect();
    let expected = [
        ("ETH", "BSC", "Binance"),
        ("USDC", "BSC", "Binance"),
        ("USDT", "BSC", "Binance"),
        ("USDT", "POLYGON", "USDT0"),
        ("USDT", "ARBITRUM", "USDT0"),
    ];
    assert_eq!(wrapped, expected);
}
