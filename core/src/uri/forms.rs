//! Which wallets read which form: what a QR code and a link may be, for each kind of asset.

use alloc::vec;
use alloc::vec::Vec;

use crate::chain::PaymentLink;

/// The forms for an asset.
pub(super) struct Forms {
    /// May be read by any scanner.
    pub(super) code: Code,
    /// Each opens a wallet on this device; the most usual one first.
    pub(super) links: Vec<Link>,
}

pub(super) enum Code {
    Uri,
    /// The plain address, which every wallet reads.
    Address,
}

/// The family of wallets that a link is for.
pub(super) enum Link {
    /// Every wallet that has registered the scheme of the payment URI.
    Scheme,
    /// MetaMask alone; the text is the chain id.
    MetaMask(&'static str),
    /// Trust Wallet alone; the text is its id of the network's coin.
    Trust(&'static str),
    /// Xaman alone.
    Xaman,
}

impl Forms {
    /// A wallet that has registered `ethereum:` and ignores the function of ERC-681 pays to the token's contract
    /// (<https://github.com/MyEtherWallet/MyEtherWallet/issues/3056>), so that no token has that form.
    pub(super) fn of(standard: PaymentLink, is_token: bool) -> Self {
        let (code, links) = match (standard, is_token) {
            (PaymentLink::Bip321 { .. } | PaymentLink::Sep7, _) => (Code::Uri, vec![Link::Scheme]),
            (PaymentLink::Erc681 { chain_id, .. }, false) => {
                (Code::Uri, vec![Link::MetaMask(chain_id), Link::Scheme])
            }
            (PaymentLink::Erc681 { chain_id, trust, .. }, true) => {
                (Code::Address, vec![Link::MetaMask(chain_id), Link::Trust(trust)])
            }
            (PaymentLink::Tron { trust, .. }, _) => (Code::Address, vec![Link::Trust(trust)]),
            (PaymentLink::Plain, _) => (Code::Address, Vec::new()),
            (PaymentLink::Xrpl, _) => (Code::Uri, vec![Link::Xaman]),
        };
        Self { code, links }
    }
}

impl Link {
    /// The name of the only wallet that reads it.
    pub(super) fn wallet(&self) -> Option<&'static str> {
        match self {
            Self::Scheme => None,
            Self::MetaMask(_) => Some("MetaMask"),
            Self::Trust(_) => Some("Trust Wallet"),
            Self::Xaman => Some("Xaman"),
        }
    }
}
