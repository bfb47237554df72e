//! The networks that the operator configured. To a gateway without one of those beyond interface section 2.10 its code, and
//! that of its coin, is unknown.

use std::sync::Arc;

use checkout_core::{Currency, Network, Pair, pair};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptIns {
    configured: Arc<[Network]>,
    /// Those that the interface lacks.
    beyond: Arc<[Network]>,
}

impl OptIns {
    pub fn of(networks: impl IntoIterator<Item = Network>) -> Self {
        let configured: Arc<[Network]> = networks.into_iter().collect();
        let beyond = configured.iter().copied().filter(|network| network.is_opt_in()).collect();
        Self { configured, beyond }
    }

    /// The configured networks that the interface lacks.
    pub fn networks(&self) -> &[Network] {
        &self.beyond
    }

    pub fn has(&self, network: Network) -> bool {
        !network.is_opt_in() || self.beyond.contains(&network)
    }

    /// The codes of the configured networks of a currency, in words: those whose pair has this use.
    pub fn networks_of(&self, currency: Currency, has_use: fn(&Pair) -> bool) -> String {
        let pairs = pair::EVERY_PAIR.iter().filter(|pair| pair.currency == currency && has_use(pair));
        let networks = pairs.map(|pair| pair.network).filter(|network| self.configured.contains(network));
        let codes: Vec<&str> = networks.map(Network::code).collect();
        if codes.is_empty() {
            "no network of this gateway".to_owned()
        } else {
            format!("{} only", codes.join(", "))
        }
    }

    pub fn has_currency(&self, currency: Currency) -> bool {
        let mut pairs = pair::EVERY_PAIR.iter().filter(|pair| pair.currency == currency);
        pairs.any(|pair| self.has(pair.network))
    }

    /// The network with this code, if the gateway knows it.
    pub fn network(&self, code: &str) -> Option<Network> {
        Network::served(code).filter(|network| self.has(*network))
    }

    /// The currency with this code, if the gateway knows it.
    pub fn currency(&self, code: &str) -> Option<Currency> {
        Currency::served(code).filter(|currency| self.has_currency(*currency))
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
        let opt_ins = OptIns::of([Network::Eth, Network::Base]);
        assert_eq!(opt_ins.networks(), [Network::Base]);
        assert_eq!(opt_ins.networks_of(Currency::Usdc, |pair| pair.deposit), "ETH, BASE only");
        assert_eq!(opt_ins.networks_of(Currency::Btc, |pair| pair.deposit), "no network of this gateway");
        assert_eq!(OptIns::default().currency("USDC"), Some(Currency::Usdc));
    }
}
