//! Each EVM network has a chain of its own. Two sections with one chain would both credit its transfers, and the coins of another
//! network's chain would count as this one's.

use std::collections::BTreeMap;

use checkout_core::Network;

/// `chain_ids`: those of the configured EVM networks. Errors are messages for users.
pub(super) fn check(chain_ids: impl IntoIterator<Item = (Network, u64)>) -> Result<(), String> {
    let mut known = BTreeMap::new();
    for (network, chain_id) in chain_ids {
        let wrong = |why: String| Err(format!("[chains.{network}] chain_id = {chain_id} {why}."));
        let is_main = |other: &&Network| other.spec().chain_id() == Some(chain_id);
        if let Some(other) = Network::ALL.iter().find(is_main).filter(|other| **other != network) {
            return wrong(format!("is the chain of {other}"));
        }
        if let Some(other) = known.insert(chain_id, network) {
            return wrong(format!("is also that of [chains.{other}], and each transfer would count twice"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_belongs_to_one_network() {
        let check = |chain_ids: &[(Network, u64)], expected: &str| {
            let said = check(chain_ids.iter().copied()).err().unwrap_or_default();
            assert_eq!(said, expected, "{chain_ids:?}");
        };
        check(&[(Network::Eth, 1), (Network::Polygon, 137), (Network::Base, 8_453)], "");
        check(&[(Network::Eth, 11_155_111), (Network::Base, 84_532)], "");
        check(&[(Network::Eth, 56)], "[chains.ETH] chain_id = 56 is the chain of BSC.");
        check(&[(Network::Eth, 1), (Network::Base, 1)], "[chains.BASE] chain_id = 1 is the chain of ETH.");
        check(
            &[(Network::Eth, 31_337), (Network::Base, 31_337)],
            "[chains.BASE] chain_id = 31337 is also that of [chains.ETH], and each transfer would count twice.",
        );
    }
}
