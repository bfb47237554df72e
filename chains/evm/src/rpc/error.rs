//! Why a call failed. No variant says anything about the chain.

use std::fmt;

use checkout_chain_http::gate::Held;
use checkout_domain::ports::ChainError;
use checkout_domain::ports::broadcaster::Unsent;
use checkout_domain::ports::chain::RateLimited;

#[derive(Debug)]
pub enum RpcError {
    Unreachable(String),
    /// HTTP status 401 or 403.
    Unauthorized,
    /// HTTP status 429.
    Limited,
    /// Not asked.
    Held(Held),
    Status {
        method: &'static str,
        status: u16,
    },
    /// An error reported by the node.
    Refused {
        method: &'static str,
        code: i64,
        message: String,
    },
    Malformed {
        method: &'static str,
        why: String,
    },
}

impl RpcError {
    pub fn malformed(method: &'static str, why: impl fmt::Display) -> Self {
        Self::Malformed { method, why: why.to_string() }
    }

    pub fn lost(method: &'static str) -> Self {
        Self::malformed(method, "an answer of the batch is missing")
    }

    /// The node does not support the method (JSON-RPC 2.0, section 5.1, and nodes' own variants).
    pub fn is_unknown_method(&self) -> bool {
        let Self::Refused { code, message, .. } = self else { return false };
        let message = message.to_ascii_lowercase();
        *code == -32601 || message.contains("method not found") || message.contains("does not exist")
    }

    /// A provider's rate limit, by status or by the code of EIP-1474.
    pub fn is_limit(&self) -> bool {
        matches!(self, Self::Limited | Self::Held(_) | Self::Refused { code: -32005 | 429, .. })
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(why) => write!(f, "the node cannot be reached: {why}"),
            Self::Unauthorized => f.write_str("the node refuses the credentials in its URL"),
            Self::Limited => f.write_str("the provider's rate limit is reached"),
            Self::Held(held) => held.fmt(f),
            Self::Status { method, status } => write!(f, "{method}: the node answered HTTP status {status}"),
            Self::Refused { method, code, message } => write!(f, "{method}: {message} ({code})"),
            Self::Malformed { method, why } => write!(f, "{method}: the node's answer cannot be read: {why}"),
        }
    }
}

impl std::error::Error for RpcError {}

impl From<RpcError> for ChainError {
    fn from(error: RpcError) -> Self {
        if error.is_limit() {
            return Self(Box::new(RateLimited(error.to_string())));
        }
        Self(Box::new(error))
    }
}

impl From<RpcError> for Unsent {
    fn from(error: RpcError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::RpcError;

    #[test]
    fn refusals_are_classified() {
        let check = |code, message: &str, unknown_method, limit| {
            let error = RpcError::Refused { method: "trace_block", code, message: message.to_owned() };
            assert_eq!((error.is_unknown_method(), error.is_limit()), (unknown_method, limit), "{error}");
        };
        check(-32601, "the method trace_block does not exist/is not available", true, false);
        check(-32600, "Method not found", true, false);
        check(-32005, "limit exceeded", false, true);
        check(-32000, "header not found", false, false);
    }
}
