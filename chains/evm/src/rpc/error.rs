//! The meaning of nodes' errors.

use checkout_chain_http::{Code, NodeError};

pub(super) fn unreadable(method: &str) -> NodeError {
    NodeError::malformed(method, "an answer of the batch is missing")
}

/// A call is refused because of the others in its batch.
pub(super) fn is_of_batch(error: &NodeError) -> bool {
    matches!(error, NodeError::Refused { message, .. } if message.to_ascii_lowercase().contains("batch"))
}

/// The node does not have the block of a tag, as geth (-32000) and the Engine API (-39001) say it.
pub fn is_unknown_block(error: &NodeError) -> bool {
    matches!(error, NodeError::Refused { message, .. } if message.to_ascii_lowercase().contains("not found"))
        && !is_unknown_method(error)
}

/// The node does not support the method (JSON-RPC 2.0, section 5.1, and nodes' own variants).
pub fn is_unknown_method(error: &NodeError) -> bool {
    let NodeError::Refused { code, message, .. } = error else { return false };
    let message = message.to_ascii_lowercase();
    *code == Code::Number(-32601)
        || message.contains("method not found")
        || message.contains("does not exist")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_block_is_no_unknown_method() {
        let check = |code, message: &str, expected| {
            let error = NodeError::refused("eth_getBlockByNumber", Code::Number(code), message);
            assert_eq!(is_unknown_block(&error), expected, "{error}");
        };
        check(-32000, "finalized block not found", true);
        check(-39001, "Unknown block: safe block not found", true);
        check(-32601, "Method not found", false);
        check(-32000, "execution reverted", false);
    }

    #[test]
    fn refusals_are_classified() {
        let check = |code, message: &str, unknown_method, limit| {
            let error = NodeError::refused("trace_block", Code::Number(code), message);
            assert_eq!((is_unknown_method(&error), error.is_limit()), (unknown_method, limit), "{error}");
        };
        check(-32601, "the method trace_block does not exist/is not available", true, false);
        check(-32600, "Method not found", true, false);
        check(-32005, "limit exceeded", false, true);
        check(-32000, "header not found", false, false);
    }
}
