//! Whether a transaction can still get on the chain. After its expiration it is either in a solidified block or dead for good;
//! which of the two is read from the blocks themselves, each the child of the one before: a server that looks a transaction up
//! and does not find it may only be behind.

use alloy_primitives::B256;

use crate::answers::Block;
use crate::node::{Node, Of};
use crate::transaction::Raw;
use checkout_chain_http::NodeError;

/// Blocks in one request.
const PAGE: u64 = 20;

const PATH: &str = "walletsolidity/getblockbylimitnext";

/// Expired, and in none of the blocks that it could get into. `solid` is the newest solidified block.
pub async fn is_dead(node: &Node, id: B256, raw: &Raw, solid: &Block) -> Result<bool, NodeError> {
    let expiration = u64::try_from(raw.expiration).unwrap_or(0);
    if solid.millis() < expiration {
        return Ok(false);
    }
    let mut parent = reference(node, raw, solid.number()).await?;
    loop {
        let first = parent.number() + 1;
        let blocks = node.blocks(Of::Solid, first, first + PAGE).await?;
        if blocks.is_empty() {
            return Err(NodeError::malformed(PATH, format!("block {first} is missing")));
        }
        for block in blocks {
            if block.parent() != parent.id {
                let why = format!("block {} is no child of block {}", block.number(), parent.number());
                return Err(NodeError::malformed(PATH, why));
            }
            let listed = block.listed()?;
            if !listed.odd.is_empty() {
                let why = format!("a transaction of block {} cannot be read", block.number());
                return Err(NodeError::malformed(PATH, why));
            }
            if listed.ids.contains(&id) {
                return Ok(false);
            }
            // The parent of a block decides; so the first block of that time can still have it.
            if parent.millis() >= expiration {
                return Ok(true);
            }
            parent = block;
        }
        if parent.number() >= solid.number() {
            return Ok(parent.millis() >= expiration);
        }
    }
}

/// The block that the transaction refers to, of whose number it holds two bytes.
async fn reference(node: &Node, raw: &Raw, newest: u64) -> Result<Block, NodeError> {
    let low = raw.ref_block_bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
    let mut number = newest - newest % 0x1_0000 + low;
    if number > newest {
        number = number.saturating_sub(0x1_0000);
    }
    loop {
        let block = node.solid_at(number).await?;
        let block = block.ok_or_else(|| NodeError::malformed(PATH, format!("block {number} is missing")))?;
        if block.id[8..16] == raw.ref_block_hash[..] {
            return Ok(block);
        }
        let older = number
            .checked_sub(0x1_0000)
            .filter(|_| block.millis() >= u64::try_from(raw.timestamp).unwrap_or(0));
        number = older.ok_or_else(|| NodeError::malformed(PATH, "the transaction is for another chain"))?;
    }
}
