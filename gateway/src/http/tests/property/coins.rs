//! The coins of the model, as plain integers.

use checkout_core::Network;

pub(super) struct Coin {
    pub(super) code: &'static str,
    pub(super) network: Network,
    pub(super) decimals: u32,
    /// Thousandths of a euro per whole coin.
    pub(super) price: u128,
    /// A transfer counts at first sight.
    pub(super) instant: bool,
    /// What sending costs, in atoms.
    pub(super) fee: u128,
    /// The least that is withdrawn, in atoms.
    pub(super) least: u128,
    pub(super) elsewhere: &'static str,
}

pub(super) const BTC: usize = 0;

/// An instant chain, an account chain, a chain with tags.
pub(super) const COINS: [Coin; 3] = [
    Coin {
        code: "BTC",
        network: Network::Btc,
        decimals: 8,
        price: 60_000_000,
        instant: true,
        fee: 3_000,
        least: 50_000,
        elsewhere: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    },
    Coin {
        code: "ETH",
        network: Network::Eth,
        decimals: 18,
        price: 3_000_000,
        instant: false,
        fee: 600_000_000_000_000,
        least: 10_000_000_000_000_000,
        elsewhere: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    },
    Coin {
        code: "XRP",
        network: Network::Xrp,
        decimals: 6,
        price: 500,
        instant: false,
        fee: 1_000,
        least: 10_000_000,
        elsewhere: "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY",
    },
];

impl Coin {
    pub(super) fn one(&self) -> u128 {
        10_u128.pow(self.decimals)
    }

    /// Atoms as decimal text.
    pub(super) fn text(&self, atoms: u128) -> String {
        let amount = checkout_core::Amount::from_atoms(atoms).unwrap();
        amount.to_text(u8::try_from(self.decimals).unwrap())
    }

    pub(super) fn atoms(&self, text: &str) -> u128 {
        checkout_core::Amount::parse(text, u8::try_from(self.decimals).unwrap()).unwrap().atoms()
    }
}

/// As many atoms of `to` as are worth `atoms` of `from`, rounded down.
pub(super) fn worth(atoms: u128, from: usize, to: usize) -> u128 {
    let (from, to) = (&COINS[from], &COINS[to]);
    let (mut up, mut down) = (from.price, to.price);
    if to.decimals > from.decimals {
        up *= 10_u128.pow(to.decimals - from.decimals);
    } else {
        down *= 10_u128.pow(from.decimals - to.decimals);
    }
    atoms * up / down
}
