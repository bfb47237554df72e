//! The coins of the model, in integer arithmetic.

use checkout_core::Network;

pub(super) struct Coin {
    pub(super) code: &'static str,
    pub(super) network: Network,
    pub(super) decimals: u32,
    /// The last place of its quotes, in atoms.
    pub(super) unit: u128,
    /// Thousandths of a euro per whole coin, until the rate jumps.
    pub(super) price: u128,
    /// Transfers are instant deposits.
    pub(super) instant: bool,
    /// The network fee, in atoms.
    pub(super) fee: u128,
    /// The minimum withdrawal, in atoms.
    pub(super) least: u128,
    /// Nodes relay no less, in atoms.
    pub(super) relayed: u128,
    /// A block may be dated so many seconds before a quote that its transfers pay.
    pub(super) dated_early: u64,
    /// Senders and recipients of withdrawals. The first is the default sender.
    pub(super) people: [&'static str; 3],
}

pub(super) const BTC: usize = 0;

/// An instant chain, an account chain, a chain with tags.
pub(super) const COINS: [Coin; 3] = [
    Coin {
        code: "BTC",
        network: Network::Btc,
        decimals: 8,
        unit: 1,
        price: 60_000_000,
        instant: true,
        fee: 3_000,
        least: 50_000,
        relayed: 294,
        dated_early: 7_200,
        people: [
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
            "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
        ],
    },
    Coin {
        code: "ETH",
        network: Network::Eth,
        decimals: 18,
        unit: 10_000_000_000,
        price: 3_000_000,
        instant: false,
        fee: 600_000_000_000_000,
        least: 10_000_000_000_000_000,
        relayed: 1,
        dated_early: 600,
        people: [
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
            "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        ],
    },
    Coin {
        code: "XRP",
        network: Network::Xrp,
        decimals: 6,
        unit: 1,
        price: 500,
        instant: false,
        fee: 1_000,
        least: 10_000_000,
        relayed: 1,
        dated_early: 600,
        people: [
            "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY",
            "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
            "rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn",
        ],
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

/// Thousandths of a euro per whole coin, at one moment.
pub(super) type Prices = [u128; COINS.len()];

/// Converts atoms of `from` to atoms of `to` of equal value, rounded down.
pub(super) fn value(prices: Prices, atoms: u128, from: usize, to: usize) -> u128 {
    let (mut up, mut down) = (prices[from], prices[to]);
    let (from, to) = (&COINS[from], &COINS[to]);
    if to.decimals > from.decimals {
        up *= 10_u128.pow(to.decimals - from.decimals);
    } else {
        down *= 10_u128.pow(from.decimals - to.decimals);
    }
    atoms * up / down
}
