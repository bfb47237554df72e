//! How deep a transaction is in the chain of a node.

use serde::Deserialize;
use serde_json::json;

use crate::rpc::Node;
use checkout_chain_http::NodeError;

/// `getblockheader`.
#[derive(Deserialize)]
pub(crate) struct BlockHeader {
    pub(crate) height: u64,
    pub(crate) time: u64,
    /// -1 if the block is not on the best chain.
    pub(crate) confirmations: i64,
}

pub(crate) async fn header(node: &Node, hash: &str) -> Result<BlockHeader, NodeError> {
    node.call("getblockheader", json!([hash])).await
}

/// The confirmations of a transaction that its own answer and its block agree about: the fewer.
pub(crate) async fn depth(node: &Node, confirmations: i64, block: Option<&str>) -> Result<i64, NodeError> {
    if confirmations < 1 {
        return Ok(confirmations);
    }
    let block =
        block.ok_or_else(|| NodeError::malformed("gettransaction", "it is in a block without a hash"))?;
    Ok(header(node, block).await?.confirmations.min(confirmations))
}
