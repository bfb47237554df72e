//! The network of a chain: the main network or a test network.

use std::collections::BTreeMap;

use checkout_core::Network;
use checkout_core::address::{Address, Options, Reason, TestNetwork};
use checkout_core::tag::MemoType;
use checkout_core::validate::{Verdict, validate_with};

/// A test network, whose coins have no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestEnvironment {
    /// Its name, such as `regtest` or `Sepolia`.
    pub name: String,
    /// The address format; `None` if it is the main network's.
    pub addresses: Option<TestNetwork>,
    /// Of an EVM network.
    pub chain_id: Option<u64>,
}

/// The chains on test networks. All others are on their main network.
#[derive(Clone, Debug, Default)]
pub struct Environments(BTreeMap<Network, TestEnvironment>);

impl Environments {
    pub fn with(tests: impl IntoIterator<Item = (Network, TestEnvironment)>) -> Self {
        Self(tests.into_iter().collect())
    }

    /// `None` on the main network.
    pub fn test(&self, network: Network) -> Option<&TestEnvironment> {
        self.0.get(&network)
    }

    pub fn tests(&self) -> impl Iterator<Item = (Network, &TestEnvironment)> {
        self.0.iter().map(|(network, test)| (*network, test))
    }

    /// Like [`checkout_core::validate`], by the forms of the configured network: on a test network its own
    /// addresses are valid, and those of the main network are not.
    pub fn validate(&self, currency: &str, network: &str, address: &str, tag: Option<&str>) -> Verdict {
        self.validate_memo(currency, network, address, (tag, None))
    }

    /// With a tag of this type, if it is a Stellar memo.
    pub fn validate_memo(
        &self,
        currency: &str,
        network: &str,
        address: &str,
        (tag, memo_type): (Option<&str>, Option<MemoType>),
    ) -> Verdict {
        let parsed = network.parse::<Network>().ok();
        let test = parsed.and_then(|network| self.test(network)?.addresses.map(|_| network));
        let Some(network) = test else {
            let options = Options { memo_type, ..Options::STRICT };
            return validate_with(currency, network, address, tag, &options);
        };
        let options = Options { memo_type, ..ANY_NETWORK };
        let verdict = validate_with(currency, network.code(), address, tag, &options);
        if !verdict.valid || is_of_test_network(network, address) {
            return verdict;
        }
        let mut refused = Verdict::default();
        refused.supported = true;
        refused.kind = verdict.kind;
        refused.reason = Some(Reason::BadVersion);
        refused
    }
}

/// For texts whose network is checked separately, or that a chain itself reported.
pub const ANY_NETWORK: Options = Options { allow_test_networks: true, ..Options::STRICT };

fn is_of_test_network(network: Network, text: &str) -> bool {
    Address::parse_with(network, text, &ANY_NETWORK).is_ok_and(|address| address.test_network().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_network_accepts_only_its_own_addresses() {
        let main = "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9";
        let test = "rltc1qm90ugl4d48jv8n6e5t9ln6t9zlpm5th6et0qsk";
        let regtest = TestEnvironment {
            name: "regtest".to_owned(),
            addresses: Some(TestNetwork::Regtest),
            chain_id: None,
        };
        let on_test = Environments::with([(Network::Ltc, regtest)]);
        let on_main = Environments::default();
        let check = |environments: &Environments, address, expected| {
            let verdict = environments.validate("LTC", "LTC", address, None);
            assert_eq!(verdict.valid, expected, "{address}: {verdict:?}");
            assert!(verdict.supported && verdict.reason.is_some() != expected);
        };
        check(&on_test, test, true);
        check(&on_test, main, false);
        check(&on_main, main, true);
        check(&on_main, test, false);
        let bitcoin = on_test.validate("BTC", "BTC", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", None);
        assert!(!bitcoin.valid, "only the configured chain is on a test network");
    }
}
