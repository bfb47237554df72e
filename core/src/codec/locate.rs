//! Where the typing errors of a text with a BCH checksum are: a path of its own, which right texts never take.

use alloc::vec;
use alloc::vec::Vec;

/// More slots than a CashAddr has places and wrong symbols, by twice.
const SLOTS: usize = 1 << 13;

/// The places, counted from the end, of one or two wrong symbols that explain the residue of a checksum; empty when
/// nothing that small does, or nothing is wrong.
///
/// `step` takes a zero symbol into the checksum. The code is linear, so that a wrong symbol adds to the residue
/// what depends on its place and its difference only.
pub(super) fn locate(length: usize, residue: u64, step: fn(u64) -> u64) -> Vec<usize> {
    if residue == 0 || length * 31 * 2 > SLOTS {
        return Vec::new();
    }
    let effects = || {
        (1..32_u64).flat_map(move |difference| {
            let effects = core::iter::successors(Some(difference), move |effect| Some(step(*effect)));
            effects.take(length).enumerate()
        })
    };
    if let Some((place, _)) = effects().find(|(_, effect)| *effect == residue) {
        return vec![place];
    }
    let mut table = Table { slots: vec![None; SLOTS] };
    for (place, effect) in effects() {
        table.insert(effect, place);
    }
    let pair = effects().find_map(|(place, effect)| {
        let other = table.find(residue ^ effect)?;
        (other != place).then(|| vec![place.max(other), place.min(other)])
    });
    pair.unwrap_or_default()
}

/// Places by effect; a hash table that never fills.
struct Table {
    slots: Vec<Option<(u64, usize)>>,
}

impl Table {
    fn slots_of(effect: u64) -> impl Iterator<Item = usize> {
        // Fibonacci hashing: the high bits of the product are spread well.
        let first = (effect.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 51) as usize;
        (0..SLOTS).map(move |at| (first + at) % SLOTS)
    }

    fn insert(&mut self, effect: u64, place: usize) {
        let free = Self::slots_of(effect).find(|slot| self.slots[*slot].is_none());
        self.slots[free.expect("there are twice as many slots as effects")] = Some((effect, place));
    }

    fn find(&self, effect: u64) -> Option<usize> {
        let chain = Self::slots_of(effect).map_while(|slot| self.slots[slot]);
        chain.into_iter().find(|entry| entry.0 == effect).map(|entry| entry.1)
    }
}
