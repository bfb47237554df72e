use crypto_checkout_core::chain::CHAINS;
use crypto_checkout_core::derive::deposit_address;
use crypto_checkout_core::{Address, Network};

/// A change and two coordinates.
pub(crate) fn run(data: &[u8]) {
    let Some((&[place, change], rest)) = data.split_first_chunk::<2>() else { return };
    let Some(point) = rest.first_chunk::<64>() else { return };
    let mut uncompressed = [4; 65];
    uncompressed[1..].copy_from_slice(point);
    let mut compressed = [2 + (point[63] & 1); 33];
    compressed[1..].copy_from_slice(&point[..32]);
    for row in CHAINS {
        let derived = deposit_address(row.network, &compressed, &uncompressed);
        let one_account = matches!(row.network, Network::Xrp | Network::Xlm);
        assert_eq!(derived.is_none(), one_account, "{}", row.code());
        if let Some(address) = derived {
            assert_eq!(Address::parse(row.network, &address.to_string()), Ok(address));
        }
    }
    // Two forms of different keys.
    let mut other = compressed;
    other[usize::from(place) % 33] ^= change;
    if other != compressed {
        for row in CHAINS {
            assert_eq!(deposit_address(row.network, &other, &uncompressed), None);
        }
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    vec![[&[0, 1][..], &[0x5a; 64]].concat(), [&[32, 0x80][..], &[0xa5; 64]].concat()]
}
