//! The tables of pairs.

use super::Pair;
use crate::chain::PAIRS_OF_CHAINS;

/// Which pairs a check knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Table {
    /// The pairs of the payment interface (section 2.10), which every gateway of it knows: nine currencies on eight networks.
    Interface,
    /// Every pair that is compiled.
    #[default]
    All,
}

impl Table {
    /// Its pairs, network by network.
    pub fn pairs(self) -> &'static [Pair] {
        match self {
            Self::Interface => PAIRS,
            Self::All => &ALL,
        }
    }

    /// The row of a pair by its exact codes, or `None` if one is unknown or the currency does not exist on that network.
    pub fn by_codes(self, currency: &str, network: &str) -> Option<&'static Pair> {
        let (currency, network) = (currency.parse().ok()?, network.parse().ok()?);
        self.pairs().iter().find(|pair| pair.currency == currency && pair.network == network)
    }
}

/// The pairs of interface section 2.10, network by network: each gateway knows these.
pub static PAIRS: &[Pair] = ALL.split_at(count(INTERFACE)).0;

/// Also the pairs that are opted in, which come after them: those that a gateway can serve.
pub static EVERY_PAIR: &[Pair] = ALL.split_at(count(SERVED)).0;

pub(super) static ALL: [Pair; count(ADDRESS_ONLY)] = all();

/// Who knows a pair, in the order of the table.
const INTERFACE: u8 = 0;
const SERVED: u8 = 1;
const ADDRESS_ONLY: u8 = 2;

const fn rank(pair: &Pair) -> u8 {
    match pair {
        Pair { opt_in: false, .. } => INTERFACE,
        Pair { deposit: false, withdrawal: false, .. } => ADDRESS_ONLY,
        _ => SERVED,
    }
}

/// The number of pairs up to a rank.
const fn count(last: u8) -> usize {
    let (mut count, mut chain) = (0, 0);
    while chain < PAIRS_OF_CHAINS.len() {
        let mut row = 0;
        while row < PAIRS_OF_CHAINS[chain].len() {
            if rank(&PAIRS_OF_CHAINS[chain][row]) <= last {
                count += 1;
            }
            row += 1;
        }
        chain += 1;
    }
    count
}

const fn all() -> [Pair; count(ADDRESS_ONLY)] {
    let mut all = [PAIRS_OF_CHAINS[0][0]; count(ADDRESS_ONLY)];
    let (mut next, mut wanted) = (0, INTERFACE);
    while wanted <= ADDRESS_ONLY {
        let mut chain = 0;
        while chain < PAIRS_OF_CHAINS.len() {
            let mut row = 0;
            while row < PAIRS_OF_CHAINS[chain].len() {
                let pair = PAIRS_OF_CHAINS[chain][row];
                if rank(&pair) == wanted {
                    all[next] = pair;
                    next += 1;
                }
                row += 1;
            }
            chain += 1;
        }
        wanted += 1;
    }
    all
}
