//! Reads codes of currencies and networks. Those beyond the interface are known once the operator configured them.

use checkout_core::{Currency, Network};

use crate::http::requests::fields::Fields;

impl Fields {
    /// The code of a cryptocurrency.
    pub fn currency(&mut self, name: &str) -> Option<Currency> {
        let text = self.text(name)?;
        let currency = self.opt_ins().currency(&text);
        self.accept(name, currency.ok_or(("unknown_currency", "is not a known cryptocurrency")))
    }

    /// The code in `network`.
    pub fn network(&mut self) -> Option<Network> {
        let text = self.text("network")?;
        let network = self.opt_ins().network(&text);
        let detail = if text == "MAIN" {
            "MAIN is not a network any more; name the chain, such as ETH"
        } else {
            "is not a known network"
        };
        self.accept("network", network.ok_or(("unknown_network", detail)))
    }
}
