//! Repetitions of the tables in other files. `CHECKOUT_BLESS=1 cargo test -p crypto-checkout-core repeated` writes it.

use std::fs;

use crypto_checkout_core::chain::CHAINS;
use crypto_checkout_core::{Currency, Network, Options, Table};

use crate::support::path;

/// `file` has `expected` between the first `start` and the next `end`.
#[track_caller]
fn check(file: &str, start: &str, end: &str, expected: &str) {
    let file = path(&format!("../../../{file}"));
    let text = fs::read_to_string(&file).unwrap();
    let from = text.find(start).unwrap_or_else(|| panic!("{start:?}")) + start.len();
    let (before, rest) = text.split_at(from);
    let (stands, after) = rest.split_at(rest.find(end).unwrap_or_else(|| panic!("{end:?}")));
    if std::env::var_os("CHECKOUT_BLESS").is_some() {
        fs::write(file, [before, expected, after].concat()).unwrap();
    } else {
        assert_eq!(stands, expected, "CHECKOUT_BLESS=1 writes it anew");
    }
}

fn row(cells: impl IntoIterator<Item = String>) -> String {
    format!("| {} |\n", cells.into_iter().collect::<Vec<_>>().join(" | "))
}

#[test]
fn the_precision_of_each_pair() {
    let rows = Table::All.pairs().iter().map(|pair| {
        row([
            format!("{} on {}", pair.currency, pair.network),
            pair.decimals.to_string(),
            pair.quote_precision.to_string(),
            pair.contract.map_or("–".to_owned(), |contract| format!("`{contract}`")),
        ])
    });
    let head = "| pair | decimals | quoted with | contract |\n|---|---|---|---|\n";
    check("docs/validation.md", head, "\n#", &rows.collect::<String>());
}

#[test]
fn the_codes_in_each_package() {
    let rows = Currency::ALL.iter().map(|currency| {
        let pairs = Table::All.pairs().iter().filter(|pair| pair.currency == *currency);
        let networks: Vec<_> = pairs.map(|pair| format!("`{}`", pair.network)).collect();
        row([format!("`{currency}`"), networks.join(" ")])
    });
    let rows = rows.collect::<String>();
    for file in ["core", "npm/package", "bindings/python", "bindings/php", "bindings/c"] {
        check(&format!("{file}/README.md"), "| currency | networks |\n|---|---|\n", "\n#", &rows);
    }
    let options: Vec<_> = Options::SWITCHES.iter().map(|(name, _)| format!("`{name}`")).collect();
    for file in ["python", "php", "c"] {
        let text = fs::read_to_string(path(&format!("../../../bindings/{file}/README.md"))).unwrap();
        assert!(text.contains(&options.join(" ")), "{file}");
    }
}

#[test]
fn the_finality_of_each_network() {
    let networks = row(CHAINS.iter().map(|row| row.code().to_owned()));
    let depths = row(CHAINS.iter().map(|row| row.finality.blocks.to_string()));
    let table = format!("{networks}{}\n{depths}", "|---".repeat(CHAINS.len()) + "|");
    check("docs/money.md", "one block on every network.\n\n", "\n* ", &table);
}

#[test]
fn the_networks_beyond_the_interface() {
    let rows = CHAINS.iter().filter(|chain| chain.network.is_opt_in()).map(|chain| {
        let served = chain.pairs.iter().filter(|pair| pair.deposit);
        let pairs: Vec<_> = served.map(|pair| pair.currency.code()).collect();
        let explorer = chain.explorer.transactions.split('/').nth(2);
        let own = chain.pairs.iter().find(|pair| pair.contract.is_none());
        row([
            chain.code().to_owned(),
            chain.chain_id().map_or("–".to_owned(), |id| id.to_string()),
            pairs.join(", "),
            explorer.expect("an explorer has a host").to_owned(),
            chain.gas_coin.map(|coin| coin.code).or(own.map(|pair| pair.currency.code())).unwrap().to_owned(),
        ])
    });
    let head = "| network | chain id | pairs | explorer | coin for fees |\n|---|---|---|---|---|\n";
    check("docs/networks-beyond.md", head, "\nPOL ", &rows.collect::<String>());
}

#[test]
fn the_types_of_the_npm_package() {
    let union = |codes: Vec<&str>| format!("\"{}\";", codes.join("\" | \""));
    let file = "npm/package/index.d.ts";
    check(
        file,
        "export type Currency = ",
        "\n",
        &union(Currency::ALL.iter().map(|currency| currency.code()).collect()),
    );
    check(
        file,
        "export type Network = ",
        "\n",
        &union(Network::ALL.iter().map(|network| network.code()).collect()),
    );
}
