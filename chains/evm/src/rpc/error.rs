//! The meaning of nodes' errors.

use checkout_chain_http::{Code, NodeError};

pub(super) fn unreadable(method: &str) -> NodeError {
    NodeError::malformed(method, "an answer of the batch is missing")
}

/// Providers use the code of a rate limit for a block with too many logs, too.
pub(super) fn refused(method: &str, code: i64, message: String) -> NodeError {
    const LIMIT: i64 = -32005;
    const RATE: [&str; 7] =
        ["rate", "per second", "requests", "request count", "credits", "capacity", "quota"];
    let text = message.to_ascii_lowercase();
    let is_rate = RATE.iter().any(|words| text.contains(words));
    let code =
        if method == "eth_getLogs" && code == LIMIT && !is_rate { Code::None } else { Code::Number(code) };
    NodeError::refused(method, code, message)
}

/// A call is refused because of the others in its batch.
pub(super) fn is_of_batch(error: &NodeError) -> bool {
    matches!(error, NodeError::Refused { message, .. } if message.to_ascii_lowercase().contains("batch"))
}

/// The node does not have the block of a tag: "finalized block not found" of geth, the code of the Engine API with "Unknown block" of
/// Erigon and reth, "could not be found" of Nethermind.
pub fn is_unknown_block(error: &NodeError) -> bool {
    let NodeError::Refused { code, message, .. } = error else { return false };
    let message = message.to_ascii_lowercase();
    let words = ["not found", "unknown block", "not be found", "pre-merge"];
    let says = *code == Code::Number(-39001) || words.iter().any(|words| message.contains(words));
    says && !is_unknown_method(error)
}

/// The node does not support the method (JSON-RPC 2.0, section 5.1, and nodes' own variants).
pub fn is_unknown_method(error: &NodeError) -> bool {
    let NodeError::Refused { code, message, .. } = error else { return false };
    let message = message.to_ascii_lowercase();
    *code == Code::Number(-32601)
        || message.contains("method not found")
        || (message.contains("method") && message.contains("does not exist"))
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
        check(-39001, "Unknown block", true);
        check(-39001, "", true);
        check(-32000, "'finalized' tag not supported on pre-merge network", true);
        check(-32001, "finalized could not be found", true);
        check(-32601, "Method not found", false);
        check(-32000, "the method eth_x does not exist/is not available", false);
        check(-32000, "execution reverted", false);
    }

    #[test]
    fn a_block_with_too_many_logs_is_no_rate_limit() {
        let check = |method, message: &str, expected| {
            assert_eq!(
                refused(method, -32005, message.to_owned()).is_limit(),
                expected,
                "{method}: {message}"
            );
        };
        check("eth_getLogs", "limit exceeded", false);
        check("eth_getLogs", "Too many logs requested. Max logs per response is 20000.", false);
        check("eth_getLogs", "query timeout exceeded", false);
        check("eth_getLogs", "daily request count exceeded, request rate limited", true);
        check("eth_getLogs", "Too Many Requests", true);
        check("eth_getTransactionReceipt", "limit exceeded", true);
    }

    #[test]
    fn refusals_are_classified() {
        let check = |code, message: &str, unknown_method, limit| {
            let error = NodeError::refused("trace_block", Code::Number(code), message);
            assert_eq!((is_unknown_method(&error), error.is_limit()), (unknown_method, limit), "{error}");
        };
        check(-32601, "the method trace_block does not exist/is not available", true, false);
        check(-32600, "Method not found", true, false);
        check(-32000, "the method trace_block does not exist/is not available", true, false);
        check(-32000, "parent block 0x12 does not exist", false, false);
        check(-32005, "limit exceeded", false, true);
        check(-32000, "header not found", false, false);
    }
}
