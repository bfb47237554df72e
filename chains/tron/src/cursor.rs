//! How far the chain was read. Above the newest solidified block that was read, the cursor holds the ids of the blocks and
//! the transfers in them, which can still leave the chain. It is stored together with the deposits, so both are always of one
//! moment.

use alloy_primitives::B256;
use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::held::{self, Held};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// The id of the network's first block.
    genesis: B256,
    /// The newest block that was read and that stays.
    pub solid: (u64, B256),
    /// Blocks that were read above it, the newest one last.
    pub blocks: Vec<(u64, B256)>,
    /// Transfers to our addresses in these.
    pub held: Vec<Held>,
}

impl Cursor {
    pub fn new(genesis: B256, solid: (u64, B256)) -> Self {
        Self { genesis, solid, blocks: Vec::new(), held: Vec::new() }
    }

    pub fn read(text: &str, genesis: B256) -> Result<Self, String> {
        let cursor: Self = serde_json::from_str(text)
            .map_err(|error| format!("the stored cursor cannot be read: {error}"))?;
        if cursor.genesis == genesis {
            return Ok(cursor);
        }
        Err(format!(
            "the database was used with the network of the first block {}, and {genesis} is configured",
            cursor.genesis
        ))
    }

    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("numbers and texts are JSON")
    }

    /// The last block that was read.
    pub fn head(&self) -> (u64, B256) {
        self.blocks.last().copied().unwrap_or(self.solid)
    }

    /// The unconfirmed transfers with their confirmations.
    pub fn waiting(&self) -> Vec<(OutputId, u64)> {
        held::waiting(&self.held, Network::Trx, self.head().0)
    }

    /// Takes away the blocks above this height, and returns the transfers in them.
    pub fn cut(&mut self, height: u64) -> Vec<Held> {
        self.blocks.retain(|(block, _)| *block <= height);
        held::cut(&mut self.held, height)
    }

    /// Blocks up to this one stay. Returns the transfers in them.
    pub fn settle(&mut self, block: (u64, B256)) -> Vec<Held> {
        self.solid = block;
        self.blocks.retain(|(height, _)| *height > block.0);
        let stay = held::cut(&mut self.held, block.0);
        std::mem::replace(&mut self.held, stay)
    }
}

/// Lower-case digits without a prefix, as explorers write it.
pub fn transaction_id(id: B256) -> String {
    alloy_primitives::hex::encode(id)
}

#[cfg(test)]
mod tests {
    use checkout_core::Currency;
    use checkout_domain::chain::{OutputState, Transfer};

    use super::*;

    fn id(number: u8) -> B256 {
        B256::with_last_byte(number)
    }

    fn transfer(state: OutputState) -> Transfer {
        checkout_chain_conformance::transfer((Currency::Usdt, Network::Trx), &transaction_id(id(7)), state)
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut cursor = Cursor::new(id(1), (9, id(9)));
        cursor.blocks.push((10, id(10)));
        cursor.held.push(Held::new(10, &transfer(OutputState::Unconfirmed)));
        let text = cursor.to_text();
        assert_eq!(Cursor::read(&text, id(1)), Ok(cursor.clone()));
        assert!(Cursor::read(&text, id(2)).unwrap_err().contains("is configured"));
        assert!(Cursor::read("12", id(1)).is_err());
        let back = cursor.held[0].transfer(Network::Trx, OutputState::Vanished).unwrap();
        assert_eq!(back, transfer(OutputState::Vanished));
        assert!(cursor.held[0].is(&back.output));
    }

    #[test]
    fn what_stays_is_settled() {
        let mut cursor = Cursor::new(id(1), (9, id(9)));
        for height in 10..=13 {
            cursor.blocks.push((height, id(1)));
            cursor.held.push(Held::new(height, &transfer(OutputState::Unconfirmed)));
        }
        let heights = |held: Vec<Held>| held.iter().map(|held| held.height).collect::<Vec<_>>();
        assert_eq!(heights(cursor.settle((11, id(1)))), [10, 11]);
        assert_eq!((cursor.solid, cursor.head()), ((11, id(1)), (13, id(1))));
        assert_eq!(heights(cursor.cut(12)), [13]);
        assert_eq!(cursor.head(), (12, id(1)));
        assert_eq!(heights(cursor.cut(11)), [12]);
        assert_eq!(cursor.head(), (11, id(1)));
    }
}
