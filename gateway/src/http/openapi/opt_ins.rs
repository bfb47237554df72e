//! The codes of the networks that the operator configured beyond the interface, in the enumerations of the document.

use checkout_core::currency::EVERY_CURRENCY;
use checkout_domain::chain::opt_ins::OptIns;
use serde_json::Value;

pub(super) fn add(document: &mut Value, opt_ins: &OptIns) {
    let currencies = EVERY_CURRENCY.iter().filter(|row| row.opt_in && opt_ins.has_currency(row.currency));
    let currencies: Vec<&str> = currencies.map(|row| row.code).collect();
    let networks = opt_ins.networks().iter().map(|network| network.code()).collect();
    for (schema, codes) in [("Network", &networks), ("Currency", &currencies), ("Asset", &currencies)] {
        if let Some(known) = document["components"]["schemas"][schema]["enum"].as_array_mut() {
            known.extend(codes.iter().map(|code| Value::from(*code)));
        }
    }
}
