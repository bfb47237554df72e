//! Reads pasted links, and addresses with something after them. A recipient is returned only if account, tag and network are clear.

use alloc::string::String;

use super::blanks::is_blank;
use super::recipient::Recipient;
use super::rules::{self, accept};
use super::secret::is_secret;
use crate::address::{Address, AddressError, Options, Reason};
use crate::chain::ChainSpec;
use crate::encoding::percent;
use crate::network::{MemoType, Network, TagRule};
use crate::uri::names::{self, Named};
use crate::uri::parameters::{Meaning, meaning};

/// `None` if the text is not one of these. Only with the contract of a token has a call of it a recipient.
#[cold]
pub(super) fn read(
    spec: &ChainSpec,
    contract: Option<&str>,
    text: &str,
    options: &Options,
) -> Option<Result<Recipient, AddressError>> {
    let pasted = Pasted { spec, contract, options };
    let Some((scheme, rest)) = pasted.scheme(text) else {
        let (account, tail) = pasted.account(text);
        let Some(address) = pasted.accept(account) else {
            return pasted.mistyped(account).filter(|_| tail.starts_with('?'));
        };
        return match pasted.chain_id(None, tail) {
            Ok(tail) => pasted.tail(address, tail),
            Err(error) => Some(Err(error)),
        };
    };
    pasted.link(scheme, rest)
}

struct Pasted<'a> {
    spec: &'a ChainSpec,
    contract: Option<&'a str>,
    options: &'a Options,
}

impl Pasted<'_> {
    fn accept(&self, account: &str) -> Option<Address> {
        accept(self.spec, account, self.options).ok()
    }

    /// Of an account whose form is that of the network.
    fn mistyped(&self, account: &str) -> Option<Result<Recipient, AddressError>> {
        let error = rules::read(self.spec.network, account).err()?;
        (error.reason == Reason::BadChecksum).then_some(Err(error.reason.into()))
    }

    /// The letters and digits at the start, and the rest. Addresses of TON have two other characters.
    fn account<'a>(&self, text: &'a str) -> (&'a str, &'a str) {
        let is_digit = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
        let longest = text.split_at(text.find(|character| !is_digit(character)).unwrap_or(text.len()));
        if self.accept(longest.0).is_some() { longest } else { account(text) }
    }

    /// The scheme, and what follows it. An address before a colon is none.
    fn scheme<'a>(&self, text: &'a str) -> Option<(&'a str, &'a str)> {
        for (start, scheme) in names::WALLET_LINKS {
            if let Some(rest) = text.strip_prefix(start) {
                return Some((scheme, rest));
            }
        }
        let (scheme, rest) = text.split_once(':')?;
        let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        (is_scheme && self.accept(scheme).is_none()).then_some((scheme, rest))
    }

    fn link(&self, scheme: &str, rest: &str) -> Option<Result<Recipient, AddressError>> {
        let is = |name: &str| scheme.eq_ignore_ascii_case(name);
        if is("https") || is("http") {
            return Some(Err(Reason::UriLike.into()));
        }
        let rest = rest.strip_prefix("//").unwrap_or(rest);
        let owner = match names::by_scheme(scheme) {
            Some(Named::Network(network)) => network.spec(),
            _ => self.spec,
        };
        let caip = rest.split_once(':').filter(|parts| accept(owner, parts.0, self.options).is_err());
        let caip = caip.and_then(|(reference, rest)| Some((names::by_reference(scheme, reference)?, rest)));
        let (named, rest) = match caip {
            Some((named, rest)) => (Some(named), rest),
            None => (names::by_scheme(scheme), rest),
        };
        let is_ethereum = is(names::ETHEREUM);
        let rest = if is_ethereum { rest.strip_prefix("pay-").unwrap_or(rest) } else { rest };
        let (account, tail) = self.account(rest);
        // An address of Sui is written as a bare key is.
        let is_address = |network: Network| rules::read(network, account).is_ok();
        if is_secret(account) && !is_address(self.spec.network) && !is_address(owner.network) {
            return Some(Err(Reason::Secret.into()));
        }
        let Some(named) = named else {
            return self.accept(account).map(|_| Err(Reason::UriLike.into()));
        };
        let tail = match self.chain_id(Some((named, is_ethereum)), tail) {
            Ok(tail) => tail,
            Err(error) => return Some(Err(error)),
        };
        if is(names::SEP_7) {
            let tail = tail.strip_prefix('?').filter(|_| account == "pay");
            return Some(tail.map_or(Err(Reason::UriLike.into()), |tail| self.parameters(None, tail)));
        }
        // ERC-681: the recipient is a parameter.
        if let Some(call) = tail.strip_prefix("/transfer?")
            && self.contract.is_some_and(|contract| contract.eq_ignore_ascii_case(account))
        {
            return Some(self.parameters(None, call));
        }
        match self.accept(account) {
            Some(address) => Some(self.tail(address, tail).unwrap_or(Err(Reason::UriLike.into()))),
            None if account.is_empty() && tail.starts_with('?') => Some(Err(Reason::UriLike.into())),
            None => self.mistyped(account),
        }
    }

    /// Refuses another network than this one, by the scheme and the chain id. A chain id is more exact than `ethereum:`.
    fn chain_id<'a>(&self, scheme: Option<(Named, bool)>, tail: &'a str) -> Result<&'a str, AddressError> {
        let is_evm = |network: Network| network.spec().chain_id().is_some();
        let of_scheme = scheme.map(|scheme| scheme.0);
        let has_ids = match of_scheme {
            Some(Named::Network(network)) => is_evm(network),
            _ => is_evm(self.spec.network),
        };
        let (named, tail) = match tail.strip_prefix('@').filter(|_| has_ids) {
            None => (of_scheme, tail),
            Some(rest) => {
                let (id, rest) = account(rest);
                let named = names::by_chain_id(id).ok_or(Reason::UriLike)?;
                if scheme.is_some_and(|(of_scheme, is_ethereum)| of_scheme != named && !is_ethereum) {
                    return Err(Reason::UriLike.into());
                }
                (Some(named), rest)
            }
        };
        let looks_like = match named {
            None => return Ok(tail),
            Some(Named::Network(network)) if network == self.spec.network => return Ok(tail),
            Some(Named::Network(network)) => Some(network),
            Some(Named::Other) => None,
        };
        Err(AddressError { looks_like, ..Reason::WrongNetwork.into() })
    }

    /// What follows an address. `None` if it says nothing.
    fn tail(&self, address: Address, tail: &str) -> Option<Result<Recipient, AddressError>> {
        let may_be_tag = |character: char| character.is_ascii_alphanumeric() || !character.is_ascii();
        match tail.chars().next() {
            None => Some(Ok(Recipient::of(address))),
            Some('?' | '&' | ';') => Some(self.parameters(Some(address), tail)),
            Some(_) if self.spec.tag != TagRule::None && tail.contains(may_be_tag) => {
                Some(Err(self.unclear()))
            }
            Some('@' | '/' | '#') => Some(Err(self.unclear())),
            Some(_) => None,
        }
    }

    /// Where anything unknown may be a tag, the tag belongs into its own field.
    fn unclear(&self) -> AddressError {
        match self.spec.tag {
            TagRule::None => Reason::UriLike.into(),
            _ => Reason::TagInside.into(),
        }
    }

    /// `&amp;` and a second `?` are read as separators.
    fn parameters(&self, mut address: Option<Address>, text: &str) -> Result<Recipient, AddressError> {
        // SEP-7: without a type, the memo is a text.
        let mut memo_type = None;
        let untyped = if address.is_none() { Some(MemoType::Text) } else { None };
        let mut tag = None;
        for pair in text.split(['?', '&', ';']).filter(|pair| !matches!(*pair, "" | "amp")) {
            if pair.contains(|character| character == '#' || is_blank(character)) {
                return Err(self.unclear());
            }
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let decode = |text| percent::decode(text).ok_or_else(|| self.unclear());
            let (key, plain) = (decode(key)?, decode(value)?);
            if is_secret(&plain) {
                return Err(Reason::Secret.into());
            }
            let meant = meaning(self.spec.link, &key, &plain).ok_or_else(|| self.unclear())?;
            let is_new = match meant {
                Meaning::Harmless => true,
                Meaning::Destination => {
                    let destination = self.accept(&plain).ok_or_else(|| self.unclear())?;
                    address.replace(destination).is_none()
                }
                Meaning::MemoType => memo_type.replace(self.memo_type(&plain)?).is_none(),
                Meaning::Tag => tag.replace(self.tag_text(value, plain)?).is_none(),
            };
            if !is_new {
                return Err(self.unclear());
            }
        }
        let address = address.ok_or(Reason::UriLike)?;
        match tag {
            Some(tag) => Ok(Recipient::with(address, &tag, memo_type.or(untyped), self.options)?),
            None if memo_type.is_some() => Err(self.unclear()),
            None => Ok(Recipient::of(address)),
        }
    }

    fn memo_type(&self, text: &str) -> Result<MemoType, AddressError> {
        let name = text.to_ascii_lowercase();
        name.strip_prefix("memo_").unwrap_or(&name).parse().map_err(|_| self.unclear())
    }

    /// A text that a field keeps. `+` is a blank in some links.
    fn tag_text(&self, encoded: &str, text: String) -> Result<String, AddressError> {
        let is_kept = !text.is_empty()
            && !encoded.contains('+')
            && !text.starts_with(is_blank)
            && !text.ends_with(is_blank)
            && !text.contains(char::is_control);
        if is_kept { Ok(text) } else { Err(self.unclear()) }
    }
}

/// The letters and digits at the start, and the rest.
fn account(text: &str) -> (&str, &str) {
    text.split_at(text.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(text.len()))
}
