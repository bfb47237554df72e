//! The checksum register of bech32 and CashAddr: a BCH code over symbols of five bits.

/// Symbols per step. Steps for single symbols depend on each other; those in a group do not.
const GROUP: usize = 4;
const GROUP_BITS: u32 = 20;

/// A shift register of `BITS` bits, with the effects of the symbols shifted out.
pub(super) struct Register<const BITS: u32> {
    /// By position in a group and by symbol: what a symbol that was shifted out is replaced by.
    effects: [[u64; 32]; GROUP],
}

impl<const BITS: u32> Register<BITS> {
    /// The pattern that each shifted-out bit mixes in, lowest first.
    pub(super) const fn new(generators: [u64; 5]) -> Self {
        let mut register = Self { effects: [[0; 32]; GROUP] };
        let mut symbol = 0;
        while symbol < 32 {
            let mut bit = 0;
            while bit < 5 {
                if symbol >> bit & 1 == 1 {
                    register.effects[0][symbol] ^= generators[bit];
                }
                bit += 1;
            }
            symbol += 1;
        }
        let mut later = 1;
        while later < GROUP {
            symbol = 0;
            while symbol < 32 {
                register.effects[later][symbol] = register.step(register.effects[later - 1][symbol], 0);
                symbol += 1;
            }
            later += 1;
        }
        register
    }

    /// The state after one more symbol.
    pub(super) const fn step(&self, state: u64, value: u8) -> u64 {
        Self::kept(state, 5) ^ self.effects[0][(state >> (BITS - 5) & 31) as usize] ^ value as u64
    }

    /// The bits that remain after shifting out `leaving` bits.
    const fn kept(state: u64, leaving: u32) -> u64 {
        state << leaving & ((1 << BITS) - 1)
    }

    /// The state after `values`.
    pub(super) fn take(&self, state: u64, values: &[u8]) -> u64 {
        let (first, groups) = values.as_rchunks::<GROUP>();
        let state = first.iter().fold(state, |state, value| self.step(state, *value));
        groups.iter().fold(state, |state, group| {
            let entering = group.iter().fold(0, |all, value| all << 5 | u64::from(*value));
            let leaving = state >> (BITS - GROUP_BITS);
            let effects = self.effects.iter().enumerate();
            let mixed = effects.map(|(later, effects)| effects[(leaving >> (5 * later) & 31) as usize]);
            mixed.fold(Self::kept(state, GROUP_BITS) ^ entering, |state, effect| state ^ effect)
        })
    }

    /// Sets the last `checksum` symbols so that the final state is `residue`.
    pub(super) fn seal(&self, state: u64, residue: u64, values: &mut [u8], checksum: usize) {
        let Some((values, places)) = values.len().checked_sub(checksum).map(|at| values.split_at_mut(at))
        else {
            return;
        };
        places.fill(0);
        let missing = self.take(self.take(state, values), places) ^ residue;
        for (at, place) in places.iter_mut().rev().enumerate() {
            *place = (missing >> (5 * at) & 31) as u8;
        }
    }
}
