//! What moves in the calls of a transaction.

use std::collections::BTreeSet;

use alloy_primitives::{Address, B256, U256};

use super::Move;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallKind {
    Call,
    Create,
    SelfDestruct,
    /// `DELEGATECALL`, `STATICCALL`, `CALLCODE`: they move no coins to another account.
    Other,
}

/// One call. The frames of a transaction are in call order: each before the calls that it makes.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// 0 for the transaction itself.
    pub(super) depth: u32,
    pub(super) kind: CallKind,
    pub(super) from: Address,
    pub(super) to: Address,
    pub(super) value: U256,
    pub(super) failed: bool,
}

/// Returns the transfers of one transaction. A failed call reverts all calls below it, including successful
/// ones.
pub(super) fn moves(transaction: B256, frames: &[Frame]) -> Vec<Move> {
    let Some(sender) = frames.first().map(|frame| frame.from) else { return Vec::new() };
    let mut failed: Option<u32> = None;
    let (mut created, mut moves) = (BTreeSet::new(), Vec::new());
    for frame in frames {
        if failed.is_some_and(|depth| frame.depth > depth) {
            continue;
        }
        failed = frame.failed.then_some(frame.depth);
        if frame.failed {
            continue;
        }
        if frame.kind == CallKind::Create {
            created.insert(frame.to);
        }
        if frame.depth == 0 || frame.kind == CallKind::Other || frame.value.is_zero() {
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

    fn frame(depth: u32, kind: CallKind, from: u8, to: u8, value: u64, failed: bool) -> Frame {
        let (from, to) = (account(from), account(to));
        Frame { depth, kind, from, to, value: U256::from(value), failed }
    }

    #[track_caller]
    fn check(frames: &[Frame], expected: &[(u32, u8, u8, u64)]) {
        let have = moves(B256::ZERO, frames);
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
        let top = || frame(0, Call, 1, 2, 5, false);
        check(&[], &[]);
        check(&[top()], &[]);
        check(&[top(), frame(1, Call, 2, 3, 5, false)], &[(0, 2, 3, 5)]);
        check(
            &[
                top(),
                frame(1, Other, 2, 3, 5, false),
                frame(1, Call, 2, 3, 0, false),
                frame(1, Call, 2, 3, 7, false),
                frame(2, Call, 3, 4, 6, false),
            ],
            &[(0, 2, 3, 7), (1, 3, 4, 6)],
        );
    }

    #[test]
    fn a_failed_call_reverts_the_calls_below_it() {
        use CallKind::Call;
        let top = |failed| frame(0, Call, 1, 2, 5, failed);
        check(&[top(true), frame(1, Call, 2, 3, 5, false)], &[]);
        check(
            &[
                top(false),
                frame(1, Call, 2, 3, 5, true),
                frame(2, Call, 3, 4, 5, false),
                frame(3, Call, 4, 5, 5, false),
                frame(1, Call, 2, 6, 5, false),
                frame(1, Call, 2, 7, 5, false),
            ],
            &[(0, 2, 6, 5), (1, 2, 7, 5)],
        );
    }

    #[test]
    fn destroyed_contracts_are_not_senders() {
        use CallKind::{Call, Create, SelfDestruct};
        check(&[frame(0, Create, 1, 9, 5, false), frame(1, Call, 9, 3, 5, false)], &[(0, 1, 3, 5)]);
        check(&[frame(0, Call, 1, 2, 0, false), frame(1, SelfDestruct, 2, 3, 5, false)], &[(0, 1, 3, 5)]);
    }
}
