//! What looks real about simulated transfers.

use checkout_core::Network;

use crate::domain::access::token::hex;

/// A transaction id in the form of the network.
pub(super) fn transaction_id(network: Network, random: [u8; 32]) -> String {
    let id = hex(&random);
    match network {
        Network::Eth | Network::Bsc => format!("0x{id}"),
        Network::Xrp => id.to_ascii_uppercase(),
        _ => id,
    }
}

/// Who sends when the request does not say: published examples of each format.
pub(super) fn sender(network: Network) -> &'static str {
    match network {
        Network::Btc => "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", // BIP-173
        Network::Bch => "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", // CashAddr specification
        Network::Ltc => "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9", // the program of BIP-173
        Network::Eth | Network::Bsc => "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", // EIP-55
        Network::Trx => "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC",
        Network::Xrp => "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", // XLS-5
        Network::Xlm => "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ", // SEP-23
    }
}

/// The sender's cost, in the network's own coin.
pub(super) fn fee(network: Network) -> &'static str {
    match network {
        Network::Btc => "0.0000141",
        Network::Bch => "0.00000226",
        Network::Ltc => "0.0000282",
        Network::Eth => "0.00042",
        Network::Bsc => "0.000063",
        Network::Trx => "13.5",
        Network::Xrp => "0.000012",
        Network::Xlm => "0.00001",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_core::address::Address;
    use checkout_core::network::NETWORKS;

    #[test]
    fn senders_are_addresses_of_their_network() {
        for row in &NETWORKS {
            assert_eq!(
                Address::parse(row.network, sender(row.network)).unwrap().to_string(),
                sender(row.network)
            );
        }
    }
}
