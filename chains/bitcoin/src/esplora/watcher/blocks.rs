//! The blocks of the server's chain.

use checkout_chain_http::NodeError;
use checkout_chain_http::fields::is_hash;

use super::super::answers::{Block, Status};
use super::EsploraChain;

impl EsploraChain {
    /// The last block of the best chain.
    pub(crate) async fn block(&self) -> Result<Block, NodeError> {
        let hash = self.api.text("/blocks/tip/hash").await?;
        let known = self.memory.lock().tip.clone();
        if let Some(known) = known.as_ref().filter(|known| known.id == hash.trim()) {
            return Ok(known.clone());
        }
        let path = format!("/block/{}", read_hash("/blocks/tip/hash", &hash)?);
        let block: Block = self.api.json(&path).await?;
        if block.id != hash.trim() {
            return Err(NodeError::malformed(&path, "it is another block"));
        }
        let (height, expected) = block.place();
        // Its own word for its height would make every transaction as deep as it likes.
        let is_next = known.is_some_and(|known| (known.height, known.id.as_str()) == (height, expected));
        if !is_next && self.asked_hash_at(height).await?.as_deref() != Some(expected) {
            return Err(disagreement(height));
        }
        self.memory.lock().tip = Some(block.clone());
        Ok(block)
    }

    /// What was once so of a block far below the last one is not asked again.
    pub(super) async fn is_in_chain(&self, height: u64, expected: &str) -> Result<bool, NodeError> {
        let block = (height, expected.to_owned());
        if self.memory.lock().old_blocks.contains(&block) {
            return Ok(true);
        }
        let hash = self.hash_at(height).await?.ok_or_else(|| disagreement(height))?;
        let mut memory = self.memory.lock();
        let is_old = memory.tip.as_ref().is_some_and(|tip| height.saturating_add(self.kept) <= tip.height);
        if hash == expected && is_old {
            memory.old_blocks.insert(block);
        }
        Ok(hash == expected)
    }

    /// The confirmations of a transaction: of a block that is where it says.
    pub(super) async fn depth(&self, path: &str, status: &Status) -> Result<u64, NodeError> {
        let wrong = |why| NodeError::malformed(path, why);
        if !status.confirmed {
            return Ok(0);
        }
        let height = status.block_height.ok_or_else(|| wrong("it is in a block without a height"))?;
        let hash = status.block_hash.as_ref().ok_or_else(|| wrong("it is in a block without a hash"))?;
        let tip = self.block().await?.height;
        if height > tip {
            // Of a server that is ahead.
            return Ok(0);
        }
        if self.is_in_chain(height, hash).await? {
            Ok((tip - height).saturating_add(1))
        } else {
            Err(wrong("its block is not in the chain"))
        }
    }

    pub(super) async fn hash_at(&self, height: u64) -> Result<Option<String>, NodeError> {
        if let Some(tip) = self.memory.lock().tip.as_ref().filter(|tip| tip.height == height) {
            return Ok(Some(tip.id.clone()));
        }
        self.asked_hash_at(height).await
    }

    async fn asked_hash_at(&self, height: u64) -> Result<Option<String>, NodeError> {
        let path = format!("/block-height/{height}");
        let hash = self.api.find_text(&path).await?;
        hash.map(|hash| read_hash(&path, &hash).map(str::to_owned)).transpose()
    }
}

pub(super) fn disagreement(height: u64) -> NodeError {
    let why = format!("/block-height/{height}: the servers of the URL do not agree about the chain");
    NodeError::Unreachable(why)
}

fn read_hash<'a>(path: &str, text: &'a str) -> Result<&'a str, NodeError> {
    let hash = text.trim();
    if is_hash(hash) { Ok(hash) } else { Err(NodeError::malformed(path, "it is no hash")) }
}
