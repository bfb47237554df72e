//! Payment URIs for QR codes and links: writers and a reader per network.
//!
//! Addresses must be in the normal form of [`Address`]; tags are as [`Tag::parse`] returned them for the
//! network, because the text of a Stellar memo does not show its type; amounts are in the pair's atomic
//! units.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::address::{Address, AddressError};
use crate::chain::{self, PaymentLink};
use crate::money::{Amount, AmountError};
use crate::pair::Pair;
use crate::tag::{self, Tag, TagError};

mod bip321;
mod erc681;
mod forms;
mod metamask;
pub(crate) mod names;
pub(crate) mod parameters;
mod sep7;
mod trust;
mod xrpl;

use forms::{Code, Forms, Link};

/// The parts of a payment URI.
struct Request<'a> {
    pair: &'a Pair,
    address: &'a str,
    tag: Option<&'a Tag>,
    amount: Option<Amount>,
}

impl Request<'_> {
    fn standard(&self) -> PaymentLink {
        chain::spec(self.pair.network).link
    }

    fn forms(&self) -> Forms {
        Forms::of(self.standard(), self.pair.contract.is_some())
    }

    /// The amount in whole coins.
    fn decimal(&self) -> Option<String> {
        self.amount.map(|amount| amount.to_text(self.pair.decimals))
    }

    /// The amount in atomic units.
    fn atoms(&self) -> Option<String> {
        self.amount.map(|amount| amount.atoms().to_string())
    }
}

fn request<'a>(
    pair: &'a Pair,
    address: &'a str,
    tag: Option<&'a Tag>,
    amount: Option<Amount>,
) -> Request<'a> {
    Request { pair, address, tag, amount }
}

/// The payment URI for wallets; without an amount if none is given.
///
/// A network without a URI standard, such as TRON or Cosmos, has the plain address: show its memo beside it.
///
/// ```
/// use crypto_checkout_core::{Amount, Currency, Network, Pair, uri};
///
/// let pair = Pair::find(Currency::Btc, Network::Btc).unwrap();
/// let amount = Amount::parse("0.0005", pair.decimals).ok();
/// assert_eq!(
///     uri::payment_uri(pair, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", None, amount),
///     "bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.0005",
/// );
/// ```
pub fn payment_uri(pair: &Pair, address: &str, tag: Option<&Tag>, amount: Option<Amount>) -> String {
    write(&request(pair, address, tag, amount))
}

fn write(request: &Request<'_>) -> String {
    match request.standard() {
        PaymentLink::Bip321 { scheme, .. } => bip321::write(scheme, request.address, request),
        PaymentLink::Erc681 { chain_id, .. } => erc681::write(chain_id, request),
        PaymentLink::Tron { .. } | PaymentLink::Plain => request.address.to_string(),
        PaymentLink::Xrpl => xrpl::write(request),
        PaymentLink::Sep7 => sep7::write(request),
    }
}

/// The default content of the QR code: the payment URI if wallets support it reliably, otherwise the address.
///
/// For a token it is the address, because a wallet that ignores the token call would pay to the contract.
pub fn default_qr(pair: &Pair, address: &str, tag: Option<&Tag>, amount: Amount) -> String {
    let request = request(pair, address, tag, Some(amount));
    match (request.forms().code, request.standard()) {
        (Code::Address, _) => address.to_string(),
        (Code::Uri, PaymentLink::Bip321 { scheme, capitals }) => {
            bip321::default_qr(scheme, capitals, &request)
        }
        (Code::Uri, _) => write(&request),
    }
}

/// The QR code without the amount; with the tag, if there is one.
pub fn address_only(pair: &Pair, address: &str, tag: Option<&Tag>) -> String {
    let request = request(pair, address, tag, None);
    match request.standard() {
        PaymentLink::Xrpl => tag::join(address, tag.map(Tag::to_string).as_deref()),
        // Only the URI can carry the memo.
        PaymentLink::Sep7 if tag.is_some() => sep7::write(&request),
        _ => address.to_string(),
    }
}

/// A link that opens a wallet on this device with the whole payment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WalletLink {
    /// The only wallet that it opens; `None` if it opens every wallet that has registered its scheme.
    pub wallet: Option<&'static str>,
    pub url: String,
}

/// The links that open a wallet on this device, the most usual wallet first.
///
/// No wallet reads them as a payment to a token's contract: a link with a token's call names the only wallet that it opens.
pub fn wallet_links(pair: &Pair, address: &str, tag: Option<&Tag>, amount: Amount) -> Vec<WalletLink> {
    let request = request(pair, address, tag, Some(amount));
    let links = request.forms().links.into_iter();
    let written = links.map(|link| WalletLink {
        wallet: link.wallet(),
        url: match link {
            Link::Scheme => write(&request),
            Link::MetaMask(chain_id) => metamask::write(chain_id, &request),
            Link::Trust(coin) => trust::write(coin, &request),
            Link::Xaman => xrpl::xaman_link(&request),
        },
    });
    written.collect()
}

/// The content of a payment URI.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Payment {
    pub address: Address,
    pub tag: Option<Tag>,
    pub amount: Option<Amount>,
}

/// Parses any form that this module writes for the pair.
pub fn read(pair: &Pair, text: &str) -> Result<Payment, UriError> {
    if text.len() > LONGEST {
        return Err(UriError::TooLong);
    }
    match chain::spec(pair.network).link {
        PaymentLink::Bip321 { scheme, .. } => bip321::read(scheme, pair, text),
        PaymentLink::Erc681 { chain_id, trust, .. } => {
            let named = trust::read(trust, pair, text).or_else(|| metamask::read(chain_id, pair, text));
            named.unwrap_or_else(|| erc681::read(chain_id, pair, text))
        }
        PaymentLink::Tron { trust, .. } => {
            trust::read(trust, pair, text).unwrap_or_else(|| plain(pair, text))
        }
        PaymentLink::Plain => plain(pair, text),
        PaymentLink::Xrpl => xrpl::read(pair, text),
        PaymentLink::Sep7 => sep7::read(pair, text),
    }
}

fn plain(pair: &Pair, text: &str) -> Result<Payment, UriError> {
    Ok(Payment { address: Address::parse(pair.network, text)?, tag: None, amount: None })
}

/// The longest URI; longer texts are refused unread.
const LONGEST: usize = 1024;

/// Why a text is not a payment URI of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UriError {
    TooLong,
    /// Not in the form of this network.
    Form,
    /// For another asset, contract or network.
    WrongAsset,
    /// A repeated parameter.
    Duplicate,
    /// An unknown parameter that must be understood (`req-…`).
    Required,
    Address(AddressError),
    Tag(TagError),
    Amount(AmountError),
}

impl fmt::Display for UriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => f.write_str("this is longer than any payment link"),
            Self::Form => f.write_str("this is not a payment link of this network"),
            Self::WrongAsset => f.write_str("this is a payment link of another asset"),
            Self::Duplicate => f.write_str("a parameter of the payment link is repeated"),
            Self::Required => f.write_str("the payment link requires an unsupported parameter"),
            Self::Address(error) => error.fmt(f),
            Self::Tag(error) => error.fmt(f),
            Self::Amount(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for UriError {}

impl From<AddressError> for UriError {
    fn from(error: AddressError) -> Self {
        Self::Address(error)
    }
}

impl From<TagError> for UriError {
    fn from(error: TagError) -> Self {
        Self::Tag(error)
    }
}

impl From<AmountError> for UriError {
    fn from(error: AmountError) -> Self {
        Self::Amount(error)
    }
}

/// Stores a parameter that may occur once.
fn once<T>(place: &mut Option<T>, value: T) -> Result<(), UriError> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(UriError::Duplicate),
    }
}

/// The part after `scheme` and its colon, in either letter case.
fn strip_scheme<'a>(text: &'a str, scheme: &str) -> Option<&'a str> {
    let (head, rest) = text.split_once(':')?;
    head.eq_ignore_ascii_case(scheme).then_some(rest)
}
