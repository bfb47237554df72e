//! The meaning of nodes' errors.

use checkout_chain_http::{Code, NodeError};

pub(super) fn unreadable(method: &str) -> NodeError {
    NodeError::malformed(method, "an answer of the batch is missing")
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
