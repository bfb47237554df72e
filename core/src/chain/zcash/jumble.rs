//! F4Jumble, which spreads each change over the whole text ([ZIP-316](https://zips.z.cash/zip-0316#jumbling)): four rounds of a
//! Feistel network with BLAKE2b.

use blake2::Blake2bVarCore;
use blake2::digest::Output;
use blake2::digest::block_api::{Buffer, UpdateCore, VariableOutputCore};

/// The longest hash, in bytes.
const BLAKE2B: usize = 64;

pub(super) fn jumble(text: &mut [u8]) {
    let (left, right) = halves(text);
    expand(0, left, right);
    shorten(0, right, left);
    expand(1, left, right);
    shorten(1, right, left);
}

pub(super) fn unjumble(text: &mut [u8]) {
    let (left, right) = halves(text);
    shorten(1, right, left);
    expand(1, left, right);
    shorten(0, right, left);
    expand(0, left, right);
}

fn halves(text: &mut [u8]) -> (&mut [u8], &mut [u8]) {
    text.split_at_mut((text.len() / 2).min(BLAKE2B))
}

/// The function H of the specification.
fn shorten(round: u8, right: &[u8], left: &mut [u8]) {
    add(left, &hash([b'H', round, 0, 0], left.len(), right));
}

/// The function G.
fn expand(round: u8, left: &[u8], right: &mut [u8]) {
    for (block, part) in (0_u16..).zip(right.chunks_mut(BLAKE2B)) {
        let [low, high] = block.to_le_bytes();
        add(part, &hash([b'G', round, low, high], BLAKE2B, left));
    }
}

fn add(to: &mut [u8], hash: &[u8]) {
    for (byte, other) in to.iter_mut().zip(hash) {
        *byte ^= other;
    }
}

fn hash(end: [u8; 4], size: usize, data: &[u8]) -> [u8; BLAKE2B] {
    let mut personal = *b"UA_F4Jumble_\0\0\0\0";
    personal[12..].copy_from_slice(&end);
    let mut core = Blake2bVarCore::new_with_params(&[], &personal, 0, size);
    let mut buffer = Buffer::<Blake2bVarCore>::default();
    buffer.digest_blocks(data, |blocks| core.update_blocks(blocks));
    let mut hash = Output::<Blake2bVarCore>::default();
    core.finalize_variable_core(&mut buffer, &mut hash);
    hash.into()
}
