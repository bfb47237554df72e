//! What is fuzzed, and what must hold for every input.

mod address;
mod amount;
mod decimal;
mod derive;
mod secret;
mod tag;
mod uri;
mod validate;
mod wire;

use checkout_core::Network;

pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
    /// Panics where a property does not hold.
    pub(crate) run: fn(&[u8]),
}

macro_rules! addresses {
    ($name:literal, $network:ident) => {
        Target {
            name: $name,
            about: "an address is read: what is printed parses back, what is suggested is right",
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
    Target {
        name: "validate",
        about: "a verdict holds together, and its normal form is its own",
        seeds: validate::seeds,
        run: validate::run,
    },
    Target {
        name: "secret",
        about: "a private key is named as such on every network, and never repeated",
        seeds: secret::seeds,
        run: secret::run,
    },
    Target { name: "tag", about: "a tag or memo is read", seeds: tag::seeds, run: tag::run },
    Target {
        name: "split",
        about: "<address>?dt=<tag> is split and joined",
        seeds: tag::split_seeds,
        run: tag::split,
    },
    Target { name: "amount", about: "an amount is read exactly", seeds: amount::seeds, run: amount::run },
    Target {
        name: "decimal",
        about: "a fiat amount is read exactly; conversions round the right way",
        seeds: decimal::seeds,
        run: decimal::run,
    },
    Target { name: "uri", about: "a payment link is read and written", seeds: uri::seeds, run: uri::run },
    Target {
        name: "derive",
        about: "a public key becomes an address of its network",
        seeds: derive::seeds,
        run: derive::run,
    },
    Target {
        name: "wire",
        about: "bodies of the API are read, written and read again",
        seeds: wire::seeds,
        run: wire::run,
    },
];
