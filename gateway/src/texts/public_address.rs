//! Public IP addresses. Callbacks are sent only to these, so that a merchant's URL cannot reach into the
//! gateway's own network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An IPv4 block.
type V4 = ([u8; 4], u32);

/// IANA's special-purpose registry: blocks that are not globally reachable, 6to4 relays and multicast.
const SPECIAL_V4: [V4; 15] = [
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 4),
    ([240, 0, 0, 0], 4),
];

/// Parts of the global unicast block 2000::/3 that are not globally reachable, or that tunnel to IPv4.
const SPECIAL_V6: [(u128, u32); 4] =
    [(0x2001_0000 << 96, 23), (0x2001_0db8 << 96, 32), (0x2002_0000 << 96, 16), (0x3fff_0000 << 96, 20)];

pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    !SPECIAL_V4.iter().any(|(block, length)| (bits ^ u32::from_be_bytes(*block)) >> (32 - length) == 0)
}

/// Only global unicast; an embedded IPv4 address counts as IPv4.
fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    let bits = address.to_bits();
    if bits >> 32 == 0x0064_ff9b_u128 << 64 {
        let [.., a, b, c, d] = address.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d)); // NAT64, RFC 6052
    }
    let is_global = bits >> 125 == 1;
    is_global && !SPECIAL_V6.iter().any(|(block, length)| (bits ^ block) >> (128 - length) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_and_not() {
        let check = |text: &str, expected: bool| {
            assert_eq!(is_public(text.parse().unwrap()), expected, "{text}");
        };
        for public in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2001:200::1",
            "2a00:1450:4001::8",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
        ] {
            check(public, true);
        }
        for inner in [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.255.255",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "::127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "100::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "3fff::1",
            "4000::1",
        ] {
            check(inner, false);
        }
    }
}
