//! Locates typing errors in a text with a BCH checksum. Runs only for refused texts.
//!
//! The search is our own: the `bech32` crate (0.12) corrects only one wrong character. Of the five texts with
//! a wrong checksum whose errors Bitcoin Core publishes (`tests/vectors/error_locations.jsonl`), the crate
//! locates those of two.

use alloc::vec;
use alloc::vec::Vec;

/// Twice as many slots as a CashAddr has pairs of position and wrong symbol.
const SLOTS: usize = 1 << 13;

/// Returns the positions, counted from the end, of one or two wrong symbols that explain the checksum's
/// residue. A single error for any of the possible residues is preferred to a double error. Empty if more
/// errors are needed, or if there is none.
///
/// `step` feeds a zero symbol into the checksum. The code is linear, so a wrong symbol's effect on the
/// residue depends only on its position and its difference.
pub(super) fn locate(length: usize, residues: &[u64], step: fn(u64) -> u64) -> Vec<usize> {
    if residues.contains(&0) || length * 31 * 2 > SLOTS {
        return Vec::new();
    }
    let mut table = Table { slots: vec![0; SLOTS] };
    for (place, effect) in effects(length, step) {
        table.insert(effect, place);
    }
    if let Some(place) = residues.iter().find_map(|residue| table.find(*residue)) {
        return vec![place];
    }
    // Two differences at one position equal one difference, which was found above.
    let pair = residues.iter().find_map(|residue| {
        effects(length, step).find_map(|(place, effect)| {
            let other = table.find(residue ^ effect)?;
            Some(vec![place.max(other), place.min(other)])
        })
    });
    pair.unwrap_or_default()
}

/// The effect on the residue of each difference at each position.
fn effects(length: usize, step: fn(u64) -> u64) -> impl Iterator<Item = (usize, u64)> {
    (1..32_u64).flat_map(move |difference| {
        let effects = core::iter::successors(Some(difference), move |effect| Some(step(*effect)));
        effects.take(length).enumerate()
    })
}

/// Positions by effect: a hash table that never fills. A slot holds a 40-bit effect and a position that
/// counts from one; an empty slot is zero.
struct Table {
    slots: Vec<u64>,
}

impl Table {
    fn probe(effect: u64) -> impl Iterator<Item = usize> {
        // Fibonacci hashing: the high bits of the product are spread well.
        let first = usize::from((effect.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as u16) >> 3;
        (0..SLOTS).map(move |at| (first + at) % SLOTS)
    }

    fn insert(&mut self, effect: u64, place: usize) {
        let free = Self::probe(effect).find(|slot| self.slots[*slot] == 0);
        self.slots[free.expect("there are twice as many slots as effects")] =
            effect << 8 | (place as u64 + 1);
    }

    fn find(&self, effect: u64) -> Option<usize> {
        let mut run = Self::probe(effect).map(|slot| self.slots[slot]).take_while(|entry| *entry != 0);
        let entry = run.find(|entry| entry >> 8 == effect)?;
        Some(usize::from((entry & 0xff) as u8) - 1)
    }
}
