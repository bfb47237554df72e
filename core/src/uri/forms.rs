//! Which wallets read which form: what a QR code and a link may be, for each kind of asset.

use crate::chain::PaymentLink;

/// The forms for an asset.
pub(super) struct Forms {
    /// May be read by any scanner.
    pub(super) code: Code,
    /// Opens a wallet on this device.
    pub(super) link: Link,
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
    /// Trust Wallet alone; the text is its id of the network's coin.
    Trust(&'static str),
    /// Xaman alone.
    Xaman,
}

impl Forms {
    /// A wallet that has registered `ethereum:` and ignores the function of ERC-681 pays to the token's contract
    /// (<https://github.com/MyEtherWallet/MyEtherWallet/issues/3056>), so that no token has that form.
    pub(super) fn of(standard: PaymentLink, is_token: bool) -> Self {
        let (code, link) = match (standard, is_token) {
            (PaymentLink::Bip321 { .. } | PaymentLink::Sep7, _) | (PaymentLink::Erc681 { .. }, false) => {
                (Code::Uri, Link::Scheme)
            }
            (PaymentLink::Erc681 { trust, .. } | PaymentLink::Tron { trust }, _) => {
                (Code::Address, Link::Trust(trust))
            }
            (PaymentLink::Xrpl, _) => (Code::Uri, Link::Xaman),
        };
        Self { code, link }
    }
}

impl Link {
    /// The name of the only wallet that reads it.
    pub(super) fn wallet(&self) -> Option<&'static str> {
        match self {
            Self::Scheme => None,
            Self::Trust(_) => Some("Trust Wallet"),
            Self::Xaman => Some("Xaman"),
        }
    }
}
