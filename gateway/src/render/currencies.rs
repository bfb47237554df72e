//! The core's tables of currencies and networks.

use checkout_core::currency::{CURRENCIES, CurrencySpec, EVERY_CURRENCY};
use checkout_core::network::TagRule;
use checkout_core::pair::EVERY_PAIR;
use checkout_domain::ledger::fee::{Fees, fee_now};
use checkout_domain::ledger::limits;
use checkout_wire::list_currencies::{CurrencyInfo, CurrencyNetwork};

/// Every currency of the interface with its networks.
pub fn list(fees: &Fees) -> Vec<CurrencyInfo> {
    of(CURRENCIES, false, fees)
}

/// The pairs beyond the interface.
pub fn opt_ins() -> Vec<CurrencyInfo> {
    of(EVERY_CURRENCY, true, &Fees::new())
        .into_iter()
        .filter(|currency| !currency.networks.is_empty())
        .collect()
}

fn of(currencies: &[CurrencySpec], opt_in: bool, fees: &Fees) -> Vec<CurrencyInfo> {
    let info = |row: &CurrencySpec| {
        let pairs = EVERY_PAIR.iter().filter(|pair| pair.currency == row.currency && pair.opt_in == opt_in);
        CurrencyInfo {
            currency: row.currency.into(),
            name: row.name.to_owned(),
            networks: pairs.map(|pair| network(pair, fees)).collect(),
        }
    };
    currencies.iter().map(info).collect()
}

fn network(pair: &checkout_core::Pair, fees: &Fees) -> CurrencyNetwork {
    let (spec, limits) = (pair.network.spec(), limits::of(pair));
    let tag = match spec.tag {
        TagRule::None => "NONE",
        TagRule::DestinationTag => "DESTINATION_TAG",
        TagRule::Memo | TagRule::TextMemo => "MEMO",
    };
    CurrencyNetwork {
        network: pair.network.into(),
        name: spec.name.to_owned(),
        deposit: pair.deposit,
        withdrawal: pair.withdrawal,
        decimals: pair.decimals,
        quote_precision: pair.quote_precision,
        tag: tag.to_owned(),
        minimum: limits.minimum.to_text(pair.decimals).into(),
        max_amount: limits.maximum.to_text(pair.decimals).into(),
        withdraw_fee: fee_now(pair, fees).to_text(pair.decimals).into(),
        contract: pair.contract.map(str::to_owned),
    }
}
