//! Screening by a list of rules: the default without a screening service.

use async_trait::async_trait;
use checkout_core::Network;
use checkout_core::address::Address;
use checkout_domain::chain::screening::AddressOwner;
use checkout_domain::ports::screening::{Screened, Screening, ScreeningError};
use serde::Deserialize;

/// One row of `[[screening]]` in the configuration file.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    pub address: String,
    /// The owner, such as `Example Exchange`.
    pub name: String,
    /// The owner's category, such as `EXCHANGE` or `SANCTIONS`.
    pub category: String,
    /// Whether transfers to it are blocked.
    #[serde(default)]
    pub block: bool,
}

/// Built-in rules.
fn built_in() -> Vec<Rule> {
    // On the list of the US Treasury (OFAC) since 14 April 2022, tagged ETH.
    vec![Rule {
        address: "0x098B716B8Aaf21512996dC57EB0615e2383E2f96".to_owned(),
        name: "Lazarus Group".to_owned(),
        category: "SANCTIONS".to_owned(),
        block: true,
    }]
}

#[derive(Clone, Debug)]
pub struct RuleScreening {
    rules: Vec<Rule>,
    /// There are rules of the operator.
    is_on: bool,
}

impl RuleScreening {
    pub fn new(rules: &[Rule]) -> Self {
        Self { rules: rules.iter().cloned().chain(built_in()).collect(), is_on: !rules.is_empty() }
    }
}

#[async_trait]
impl Screening for RuleScreening {
    /// Returns the first rule for the account in any notation; an account without a rule has an unknown
    /// owner.
    async fn screen(&self, network: Network, address: &str) -> Result<Screened, ScreeningError> {
        let names = |rule: &&Rule| match Address::parse(network, &rule.address) {
            Ok(known) => known.account().to_string() == address,
            Err(_) => rule.address == address,
        };
        Ok(match self.rules.iter().find(names) {
            Some(rule) => Screened {
                owner: AddressOwner { name: rule.name.clone(), category: rule.category.clone() },
                blocked: rule.block,
            },
            None => Screened {
                owner: AddressOwner { name: "Unknown".to_owned(), category: "UNKNOWN".to_owned() },
                blocked: false,
            },
        })
    }

    fn is_on(&self) -> bool {
        self.is_on
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_first_rule_counts() {
        let rule = |address: &str, name: &str, block| Rule {
            address: address.to_owned(),
            name: name.to_owned(),
            category: "EXCHANGE".to_owned(),
            block,
        };
        let rules = RuleScreening::new(&[
            rule("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "Kraken", false),
            rule("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "second", true),
        ]);
        let check = async |network, address: &str, name: &str, blocked| {
            let screened = rules.screen(network, address).await.unwrap();
            assert_eq!((screened.owner.name.as_str(), screened.blocked), (name, blocked), "{address}");
        };
        check(Network::Eth, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "Kraken", false).await;
        check(Network::Eth, "0x098B716B8Aaf21512996dC57EB0615e2383E2f96", "Lazarus Group", true).await;
        check(Network::Bsc, "0x098B716B8Aaf21512996dC57EB0615e2383E2f96", "Lazarus Group", true).await;
        check(Network::Btc, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "Unknown", false).await;
    }
}
