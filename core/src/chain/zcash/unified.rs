//! The receivers of a unified address ([ZIP-316](https://zips.z.cash/zip-0316), revision 0).
//!
//! Receivers of an unknown type are refused: an address here is written again with all that it has. The payload is the receivers in the order
//! of their types, the version has a bit for each.

use super::jumble::{jumble, unjumble};
use crate::address::{Address, Payload, Reason};

/// Of Sapling and of Orchard.
pub(super) const SHIELDED: usize = 43;

/// Type and length of each.
const RECEIVERS: [[u8; 2]; 4] = [[0, 20], [1, 20], [2, 43], [3, 43]];

const PADDING: usize = 16;

/// A transparent and two shielded receivers.
const LONGEST_PAYLOAD: usize = 20 + 2 * SHIELDED;

pub(super) const LONGEST: usize = LONGEST_PAYLOAD + 3 * 2 + PADDING;

/// The least that is jumbled.
const SHORTEST: usize = 48;

pub(super) fn read(hrp: &str, bytes: &mut [u8]) -> Result<(u8, Payload), Reason> {
    if bytes.len() < SHORTEST {
        return Err(Reason::BadLength);
    }
    unjumble(bytes);
    let (mut rest, end) = bytes.split_last_chunk::<PADDING>().ok_or(Reason::BadLength)?;
    if *end != padding(hrp) {
        return Err(Reason::ReservedBits);
    }
    let mut content = [0; LONGEST_PAYLOAD];
    let (mut version, mut length) = (0, 0);
    for row in RECEIVERS {
        let Some(found) = rest.strip_prefix(&row) else { continue };
        let count = usize::from(row[1]);
        let (receiver, after) = found.split_at_checked(count).ok_or(Reason::BadLength)?;
        content.get_mut(length..length + count).ok_or(Reason::UndefinedType)?.copy_from_slice(receiver);
        (version, length, rest) = (version | 1 << row[0], length + count, after);
    }
    // What is left is of another type or length, twice, or in another order. A unified address has one transparent receiver at most, and
    // others.
    if !rest.is_empty() || version & 3 == 3 || version <= 3 {
        return Err(Reason::UndefinedType);
    }
    Ok((version, Payload::new(&content[..length]).ok_or(Reason::BadLength)?))
}

/// Returns the jumbled bytes.
pub(super) fn write<'a>(hrp: &str, address: &Address, place: &'a mut [u8; LONGEST]) -> Option<&'a [u8]> {
    let mut payload = address.payload();
    let mut length = 0;
    let mut push = |bytes: &[u8]| {
        place.get_mut(length..length + bytes.len())?.copy_from_slice(bytes);
        length += bytes.len();
        Some(())
    };
    for row in RECEIVERS.iter().filter(|row| address.version & 1 << row[0] != 0) {
        let (receiver, rest) = payload.split_at_checked(row[1].into())?;
        push(row)?;
        push(receiver)?;
        payload = rest;
    }
    push(&padding(hrp))?;
    let bytes = place.get_mut(..length)?;
    jumble(bytes);
    Some(bytes)
}

fn padding(hrp: &str) -> [u8; PADDING] {
    core::array::from_fn(|at| hrp.as_bytes().get(at).copied().unwrap_or(0))
}
