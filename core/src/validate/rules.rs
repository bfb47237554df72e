//! Rules for all networks: length, options, test networks, burn addresses.

use crate::address::{Address, AddressError, Options, Reason};
use crate::chain::{self, ChainSpec, LONGEST};
use crate::network::Network;

/// Parses an address without explaining a refusal.
pub(super) fn accept(spec: &ChainSpec, text: &str, options: &Options) -> Result<Address, AddressError> {
    let mut result = read(spec.network, text);
    judge(&mut result, text, options);
    result
}

/// Parses by the network's rules alone.
pub(super) fn read(network: Network, text: &str) -> Result<Address, AddressError> {
    match text.len() {
        0 => Err(Reason::Empty.into()),
        1..=LONGEST => chain::parse(network, text),
        _ => Err(Reason::TooLong.into()),
    }
}

/// Applies the options: some refused forms are accepted, some valid ones refused.
pub(super) fn judge(result: &mut Result<Address, AddressError>, text: &str, options: &Options) {
    if let Err(error) = result
        && let Some(address) = error.suggestion.filter(|_| options.pardons(error.reason))
    {
        *result = Ok(address);
    }
    if let Ok(address) = result
        && let Some(reason) = refusal(chain::spec(address.network()), address, text, options)
    {
        *result = Err(match reason {
            Reason::TagInside => AddressError::suggesting(reason, *address),
            _ => reason.into(),
        });
    }
}

/// Returns why a valid address is refused by the common rules.
pub(super) fn refusal(spec: &ChainSpec, address: &Address, text: &str, options: &Options) -> Option<Reason> {
    if let Some(reason) = options.refusal(address.kind()) {
        return Some(reason);
    }
    if address.test_network().is_some() && !options.allow_test_networks {
        return Some(Reason::TestNetwork);
    }
    if is_burned(spec, address.payload()) && !options.allow_burn_addresses {
        return Some(Reason::BurnAddress);
    }
    let unchecked =
        options.refuse_no_checksum && chain::lacks_checksum(spec, text, &chain::normal_form(address, text));
    unchecked.then_some(Reason::NoChecksum)
}

fn is_burned(spec: &ChainSpec, payload: &[u8]) -> bool {
    payload.iter().all(|byte| *byte == 0) || spec.burned.contains(&payload)
}
