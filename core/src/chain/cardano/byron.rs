//! Addresses from before Shelley: `[24(bytes), crc32]` around `[root, attributes, type]`.
//!
//! The payload is the root, on a test network its four bytes, and the encrypted derivation path of `DdzFF…`.

use core::fmt;

use super::HASH;
use crate::address::{Address, AddressError, Kind, Payload, Reason, TestNetwork};
use crate::encoding::base58::{self, LONGER_CAPACITY};
use crate::network::Network;

/// A path of two numbers has 28 bytes; its encoding may be shorter.
const LONGEST_PATH: usize = 34;
const MAGIC: usize = 4;

pub(super) fn parse(text: &str) -> Result<Address, AddressError> {
    if !text.starts_with(|first: char| first.is_ascii_alphanumeric()) || text.len() < 50 {
        return Err(Reason::Unrecognized.into());
    }
    let mut buffer = [0; LONGER_CAPACITY];
    let bytes = base58::decode_long(text.as_bytes(), &base58::BITCOIN, &mut buffer)?;
    let mut outer = Cbor(bytes);
    outer.expect(&[ARRAY | 2, 0xd8, 24]).map_err(|_| Reason::Unrecognized)?;
    let body = outer.bytes()?;
    let sum = outer.number(UNSIGNED)?;
    outer.end()?;
    if u64::from(crc32(body)) != sum {
        return Err(Reason::BadChecksum.into());
    }
    let mut inner = Cbor(body);
    inner.expect(&[ARRAY | 3])?;
    let root: &[u8; HASH] = inner.bytes()?.try_into().map_err(|_| Reason::BadLength)?;
    let attributes = inner.attributes()?;
    let version = u8::try_from(inner.number(UNSIGNED)?).map_err(|_| Reason::UndefinedType)?;
    inner.end()?;
    // Keys, scripts (never used) and the keys of vouchers.
    if version > 2 {
        return Err(Reason::UndefinedType.into());
    }
    let mut content = [0; HASH + MAGIC + LONGEST_PATH];
    content[..HASH].copy_from_slice(root);
    let mut length = HASH;
    let magic = attributes.magic.map(u32::to_be_bytes);
    for part in [magic.as_ref().map_or(&[][..], |magic| magic), attributes.path.unwrap_or_default()] {
        let place = content.get_mut(length..length + part.len()).ok_or(Reason::BadLength)?;
        place.copy_from_slice(part);
        length += part.len();
    }
    let payload = Payload::new(&content[..length]).ok_or(Reason::BadLength)?;
    let test_network = magic.map(|_| TestNetwork::Testnet);
    Ok(Address { network: Network::Ada, test_network, kind: Kind::Byron, version, payload, tag: None })
}

pub(super) fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (root, rest) = address.payload().split_at_checked(HASH).ok_or(fmt::Error)?;
    let (magic, path) = rest.split_at(if address.test_network().is_some() { MAGIC } else { 0 });
    let magic = magic.try_into().map(u32::from_be_bytes).ok();
    let mut body = Written::new();
    body.push(&[ARRAY | 3])?;
    body.bytes(root)?;
    body.push(&[MAP + u8::from(!path.is_empty()) + u8::from(magic.is_some())])?;
    if !path.is_empty() {
        let mut inner = Written::new();
        inner.bytes(path)?;
        body.push(&[1])?;
        body.bytes(inner.done())?;
    }
    if let Some(magic) = magic {
        let mut inner = Written::new();
        inner.number(UNSIGNED, magic)?;
        body.push(&[2])?;
        body.bytes(inner.done())?;
    }
    body.number(UNSIGNED, address.version.into())?;
    let mut outer = Written::new();
    outer.push(&[ARRAY | 2, 0xd8, 24])?;
    outer.bytes(body.done())?;
    outer.number(UNSIGNED, crc32(body.done()))?;
    base58::write(outer.done(), &base58::BITCOIN, f)
}

const UNSIGNED: u8 = 0;
const BYTES: u8 = 2 << 5;
const ARRAY: u8 = 4 << 5;
const MAP: u8 = 5 << 5;

struct Attributes<'a> {
    path: Option<&'a [u8]>,
    magic: Option<u32>,
}

/// The rest of a text in [CBOR](https://www.rfc-editor.org/rfc/rfc8949), with each number in its shortest form.
struct Cbor<'a>(&'a [u8]);

impl<'a> Cbor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Reason> {
        let (head, rest) = self.0.split_at_checked(count).ok_or(Reason::BadLength)?;
        self.0 = rest;
        Ok(head)
    }

    fn expect(&mut self, bytes: &[u8]) -> Result<(), Reason> {
        if self.take(bytes.len())? == bytes { Ok(()) } else { Err(Reason::UndefinedType) }
    }

    fn number(&mut self, major: u8) -> Result<u64, Reason> {
        let first = self.take(1)?[0];
        if first & !31 != major {
            return Err(Reason::UndefinedType);
        }
        let (least, count) = match first & 31 {
            short @ 0..=23 => return Ok(short.into()),
            24 => (24, 1),
            25 => (0x100, 2),
            26 => (0x1_0000, 4),
            _ => return Err(Reason::UndefinedType),
        };
        let number = self.take(count)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        if number < least { Err(Reason::ReservedBits) } else { Ok(number) }
    }

    fn bytes(&mut self) -> Result<&'a [u8], Reason> {
        let length = usize::try_from(self.number(BYTES)?).map_err(|_| Reason::BadLength)?;
        self.take(length)
    }

    fn end(&self) -> Result<(), Reason> {
        if self.0.is_empty() { Ok(()) } else { Err(Reason::BadLength) }
    }

    /// In the order of their keys; each is CBOR in bytes.
    fn attributes(&mut self) -> Result<Attributes<'a>, Reason> {
        let mut found = Attributes { path: None, magic: None };
        let mut before = 0;
        for _ in 0..self.number(MAP)? {
            let key = self.number(UNSIGNED)?;
            let mut value = Cbor(self.bytes()?);
            match key {
                _ if key <= before => return Err(Reason::UndefinedType),
                1 => {
                    let path = value.bytes()?;
                    if path.is_empty() || path.len() > LONGEST_PATH {
                        return Err(Reason::BadLength);
                    }
                    found.path = Some(path);
                }
                2 => {
                    let magic = u32::try_from(value.number(UNSIGNED)?).map_err(|_| Reason::UndefinedType)?;
                    found.magic = Some(magic);
                }
                _ => return Err(Reason::UndefinedType),
            }
            value.end()?;
            before = key;
        }
        Ok(found)
    }
}

struct Written {
    bytes: [u8; LONGER_CAPACITY],
    length: usize,
}

impl Written {
    const fn new() -> Self {
        Self { bytes: [0; LONGER_CAPACITY], length: 0 }
    }

    fn done(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    fn push(&mut self, bytes: &[u8]) -> fmt::Result {
        let place = self.bytes.get_mut(self.length..self.length + bytes.len()).ok_or(fmt::Error)?;
        place.copy_from_slice(bytes);
        self.length += bytes.len();
        Ok(())
    }

    fn number(&mut self, major: u8, number: u32) -> fmt::Result {
        let [first, second, third, fourth] = number.to_be_bytes();
        match number {
            0..24 => self.push(&[major | fourth]),
            24..0x100 => self.push(&[major | 0x18, fourth]),
            0x100..0x1_0000 => self.push(&[major | 0x19, third, fourth]),
            _ => self.push(&[major | 0x1a, first, second, third, fourth]),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) -> fmt::Result {
        self.number(BYTES, u32::try_from(bytes.len()).map_err(|_| fmt::Error)?)?;
        self.push(bytes)
    }
}

/// CRC-32 of IEEE 802.3.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| sum >> 1 ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
    })
}
