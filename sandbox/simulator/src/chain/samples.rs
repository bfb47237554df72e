//! Realistic sample data for simulated transfers.

use checkout_core::Network;

/// Returns a transaction id in the network's format.
pub fn transaction_id(network: Network, random: [u8; 32]) -> String {
    network.spec().transaction_id.write(&hex::encode(random))
}

/// The default sender: a published example address of the network.
pub fn sender(network: Network) -> &'static str {
    network.spec().example
}

/// The sender's fee, in the network's coin.
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
