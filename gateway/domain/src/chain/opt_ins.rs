//! The networks beyond interface section 2.10 that the operator configured. To a gateway without them their codes, and those
//! of their coins, are unknown.

use std::sync::Arc;

use checkout_core::{Currency, Network, pair};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptIns(Arc<[Network]>);

impl OptIns {
    /// Of the configured networks, those that the interface lacks.
    pub fn of(networks: impl IntoIterator<Item = Network>) -> Self {
        Self(networks.into_iter().filter(|network| network.is_opt_in()).collect())
    }

    pub fn networks(&self) -> &[Network] {
        &self.0
    }

    pub fn has(&self, network: Network) -> bool {
        !network.is_opt_in() || self.0.contains(&network)
    }

    pub fn has_currency(&self, currency: Currency) -> bool {
        let mut pairs = pair::EVERY_PAIR.iter().filter(|pair| pair.currency == currency);
        pairs.any(|pair| self.has(pair.network))
    }

    /// The network with this code, if the gateway knows it.
    pub fn network(&self, code: &str) -> Option<Network> {
        code.parse().ok().filter(|network| self.has(*network))
    }

    /// The currency with this code, if the gateway knows it.
    pub fn currency(&self, code: &str) -> Option<Currency> {
        code.parse().ok().filter(|currency| self.has_currency(*currency))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_beyond_the_interface_is_known_once_it_is_configured() {
        let check = |configured: &[Network], code: &str, expected| {
            let opt_ins = OptIns::of(configured.iter().copied());
            assert_eq!(opt_ins.network(code).map(Network::code), expected, "{configured:?} {code}");
        };
        check(&[], "ETH", Some("ETH"));
        check(&[], "POLYGON", None);
        check(&[Network::Polygon], "POLYGON", Some("POLYGON"));
        check(&[Network::Polygon], "BASE", None);
        check(&[Network::Eth], "polygon", None);
        assert_eq!(OptIns::of([Network::Eth, Network::Base]).networks(), [Network::Base]);
        assert_eq!(OptIns::default().currency("USDC"), Some(Currency::Usdc));
    }
}
