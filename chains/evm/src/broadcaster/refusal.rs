//! Classifies a node's refusal of a transaction by its message; error codes are nearly the same for all
//! refusals.

use checkout_chain_http::{Code, NodeError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The node already has the transaction.
    Known,
    /// The account has a mined transaction with this nonce, perhaps this one.
    NumberUsed,
    /// Any other reason, such as low funds, a low price or a full pool. It is retried.
    Other,
}

/// Lower-case parts of messages of geth, Erigon, Nethermind, Besu, Reth and anvil.
const WORDS: &[(&str, Refusal)] = &[
    ("already known", Refusal::Known),
    ("alreadyknown", Refusal::Known),
    ("already imported", Refusal::Known),
    ("known transaction", Refusal::Known),
    ("nonce too low", Refusal::NumberUsed),
    ("nonce is too low", Refusal::NumberUsed),
    ("oldnonce", Refusal::NumberUsed),
];

pub(super) fn read(error: &NodeError) -> Refusal {
    let NodeError::Refused { message, .. } = error else { return Refusal::Other };
    let message = message.to_ascii_lowercase();
    WORDS.iter().find(|(part, _)| message.contains(part)).map_or(Refusal::Other, |(_, refusal)| *refusal)
}

/// The call itself fails on every node: code 3 of geth's interface, or a corresponding message.
pub(super) fn is_reverted(error: &NodeError) -> bool {
    let NodeError::Refused { code, message, .. } = error else { return false };
    *code == Code::Number(3) || message.to_ascii_lowercase().contains("execution reverted")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_nodes() {
        let check = |code, message: &str, expected, reverted| {
            let error = NodeError::refused("eth_sendRawTransaction", Code::Number(code), message);
            assert_eq!((read(&error), is_reverted(&error)), (expected, reverted), "{message}");
        };
        check(-32000, "already known", Refusal::Known, false);
        check(-32010, "AlreadyKnown", Refusal::Known, false);
        check(-32000, "nonce too low: next nonce 7, tx nonce 3", Refusal::NumberUsed, false);
        check(-32001, "Nonce too low", Refusal::NumberUsed, false);
        check(-32003, "transaction already imported", Refusal::Known, false);
        check(-32000, "insufficient funds for gas * price + value", Refusal::Other, false);
        check(-32000, "replacement transaction underpriced", Refusal::Other, false);
        check(3, "execution reverted: blacklisted", Refusal::Other, true);
        check(-32000, "execution reverted", Refusal::Other, true);
        assert_eq!(read(&NodeError::limited()), Refusal::Other);
    }
}
