//! Where a request comes from, and whom the merchant's own proxy says it is.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use checkout_domain::access::operator::Name;

use super::{Desk, Proxy};
use crate::http::middleware::limit::{forwarded, network_of};

/// The sender of a request.
pub(super) struct Sender {
    pub(super) desk: Arc<Desk>,
    pub(super) client: IpAddr,
    /// Named by a trusted proxy.
    pub(super) named: Option<Name>,
}

impl<S: Send + Sync> FromRequestParts<S> for Sender {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}

impl Sender {
    pub(super) fn of(parts: &Parts) -> Self {
        let desk = parts.extensions.get::<Arc<Desk>>().cloned().expect("a layer adds the desk");
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip().to_canonical());
        let proxy = desk.operators.as_ref().and_then(|operators| operators.settings.proxy.as_ref());
        let proxy = proxy.filter(|proxy| proxy.addresses.contains(&peer));
        let client = proxy.and_then(|_| forwarded(&parts.headers, 1)).unwrap_or(peer);
        let named = proxy.and_then(|proxy| name(proxy, parts));
        Self { desk, client: network_of(client), named }
    }
}

/// Nobody if the header is there twice: one of them is somebody else's.
fn name(proxy: &Proxy, parts: &Parts) -> Option<Name> {
    let mut lines = parts.headers.get_all(&proxy.header).iter();
    let line = lines.next().filter(|_| lines.next().is_none())?;
    line.to_str().ok()?.trim().parse().ok()
}
