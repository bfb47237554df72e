//! The fee of everything that leaves: withdrawals and refunds.

use std::collections::BTreeMap;

use checkout_core::{Amount, Currency, Network, Pair};

use crate::ledger::limits;

/// The fees of pairs now.
pub type Fees = BTreeMap<(Currency, Network), Amount>;

/// The margin is this part of what the network asks.
const MARGIN: u128 = 4;

/// At least the fixed fee of the pair; more if its network asks more now, with a margin for what it asks until it is signed.
pub fn fee(pair: &Pair, asked: Amount) -> Amount {
    let with_margin = asked.atoms().saturating_add(asked.atoms().div_ceil(MARGIN));
    limits::of(pair).fee.max(Amount::from_atoms(with_margin).unwrap_or(Amount::MAX))
}

/// The fixed fee if no other is known.
pub fn fee_now(pair: &Pair, fees: &Fees) -> Amount {
    fees.get(&(pair.currency, pair.network)).copied().unwrap_or_else(|| fee(pair, Amount::ZERO))
}

#[cfg(test)]
mod tests {
    use checkout_core::pair;

    use super::*;

    #[test]
    fn the_table_or_the_network_with_a_margin() {
        let check = |(currency, network), asked: &str, expected: &str| {
            let pair = pair::find(currency, network).unwrap();
            let parse = |text| Amount::parse(text, pair.decimals).unwrap();
            let fee = fee(pair, parse(asked));
            assert_eq!(fee.to_text(pair.decimals), expected, "{currency} {asked}");
        };
        let (btc, usdt) = ((Currency::Btc, Network::Btc), (Currency::Usdt, Network::Trx));
        check(usdt, "0", "1");
        check(usdt, "0.8", "1");
        check(usdt, "0.800001", "1.000002");
        check(usdt, "25", "31.25");
        check(btc, "0", "0.00003");
        check(btc, "0.00003", "0.0000375");
        check(btc, "0.00004001", "0.00005002");
        let pair = pair::find(Currency::Usdt, Network::Trx).unwrap();
        assert_eq!(fee(pair, Amount::MAX), Amount::MAX);
    }
}
