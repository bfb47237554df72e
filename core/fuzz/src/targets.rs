//! The fuzz targets and their properties.

mod address;
mod amount;
mod decimal;
mod derive;
mod secret;
mod tag;
mod uri;
mod validate;
mod wire;

use crypto_checkout_core::Network;

pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
    /// Panics if a property does not hold.
    pub(crate) run: fn(&[u8]),
}

macro_rules! addresses {
    ($name:literal, $network:ident) => {
        Target {
            name: $name,
            about: "addresses: printed ones parse back, suggested ones are valid",
            seeds: || address::seeds(Network::$network),
            run: |data| address::run(Network::$network, data),
        }
    };
}

pub(crate) const TARGETS: &[Target] = &[
    addresses!("address-btc", Btc),
    addresses!("address-bch", Bch),
    addresses!("address-ltc", Ltc),
    addresses!("address-eth", Eth),
    addresses!("address-bsc", Bsc),
    addresses!("address-trx", Trx),
    addresses!("address-xrp", Xrp),
    addresses!("address-xlm", Xlm),
    addresses!("address-sol", Sol),
    addresses!("address-atom", Atom),
    addresses!("address-ton", Ton),
    addresses!("address-sui", Sui),
    addresses!("address-doge", Doge),
    addresses!("address-apt", Apt),
    addresses!("address-dot", Dot),
    addresses!("address-ada", Ada),
    addresses!("address-xmr", Xmr),
    addresses!("address-zec", Zec),
    Target {
        name: "validate",
        about: "verdicts are consistent, and normal forms are stable",
        seeds: validate::seeds,
        run: validate::run,
    },
    Target {
        name: "secret",
        about: "private keys are recognized on every network and never repeated",
        seeds: secret::seeds,
        run: secret::run,
    },
    Target { name: "tag", about: "tags and memos", seeds: tag::seeds, run: tag::run },
    Target {
        name: "split",
        about: "splitting and joining <address>?dt=<tag>",
        seeds: tag::split_seeds,
        run: tag::split,
    },
    Target { name: "amount", about: "amounts are exact", seeds: amount::seeds, run: amount::run },
    Target {
        name: "decimal",
        about: "fiat amounts are exact; conversions round in the right direction",
        seeds: decimal::seeds,
        run: decimal::run,
    },
    Target { name: "uri", about: "payment links are written and read", seeds: uri::seeds, run: uri::run },
    Target {
        name: "derive",
        about: "public keys become addresses of their network",
        seeds: derive::seeds,
        run: derive::run,
    },
    Target {
        name: "wire",
        about: "API bodies survive writing and reading",
        seeds: wire::seeds,
        run: wire::run,
    },
];
