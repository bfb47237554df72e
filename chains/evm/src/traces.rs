//! Transfers of the native coin by contracts. They emit no log; only a block trace shows them.

mod debug_trace;
mod trace_block;

use std::collections::BTreeSet;

use alloy_primitives::{Address, B256, U256};

use crate::node::Node;
use crate::node::answers::Block;
use crate::settings::InternalTransfers;
use checkout_chain_http::NodeError;

/// A successful transfer by a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub transaction: B256,
    /// Its index among the contract transfers of the transaction.
    pub position: u32,
    /// The payer. For a contract that does not outlive the transaction, the transaction's sender.
    pub from: Address,
    pub to: Address,
    pub value: U256,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallKind {
    Call,
    Create,
    SelfDestruct,
    /// `DELEGATECALL`, `STATICCALL`, `CALLCODE`: they move no coins to another account.
    Other,
}

/// One call of a trace. The frames of a transaction are in call order.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The path in the call tree: empty for the transaction itself.
    pub(crate) path: Vec<u32>,
    pub(crate) kind: CallKind,
    pub(crate) from: Address,
    pub(crate) to: Address,
    pub(crate) value: U256,
    pub(crate) failed: bool,
}

/// Returns the contract transfers in a block.
pub async fn moves(node: &Node, block: &Block, way: InternalTransfers) -> Result<Vec<Move>, NodeError> {
    if block.transactions.is_empty() {
        return Ok(Vec::new());
    }
    match way {
        InternalTransfers::DebugTrace => debug_trace::moves(node, block).await,
        InternalTransfers::TraceBlock => trace_block::moves(node, block).await,
        InternalTransfers::Off => Ok(Vec::new()),
    }
}

/// Fails if the node cannot trace this block.
pub async fn probe(node: &Node, block: &Block, way: InternalTransfers) -> Result<(), NodeError> {
    match way {
        InternalTransfers::DebugTrace => debug_trace::moves(node, block).await.map(drop),
        InternalTransfers::TraceBlock => trace_block::moves(node, block).await.map(drop),
        InternalTransfers::Off => Ok(()),
    }
}

/// Returns the transfers of one transaction. A failed call reverts all calls below it, including successful
/// ones.
fn of_transaction(transaction: B256, frames: &[Frame]) -> Vec<Move> {
    let Some(sender) = frames.first().map(|frame| frame.from) else { return Vec::new() };
    let mut failed: Option<&[u32]> = None;
    let (mut created, mut moves) = (BTreeSet::new(), Vec::new());
    for frame in frames {
        if failed.is_some_and(|path| frame.path.starts_with(path)) {
            continue;
        }
        if frame.failed {
            failed = Some(&frame.path);
            continue;
        }
        if frame.kind == CallKind::Create {
            created.insert(frame.to);
        }
        if frame.path.is_empty() || frame.kind == CallKind::Other || frame.value.is_zero() {
            continue;
        }
        // Such a contract could not receive a refund.
        let is_gone = frame.kind == CallKind::SelfDestruct || created.contains(&frame.from);
        moves.push(Move {
            transaction,
            position: u32::try_from(moves.len()).unwrap_or(u32::MAX),
            from: if is_gone { sender } else { frame.from },
            to: frame.to,
            value: frame.value,
        });
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(number: u8) -> Address {
        Address::with_last_byte(number)
    }

    fn frame(path: &[u32], kind: CallKind, from: u8, to: u8, value: u64, failed: bool) -> Frame {
        let (from, to) = (account(from), account(to));
        Frame { path: path.to_vec(), kind, from, to, value: U256::from(value), failed }
    }

    #[track_caller]
    fn check(frames: &[Frame], expected: &[(u32, u8, u8, u64)]) {
        let have = of_transaction(B256::ZERO, frames);
        let expected: Vec<Move> = expected
            .iter()
            .map(|(position, from, to, value)| Move {
                transaction: B256::ZERO,
                position: *position,
                from: account(*from),
                to: account(*to),
                value: U256::from(*value),
            })
            .collect();
        assert_eq!(have, expected);
    }

    #[test]
    fn what_moved() {
        use CallKind::{Call, Other};
        let top = || frame(&[], Call, 1, 2, 5, false);
        check(&[], &[]);
        check(&[top()], &[]);
        check(&[top(), frame(&[0], Call, 2, 3, 5, false)], &[(0, 2, 3, 5)]);
        check(
            &[
                top(),
                frame(&[0], Other, 2, 3, 5, false),
                frame(&[1], Call, 2, 3, 0, false),
                frame(&[2], Call, 2, 3, 7, false),
                frame(&[2, 0], Call, 3, 4, 6, false),
            ],
            &[(0, 2, 3, 7), (1, 3, 4, 6)],
        );
    }

    #[test]
    fn a_failed_call_reverts_the_calls_below_it() {
        use CallKind::Call;
        let top = |failed| frame(&[], Call, 1, 2, 5, failed);
        check(&[top(true), frame(&[0], Call, 2, 3, 5, false)], &[]);
        check(
            &[
                top(false),
                frame(&[0], Call, 2, 3, 5, true),
                frame(&[0, 0], Call, 3, 4, 5, false),
                frame(&[0, 0, 0], Call, 4, 5, 5, false),
                frame(&[1], Call, 2, 6, 5, false),
                frame(&[10], Call, 2, 7, 5, false),
            ],
            &[(0, 2, 6, 5), (1, 2, 7, 5)],
        );
    }

    #[test]
    fn destroyed_contracts_are_not_senders() {
        use CallKind::{Call, Create, SelfDestruct};
        check(&[frame(&[], Create, 1, 9, 5, false), frame(&[0], Call, 9, 3, 5, false)], &[(0, 1, 3, 5)]);
        check(
            &[frame(&[], Call, 1, 2, 0, false), frame(&[0], SelfDestruct, 2, 3, 5, false)],
            &[(0, 1, 3, 5)],
        );
    }
}
