//! What looks real about simulated transfers.

use checkout_core::Network;

use checkout_gateway::domain::access::token::hex;

/// A transaction id in the form of the network.
pub fn transaction_id(network: Network, random: [u8; 32]) -> String {
    network.spec().transaction_id.write(&hex(&random))
}

/// Who sends when the request does not say: published examples of each format.
pub fn sender(network: Network) -> &'static str {
    network.spec().example
}

/// The sender's cost, in the network's own coin.
pub fn fee(network: Network) -> &'static str {
    network.spec().sandbox_fee
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_core::address::Address;
    use checkout_core::chain::CHAINS;

    #[test]
    fn senders_are_addresses_of_their_network() {
        for row in CHAINS {
            assert_eq!(
                Address::parse(row.network, sender(row.network)).unwrap().to_string(),
                sender(row.network)
            );
        }
    }
}
