//! The read position of a chain: the hashes of recent blocks, to detect a reorganisation, and the transfers
//! in them, which it can remove. Stored in the same transaction as the deposits.

use alloy_primitives::B256;
use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::held::{self, Held};
use serde::{Deserialize, Serialize};

/// Least depth to which transfers can be reorganised. A deeper reorganisation stops the watcher.
pub const KEEP: u64 = 256;

/// All of the newest blocks are kept; of older ones, each eighth, and each sixteenth if more than [`KEEP`] are kept. Fewer than
/// are read at once, so that what a reorganisation moved is found with the first read.
const DENSE: u64 = 32;
const SPARSE: u64 = 8;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    pub chain_id: u64,
    /// Blocks read, by height, newest last. Never empty.
    pub blocks: Vec<(u64, B256)>,
    /// Transfers to watched addresses in these blocks.
    pub held: Vec<Held>,
}

impl Cursor {
    pub fn new(chain_id: u64, blocks: Vec<(u64, B256)>) -> Self {
        Self { chain_id, blocks, held: Vec::new() }
    }

    pub fn read(text: &str, chain_id: u64) -> Result<Self, String> {
        let cursor: Self = serde_json::from_str(text)
            .map_err(|error| format!("the stored cursor cannot be read: {error}"))?;
        if cursor.chain_id != chain_id {
            return Err(format!(
                "the database was used with chain {}, and {chain_id} is configured",
                cursor.chain_id
            ));
        }
        if cursor.blocks.is_empty() {
            return Err("the stored cursor has no block".to_owned());
        }
        Ok(cursor)
    }

    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("numbers and texts are JSON")
    }

    pub fn head(&self) -> (u64, B256) {
        *self.blocks.last().expect("a cursor has a block")
    }

    /// Removes all blocks above `height` and returns the transfers in them.
    pub fn cut(&mut self, height: u64) -> Vec<Held> {
        self.blocks.retain(|(block, _)| *block <= height);
        held::cut(&mut self.held, height)
    }

    /// The unconfirmed transfers with their confirmations.
    pub fn waiting(&self, network: Network) -> Vec<(OutputId, u64)> {
        held::waiting(&self.held, network, self.head().0)
    }

    /// Keeps the blocks up to the depth `keep`.
    pub fn push(&mut self, height: u64, hash: B256, keep: u64) {
        let sparse = if keep > KEEP { 2 * SPARSE } else { SPARSE };
        self.blocks.push((height, hash));
        self.blocks.retain(|(block, _)| {
            let depth = height - block;
            depth < DENSE || (depth <= keep && block.is_multiple_of(sparse))
        });
        self.held.retain(|held| !held.confirmed || height.saturating_sub(held.height) <= keep);
    }
}

#[cfg(test)]
mod tests {
    use checkout_core::Currency;
    use checkout_domain::chain::{OutputState, Transfer};

    use super::*;

    fn hash(height: u64) -> B256 {
        B256::left_padding_from(&height.to_be_bytes())
    }

    fn transfer(state: OutputState) -> Transfer {
        checkout_chain_conformance::transfer((Currency::Usdt, Network::Eth), "0xab", state)
    }

    #[test]
    fn a_written_cursor_reads_back() {
        let mut cursor = Cursor::new(1, vec![(9, hash(9))]);
        cursor.push(10, hash(10), KEEP);
        cursor.held.push(Held::new(10, &transfer(OutputState::Confirmed)));
        let text = cursor.to_text();
        assert_eq!(Cursor::read(&text, 1), Ok(cursor.clone()));
        assert!(Cursor::read(&text, 56).unwrap_err().contains("chain 1"));
        for wrong in ["", "12", r#"{"chain_id":1,"blocks":[],"held":[]}"#] {
            assert!(Cursor::read(wrong, 1).is_err(), "{wrong}");
        }
        let back = cursor.held[0].transfer(Network::Eth, OutputState::Vanished).unwrap();
        assert_eq!(back, transfer(OutputState::Vanished));
    }

    #[test]
    fn old_blocks_are_thinned_and_then_forgotten() {
        let mut cursor = Cursor::new(1, vec![(0, hash(0))]);
        cursor.held.push(Held::new(100, &transfer(OutputState::Confirmed)));
        cursor.held.push(Held::new(100, &transfer(OutputState::Unconfirmed)));
        for height in 1..=1000 {
            cursor.push(height, hash(height), KEEP);
        }
        let heights: Vec<u64> = cursor.blocks.iter().map(|(height, _)| *height).collect();
        let expected: Vec<u64> = (744..=968).filter(|height| height % 8 == 0).chain(969..=1000).collect();
        assert_eq!(heights, expected);
        assert!(cursor.held.iter().all(|held| !held.confirmed), "unconfirmed transfers are never dropped");
        let mut deep = Cursor::new(1, vec![(0, hash(0))]);
        for height in 1..=2000 {
            deep.push(height, hash(height), 900);
        }
        assert_eq!((deep.blocks[0].0, deep.blocks[1].0), (1104, 1120));
    }

    #[test]
    fn a_cut_returns_the_transfers_above_it() {
        let mut cursor = Cursor::new(1, vec![(1, hash(1))]);
        for height in 2..=5 {
            cursor.push(height, hash(height), KEEP);
            cursor.held.push(Held::new(height, &transfer(OutputState::Confirmed)));
        }
        let gone: Vec<u64> = cursor.cut(3).iter().map(|held| held.height).collect();
        assert_eq!((cursor.head(), gone, cursor.held.len()), ((3, hash(3)), vec![4, 5], 2));
    }
}
