//! `zcash_address`: the content of an address of the main network.

use std::convert::Infallible;

use zcash_address::unified::{self, Container, Encoding, Item, Uitem};
use zcash_address::{ConversionError, TryFromAddress, ZcashAddress};
use zcash_protocol::consensus::NetworkType;

use super::{Found, found};

type Result<T> = std::result::Result<T, ConversionError<Infallible>>;

impl TryFromAddress for Found {
    type Error = Infallible;

    fn try_from_sapling(_: NetworkType, data: [u8; 43]) -> Result<Self> {
        Ok(found("sapling", &data))
    }

    fn try_from_unified(net: NetworkType, data: unified::Address) -> Result<Self> {
        let receivers = data.items_as_parsed().iter().filter_map(|item| match item {
            // Type and length come first.
            Uitem::Data(receiver) => receiver.typed_encoding().get(2..).map(<[u8]>::to_owned),
            Uitem::Metadata(_) => None,
        });
        let payload = receivers.collect::<Vec<_>>().concat();
        Ok(Self { normal: Some(data.encode(&net)), ..found("unified", &payload) })
    }

    fn try_from_transparent_p2pkh(_: NetworkType, data: [u8; 20]) -> Result<Self> {
        Ok(found("p2pkh", &data))
    }

    fn try_from_transparent_p2sh(_: NetworkType, data: [u8; 20]) -> Result<Self> {
        Ok(found("p2sh", &data))
    }

    fn try_from_tex(_: NetworkType, data: [u8; 20]) -> Result<Self> {
        Ok(found("tex", &data))
    }
}

pub(super) fn ask(text: &str) -> Option<Found> {
    let address = ZcashAddress::try_from_encoded(text).ok()?;
    address.convert_if_network(NetworkType::Main).ok()
}
