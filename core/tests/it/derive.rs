//! Published keys and their addresses.

use crypto_checkout_core::Network;
use crypto_checkout_core::address::TestNetwork;
use crypto_checkout_core::derive::{deposit_address, key_hash_address};

fn bytes<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).unwrap();
    bytes
}

/// The generator of secp256k1: the public key of private key 1 (SEC 2, section 2.4.1).
const X: &str = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const Y: &str = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";

#[track_caller]
fn check(network: Network, x: &str, y: &str, expected: Option<&str>) {
    let parity = if y.ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f']) { "03" } else { "02" };
    let address = deposit_address(network, &bytes(&format!("{parity}{x}")), &bytes(&format!("04{x}{y}")));
    assert_eq!(address.map(|address| address.to_string()).as_deref(), expected, "{network}");
}

#[test]
fn the_generator_has_its_well_known_addresses() {
    // BIP-173's example is the key's witness program.
    check(Network::Btc, X, Y, Some("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"));
    check(Network::Ltc, X, Y, Some("ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9"));
    check(Network::Bch, X, Y, Some("bitcoincash:qp63uahgrxged4z5jswyt5dn5v3lzsem6cy4spdc2h"));
    check(Network::Doge, X, Y, Some("DFpN6QqFfUm3gKNaxN6tNcab1FArL9cZLE"));
    check(Network::Eth, X, Y, Some("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"));
    check(Network::Bsc, X, Y, Some("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"));
    check(Network::Trx, X, Y, Some("TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"));
}

/// The published wallet addresses of the phrase `abandon … about` without a passphrase, and their keys.
#[test]
fn the_abandon_about_phrase_has_its_published_addresses() {
    let (x, y) = KEYS[0]; // BIP-84, test vectors: m/84'/0'/0'/0/0
    check(Network::Btc, x, y, Some("bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"));
    let (x, y) = KEYS[1]; // m/84'/0'/0'/0/1
    check(Network::Btc, x, y, Some("bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g"));
    let (x, y) = KEYS[2]; // m/84'/0'/0'/1/0
    check(Network::Btc, x, y, Some("bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el"));
    let (x, y) = KEYS[3]; // m/84'/2'/0'/0/0
    check(Network::Ltc, x, y, Some("ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh"));
    let (x, y) = KEYS[4]; // m/44'/145'/0'/0/0
    check(Network::Bch, x, y, Some("bitcoincash:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnq5tahq3q6"));
    let (x, y) = KEYS[5]; // m/44'/60'/0'/0/0
    check(Network::Eth, x, y, Some("0x9858EfFD232B4033E47d90003D41EC34EcaEda94"));
    for network in Network::Eth.spec().shared_accounts {
        check(*network, x, y, Some("0x9858EfFD232B4033E47d90003D41EC34EcaEda94"));
    }
    let (x, y) = KEYS[6]; // m/44'/195'/0'/0/0
    check(Network::Trx, x, y, Some("TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH"));
    let (x, y) = KEYS[7]; // m/44'/3'/0'/0/0
    check(Network::Doge, x, y, Some("DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC"));
}

#[test]
fn networks_with_tags_derive_no_addresses() {
    check(Network::Xrp, X, Y, None);
    check(Network::Xlm, X, Y, None);
}

#[test]
fn two_forms_of_different_keys_derive_nothing() {
    let even = format!("02{X}");
    let whole = format!("04{X}{Y}");
    let other = format!("04{}{}", KEYS[0].0, KEYS[0].1);
    let hybrid = format!("06{X}{Y}");
    for network in Network::ALL.iter().copied() {
        for (compressed, uncompressed) in [(&format!("03{X}"), &whole), (&even, &other), (&even, &hybrid)] {
            assert_eq!(deposit_address(network, &bytes(compressed), &bytes(uncompressed)), None);
        }
    }
}

const KEYS: [(&str, &str); 8] = [
    (
        "30d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c",
        "04717159ce0828a7f686c2c7510b7aa7d4c685ebc2051642ccbebc7099e2f679",
    ),
    (
        "e775fd51f0dfb8cd865d9ff1cca2a158cf651fe997fdc9fee9c1d3b5e995ea77",
        "54df6ddb4530113378e5dbaf9a709367b29778646ec63c3ea284d4c928e43eaf",
    ),
    (
        "025324888e429ab8e3dbaf1f7802648b9cd01e9b418485c5fa4c1b9b5700e1a6",
        "4181f3bdfdbcb59e063badaba3919b897158dcb26b48ad46bc57955c5e61d2d5",
    ),
    (
        "e49c9b9b5d0f127235dc26a0c252814c52fb333d651a946773f59d72c2da9904",
        "c6297814a09a7847dc0ece88f496e608f7b3c67eff9d9d44f473da6c3a5a2432",
    ),
    (
        "bbe7dbcdf8b2261530a867df7180b17a90b482f74f2736b8a30d3f756e42e217",
        "63724c87b902a8d32187018862cd5c8ca35ec23c87f87b42bf906bbeb790bb06",
    ),
    (
        "37b0bb7a8288d38ed49a524b5dc98cff3eb5ca824c9f9dc0dfdb3d9cd600f299",
        "a6179912b7451c09896c4098eca7ce6b2e58330672795e847c4d6af44e024230",
    ),
    (
        "ff21f8e64d3a3c0198edfbb7afdc79be959432e92e2f8a1984bb436a414b8edc",
        "ec0345aad0c1bf7da04fd036dd7f9f617e30669224283d950fab9dd84831dc83",
    ),
    (
        "cc6b0dc33aabcf3a23643e5e2919a80c50fb3dd2129ce409bbc5f0d4643d05e0",
        "ef6096bd24259fb59a4338413d1b542eed17d4cce52709e6ec18ec51bb87b164",
    ),
];

#[test]
fn a_key_has_legacy_addresses_in_the_bitcoin_family() {
    let check = |network, test, expected: Option<&str>| {
        let address = key_hash_address(network, test, &bytes(&format!("02{X}")));
        assert_eq!(address.map(|address| address.to_string()).as_deref(), expected, "{network}");
    };
    check(Network::Btc, None, Some("1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH"));
    check(Network::Ltc, None, Some("LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnJ"));
    check(Network::Bch, None, Some("bitcoincash:qp63uahgrxged4z5jswyt5dn5v3lzsem6cy4spdc2h"));
    let test = Some(TestNetwork::Testnet);
    check(Network::Btc, test, Some("mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r"));
    check(Network::Eth, None, None);
    check(Network::Trx, None, None);
}
