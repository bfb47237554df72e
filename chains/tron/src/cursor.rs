//! How far the chain was read. Above the newest solidified block that was read, the cursor holds the ids of the blocks and
//! the transfers in them, which can still leave the chain. It is stored together with the deposits, so both are always of one
//! moment.

use alloy_primitives::B256;
use checkout_core::{Amount, Network};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
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

/// A transfer that was reported and can still leave the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    pub height: u64,
    pub transaction: B256,
    pub index: u32,
    currency: String,
    amount: String,
    to: String,
    from: String,
    fee: String,
    seen_at: u64,
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
        let above = self.head().0 + 1;
        self.held.iter().map(|held| (held.output(), above.saturating_sub(held.height))).collect()
    }

    /// Takes away all blocks that can leave the chain, and returns the transfers in them.
    pub fn cut(&mut self) -> Vec<Held> {
        self.blocks.clear();
        std::mem::take(&mut self.held)
    }

    /// Blocks up to this one stay. Returns the transfers in them.
    pub fn settle(&mut self, block: (u64, B256)) -> Vec<Held> {
        self.solid = block;
        self.blocks.retain(|(height, _)| *height > block.0);
        let (stay, settled) =
            std::mem::take(&mut self.held).into_iter().partition(|held| held.height > block.0);
        self.held = stay;
        settled
    }
}

impl Held {
    pub fn new(height: u64, transaction: B256, transfer: &Transfer) -> Self {
        Self {
            height,
            transaction,
            index: transfer.output.index,
            currency: transfer.currency.code().to_owned(),
            amount: transfer.amount.atoms().to_string(),
            to: transfer.to.clone(),
            from: transfer.from.clone(),
            fee: transfer.fee.clone(),
            seen_at: transfer.seen_at,
        }
    }

    pub fn is(&self, output: &OutputId) -> bool {
        transaction_id(self.transaction) == output.transaction && self.index == output.index
    }

    fn output(&self) -> OutputId {
        OutputId { network: Network::Trx, transaction: transaction_id(self.transaction), index: self.index }
    }

    pub fn transfer(&self, state: OutputState) -> Result<Transfer, String> {
        let wrong = |field: &str| format!("the stored cursor has a wrong {field} of {}", self.transaction);
        let atoms = self.amount.parse().map_err(|_| wrong("amount"))?;
        Ok(Transfer {
            output: self.output(),
            currency: self.currency.parse().map_err(|_| wrong("currency"))?,
            amount: Amount::from_atoms(atoms).map_err(|_| wrong("amount"))?,
            to: self.to.clone(),
            tag: None,
            from: self.from.clone(),
            from_tag: None,
            other_senders: Vec::new(),
            fee: self.fee.clone(),
            seen_at: self.seen_at,
            state,
            uncertain: false,
        })
    }
}

/// Lower-case digits without a prefix, as explorers write it.
pub fn transaction_id(id: B256) -> String {
    alloy_primitives::hex::encode(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_core::Currency;

    fn id(number: u8) -> B256 {
        B256::with_last_byte(number)
    }

    fn transfer(state: OutputState) -> Transfer {
        Transfer {
            output: OutputId { network: Network::Trx, transaction: transaction_id(id(7)), index: 3 },
            currency: Currency::Usdt,
            amount: Amount::from_atoms(12_000_000).unwrap(),
            to: "T1".to_owned(),
            tag: None,
            from: "T2".to_owned(),
            from_tag: None,
            other_senders: Vec::new(),
            fee: "13.5".to_owned(),
            seen_at: 7,
            state,
            uncertain: false,
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut cursor = Cursor::new(id(1), (9, id(9)));
        cursor.blocks.push((10, id(10)));
        cursor.held.push(Held::new(10, id(7), &transfer(OutputState::Unconfirmed)));
        let text = cursor.to_text();
        assert_eq!(Cursor::read(&text, id(1)), Ok(cursor.clone()));
        assert!(Cursor::read(&text, id(2)).unwrap_err().contains("is configured"));
        assert!(Cursor::read("12", id(1)).is_err());
        let back = cursor.held[0].transfer(OutputState::Vanished).unwrap();
        assert_eq!(back, transfer(OutputState::Vanished));
        assert!(cursor.held[0].is(&back.output));
    }

    #[test]
    fn what_stays_is_settled() {
        let mut cursor = Cursor::new(id(1), (9, id(9)));
        for height in 10..=13 {
            cursor.blocks.push((height, id(1)));
            cursor.held.push(Held::new(height, id(7), &transfer(OutputState::Unconfirmed)));
        }
        let heights = |held: Vec<Held>| held.iter().map(|held| held.height).collect::<Vec<_>>();
        assert_eq!(heights(cursor.settle((11, id(1)))), [10, 11]);
        assert_eq!((cursor.solid, cursor.head()), ((11, id(1)), (13, id(1))));
        assert_eq!(heights(cursor.cut()), [12, 13]);
        assert_eq!(cursor.head(), (11, id(1)));
    }
}
