//! Realistic sample data for simulated transfers.

use checkout_core::{Network, derive};

/// Returns a transaction id in the network's format.
pub fn transaction_id(network: Network, random: [u8; 32]) -> String {
    network.spec().transaction_id.write(&hex::encode(random))
}

/// The default sender: a published example address of the network.
pub fn sender(network: Network) -> &'static str {
    network.spec().example
}

/// The account that sends payouts: that of the private key 2, on XLM that of RFC 8032's first test.
pub fn payout_account(network: Network) -> String {
    let (mut compressed, mut uncompressed) = ([2; 33], [0; 65]);
    hex::decode_to_slice(PUBLIC_KEY, &mut uncompressed).expect("65 bytes");
    compressed[1..].copy_from_slice(&uncompressed[1..33]);
    match (derive::deposit_address(network, &compressed, &uncompressed), network) {
        (Some(account), _) => account.to_string(),
        (None, Network::Xrp) => "rcM6pp3HTU5AS3Z122kH3w3AzerJRnZ1P".to_owned(),
        (None, _) => "GDLVVGABQKYQVN6VJP7NHSLEA45A5YLS6PNKMIZFV4BBU2HXA5IRVHUR".to_owned(),
    }
}

/// Of the private key 2 on secp256k1, uncompressed.
const PUBLIC_KEY: &str = "04c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5\
    1ae168fea63dc339a3c58419466ceaeef7f632653266d0e1236431a950cfe52a";

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

    #[test]
    fn payouts_leave_from_another_account() {
        for row in CHAINS {
            let account = payout_account(row.network);
            let parsed = Address::parse(row.network, &account);
            assert_eq!(parsed.unwrap().to_string(), account);
            assert_ne!(account, sender(row.network));
        }
    }
}
