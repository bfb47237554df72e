//! `confirmations` of a network in the configuration file: one number for every amount, or rows by amount.

use checkout_core::Network;
use checkout_domain::payment::confirmations::{Amounts, Rule};
use checkout_domain::rates::fiat::Fiat;
use serde::Deserialize;
use toml::Value;

/// `above = "1000 EUR"`, `required = 3`; without `above` every amount.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequiredAbove {
    above: Option<String>,
    required: u32,
}

/// Takes the rules out of a section of `[chains]`. Errors are messages for users.
pub(crate) fn take(network: Network, section: &mut toml::Table) -> Result<Vec<Rule>, String> {
    let Some(value) = section.remove("confirmations") else { return Ok(Vec::new()) };
    let wrong = |why: String| format!("[chains.{network}] confirmations: {why}.");
    if !is_counted(network) {
        return Err(wrong(
            "a transfer is final there once it is confirmed, so there is nothing to count".into(),
        ));
    }
    rules(&value).map_err(wrong)
}

/// A block can leave a chain of the Bitcoin family or an EVM chain.
fn is_counted(network: Network) -> bool {
    network.spec().chain_id().is_some() || !matches!(network, Network::Xlm | Network::Xrp | Network::Trx)
}

/// Errors are parts of a sentence.
pub(crate) fn rules(value: &Value) -> Result<Vec<Rule>, String> {
    let number = |number: i64| {
        let required =
            u32::try_from(number).map_err(|_| format!("{number} is not a number of confirmations"))?;
        Ok(vec![Rule { of: Amounts::All, required }])
    };
    match value {
        Value::Integer(one) => number(*one),
        Value::Array(rows) => rows.iter().map(row).collect(),
        _ => Err("write a number, or a row for each amount".to_owned()),
    }
}

fn row(value: &Value) -> Result<Rule, String> {
    let RequiredAbove { above, required } =
        value.clone().try_into().map_err(|error: toml::de::Error| error.message().to_owned())?;
    let of = match above {
        None => Amounts::All,
        Some(text) => amount(&text).ok_or_else(|| {
            format!("above = \"{text}\" must be an amount and its currency, such as \"1000 EUR\"")
        })?,
    };
    Ok(Rule { of, required })
}

fn amount(text: &str) -> Option<Amounts> {
    let (amount, code) = text.split_once(' ')?;
    let fiat: Fiat = code.parse().ok()?;
    Some(Amounts::Above(fiat.parse(amount).ok()?, fiat))
}

/// What every amount needs; `None` unless the file says it.
pub(crate) fn of_all(rules: &[Rule]) -> Option<u32> {
    rules.iter().find(|rule| rule.of == Amounts::All).map(|rule| rule.required)
}

#[cfg(test)]
mod tests {
    use checkout_domain::payment::confirmations::Confirmations;

    use super::*;

    fn read(network: Network, text: &str) -> Result<Vec<String>, String> {
        let mut section: toml::Table = toml::from_str(text).unwrap();
        let rules = take(network, &mut section)?;
        assert!(!section.contains_key("confirmations"));
        Confirmations::default().set(network, rules.clone()).map_err(|wrong| wrong.to_string())?;
        Ok(rules.iter().map(|rule| format!("{}: {}", rule.of, rule.required)).collect())
    }

    #[test]
    fn a_network_has_a_number_or_rows_by_amount() {
        let rows = "[[confirmations]]\nabove = \"1000 EUR\"\nrequired = 3\n[[confirmations]]\nabove = \"5000.50 USD\"\nrequired = 6";
        for (text, expected) in [
            ("", &[][..]),
            ("confirmations = 2", &["every amount: 2"]),
            ("[[confirmations]]\nrequired = 2", &["every amount: 2"]),
            (rows, &["above 1000 EUR: 3", "above 5000.50 USD: 6"]),
        ] {
            for network in [Network::Btc, Network::Ltc, Network::Eth, Network::Bsc] {
                assert_eq!(read(network, text).unwrap(), expected, "{text}");
            }
        }
    }

    #[test]
    fn a_wrong_row_is_explained() {
        let row = |keys: &str| format!("[[confirmations]]\n{keys}");
        for (network, text, part) in [
            (Network::Xrp, "confirmations = 2".to_owned(), "[chains.XRP] confirmations: a transfer is final"),
            (Network::Trx, row("required = 2"), "[chains.TRX]"),
            (Network::Btc, "confirmations = \"2\"".to_owned(), "write a number, or a row"),
            (Network::Btc, "confirmations = -1".to_owned(), "-1 is not a number of confirmations"),
            (Network::Btc, "confirmations = 0".to_owned(), "at least 1"),
            (Network::Btc, row("above = \"1000 EUR\""), "required"),
            (Network::Btc, row("above = \"1000 EUR\"\nrequired = 0"), "at least 1"),
            (Network::Btc, row("above = \"1000 EUR\"\nblocks = 3"), "blocks"),
            (
                Network::Btc,
                row("above = \"1000\"\nrequired = 3"),
                "above = \"1000\" must be an amount and its currency",
            ),
            (Network::Btc, row("above = \"1,000 EUR\"\nrequired = 3"), "above = \"1,000 EUR\""),
            (Network::Btc, row("above = \"1000.001 EUR\"\nrequired = 3"), "above = "),
            (Network::Btc, row("above = \"1 BTC\"\nrequired = 3"), "above = \"1 BTC\""),
            (Network::Btc, row("above = 1000\nrequired = 3"), "string"),
        ] {
            let said = read(network, &text).err().unwrap_or_default();
            assert!(said.contains(part), "{text}: {said}");
        }
    }
}
