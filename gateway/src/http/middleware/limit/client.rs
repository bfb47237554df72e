//! The client's address behind the operator's proxies.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, Request};
use axum::http::HeaderMap;

/// The client's address. With `proxies` trusted proxies, the last one wrote the last entry of
/// `X-Forwarded-For`, the one before it the second last, and so on. Entries further left can be forged.
pub(crate) fn client_address(request: &Request, proxies: usize) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
    network_of(forwarded(request.headers(), proxies).unwrap_or(peer))
}

pub(crate) fn forwarded(headers: &HeaderMap, proxies: usize) -> Option<IpAddr> {
    let lines = headers.get_all("x-forwarded-for").iter().filter_map(|line| line.to_str().ok());
    let entries: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
    let place = entries.len().checked_sub(proxies)?;
    read(entries.get(place)?)
}

/// An address, with or without a port.
fn read(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

/// One IPv6 customer has at least a /64.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    #[test]
    fn from_the_right() {
        let check = |peer: &str, lines: &[&str], proxies, expected: &str| {
            let mut request = Request::builder();
            for line in lines {
                request = request.header("x-forwarded-for", *line);
            }
            let mut request = request.body(Body::empty()).unwrap();
            let peer = SocketAddr::new(peer.parse().unwrap(), 1);
            request.extensions_mut().insert(ConnectInfo(peer));
            let expected: IpAddr = expected.parse().unwrap();
            assert_eq!(client_address(&request, proxies), expected, "{lines:?} {proxies}");
        };
        check("8.8.8.8", &[], 0, "8.8.8.8");
        check("8.8.8.8", &["1.1.1.1"], 0, "8.8.8.8");
        check("10.0.0.1", &["6.6.6.6, 1.1.1.1"], 1, "1.1.1.1");
        check("10.0.0.1", &["6.6.6.6", "1.1.1.1, 10.0.0.2"], 2, "1.1.1.1");
        check("10.0.0.1", &["1.1.1.1"], 2, "10.0.0.1");
        check("10.0.0.1", &["nonsense"], 1, "10.0.0.1");
        check("10.0.0.1", &["1.1.1.1:4711"], 1, "1.1.1.1");
        check("10.0.0.1", &["[2606:4700::1:2:3:4]:4711"], 1, "2606:4700::");
        check("10.0.0.1", &["2606:4700:0:1:2:3:4:5"], 1, "2606:4700:0:1::");
        check("::ffff:8.8.8.8", &[], 0, "8.8.8.8");
    }
}
