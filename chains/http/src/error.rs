//! Why a request to a node brought no result.

use std::fmt;
use std::time::Duration;

use checkout_domain::chain::source::{Check, RATE_LIMIT};
use checkout_domain::ports::ChainError;
use checkout_domain::ports::broadcaster::Unsent;
use checkout_domain::ports::chain::RateLimited;

use crate::gate::Throttled;

/// Only [`Refused`](Self::Refused) is an answer of the node about what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeError {
    /// No connection, no answer, or one of something before the node.
    Unreachable(String),
    /// A rate limit is reached, of the server or of our budget, and nothing is asked until it is over.
    Limited(Throttled),
    /// `call`: a method or a path.
    Refused { call: String, code: Code, message: String },
    /// The answer is none that the call has.
    Malformed { call: String, why: String },
}

/// The code of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// It has words only.
    None,
    /// Of JSON-RPC, or an HTTP status where the protocol has no other code.
    Number(i64),
    /// Such as `actNotFound`.
    Name(String),
}

impl NodeError {
    /// An HTTP status without an answer of the node.
    pub fn status(call: &str, status: u16) -> Self {
        Self::Unreachable(format!("{call}: the server answered HTTP status {status}"))
    }

    /// The answer says that a rate limit is reached.
    pub fn limited() -> Self {
        Self::Limited(Throttled::ByServer(Duration::ZERO))
    }

    pub fn refused(call: &str, code: Code, message: impl Into<String>) -> Self {
        Self::Refused { call: call.to_owned(), code, message: message.into() }
    }

    pub fn malformed(call: &str, why: impl fmt::Display) -> Self {
        Self::Malformed { call: call.to_owned(), why: why.to_string() }
    }

    /// A rate limit, by status or by the code of EIP-1474, which providers also use for requests that are too large.
    pub fn is_limit(&self) -> bool {
        match self {
            Self::Limited(_) => true,
            Self::Refused { code: Code::Number(-32005 | 429), message, .. } => !is_about_size(message),
            _ => false,
        }
    }

    /// The number of a refusal that has one.
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Refused { code: Code::Number(number), .. } => Some(*number),
            _ => None,
        }
    }

    /// Whether it is a refusal with this name.
    pub fn is(&self, expected: &str) -> bool {
        matches!(self, Self::Refused { code: Code::Name(name), .. } if name == expected)
    }

    /// Whether it is a refusal with these words.
    pub fn says(&self, words: &str) -> bool {
        matches!(self, Self::Refused { message, .. } if message.contains(words))
    }

    pub fn is_malformed(&self, expected: &str) -> bool {
        matches!(self, Self::Malformed { call, .. } if call == expected)
    }

    /// For the health of the server, which is not down at its limit.
    pub fn check(&self, subject: &'static str) -> Check {
        if self.is_limit() {
            return Check::warning(RATE_LIMIT, self.to_string());
        }
        Check::fault(subject, self.to_string())
    }
}

/// The words in which providers refuse one request that asks for too much.
fn is_about_size(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    ["result", "batch", "range", "response size", "too large", "too big", "calls in 1"]
        .iter()
        .any(|words| message.contains(words))
}

/// Whether the server has the method that gave this answer, for [`methods`](checkout_domain::chain::source::methods).
pub fn tried<T>(answer: Result<T, NodeError>) -> Result<(), String> {
    answer.map(drop).map_err(String::from)
}

impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(why) => f.write_str(why),
            Self::Limited(held) => held.fmt(f),
            Self::Refused { call, code, message } => {
                write!(f, "{call}: {}", message.trim())?;
                match code {
                    Code::None => Ok(()),
                    Code::Number(number) => write!(f, " ({number})"),
                    Code::Name(name) => write!(f, " ({name})"),
                }
            }
            Self::Malformed { call, why } => write!(f, "{call}: the server's answer cannot be read: {why}"),
        }
    }
}

impl std::error::Error for NodeError {}

impl From<NodeError> for String {
    fn from(error: NodeError) -> Self {
        error.to_string()
    }
}

impl From<NodeError> for ChainError {
    fn from(error: NodeError) -> Self {
        if error.is_limit() {
            return Self(Box::new(RateLimited(error.to_string())));
        }
        Self(Box::new(error))
    }
}

impl From<NodeError> for Unsent {
    fn from(error: NodeError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_limit_is_not_the_size_of_one_request() {
        let check = |code, message: &str, expected| {
            let error = NodeError::refused("eth_getLogs", Code::Number(code), message);
            assert_eq!(error.is_limit(), expected, "{error}");
        };
        check(-32005, "limit exceeded", true);
        check(-32005, "daily request count exceeded, request rate limited", true);
        check(429, "Your app has exceeded its compute units per second capacity", true);
        check(-32005, "query returned more than 10000 results", false);
        check(-32005, "Log response size exceeded", false);
        check(-32005, "block range is too wide", false);
        check(-32005, "maximum 10 calls in 1 batch", false);
        check(-32000, "header not found", false);
    }
}
