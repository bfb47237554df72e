//! The causes of ledger entries.

use std::fmt;

use checkout_wire::list_ledger::LedgerEvent;
use uuid::Uuid;

/// The cause of an entry, as the text that is its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A deposit was confirmed, or is split anew: `generation` counts.
    Deposit {
        id: Uuid,
        generation: u32,
    },
    /// A refund was sent, by its payout.
    SentRefund(Uuid),
    /// A balance was charged.
    Withdrawal(Uuid),
    SentWithdrawal(Uuid),
    /// A balance was charged for a refund that the merchant asked for.
    MerchantRefund(Uuid),
    SentMerchantRefund(Uuid),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deposit { id, generation } => write!(f, "deposit/{id}/{generation}"),
            Self::SentRefund(id) => write!(f, "refund/{id}/sent"),
            Self::Withdrawal(id) => write!(f, "withdrawal/{id}"),
            Self::SentWithdrawal(id) => write!(f, "withdrawal/{id}/sent"),
            Self::MerchantRefund(id) => write!(f, "merchant-refund/{id}"),
            Self::SentMerchantRefund(id) => write!(f, "merchant-refund/{id}/sent"),
        }
    }
}

impl Cause {
    /// The cause of the entry that takes this one back.
    pub fn reversed(self) -> String {
        format!("{self}{REVERSED}")
    }

    /// Reads the text of a cause, and whether its entry takes another one back.
    pub fn read(text: &str) -> Option<(Self, bool)> {
        let (rest, is_reversed) = text.strip_suffix(REVERSED).map_or((text, false), |rest| (rest, true));
        let mut parts = rest.split('/');
        let (kind, id) = (parts.next()?, parts.next()?.parse().ok()?);
        let cause = match (kind, parts.next()) {
            ("deposit", Some(generation)) => Self::Deposit { id, generation: generation.parse().ok()? },
            ("refund", Some("sent")) => Self::SentRefund(id),
            ("withdrawal", None) => Self::Withdrawal(id),
            ("withdrawal", Some("sent")) => Self::SentWithdrawal(id),
            ("merchant-refund", None) => Self::MerchantRefund(id),
            ("merchant-refund", Some("sent")) => Self::SentMerchantRefund(id),
            _ => return None,
        };
        parts.next().is_none().then_some((cause, is_reversed))
    }

    pub fn event(self, is_reversed: bool) -> LedgerEvent {
        match (self, is_reversed) {
            (Self::Deposit { .. }, false) => LedgerEvent::Deposit,
            (Self::Deposit { .. }, true) => LedgerEvent::DepositReversed,
            (Self::SentRefund(_) | Self::SentMerchantRefund(_), false) => LedgerEvent::RefundSent,
            (Self::SentRefund(_) | Self::SentMerchantRefund(_), true) => LedgerEvent::RefundReversed,
            (Self::MerchantRefund(_), false) => LedgerEvent::Refund,
            (Self::MerchantRefund(_), true) => LedgerEvent::RefundReturned,
            (Self::Withdrawal(_), false) => LedgerEvent::Withdrawal,
            (Self::Withdrawal(_), true) => LedgerEvent::WithdrawalReturned,
            (Self::SentWithdrawal(_), false) => LedgerEvent::WithdrawalSent,
            (Self::SentWithdrawal(_), true) => LedgerEvent::WithdrawalReversed,
        }
    }
}

const REVERSED: &str = "/reversed";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back() {
        let id = Uuid::from_u128(7);
        let all = [
            Cause::Deposit { id, generation: 12 },
            Cause::SentRefund(id),
            Cause::Withdrawal(id),
            Cause::SentWithdrawal(id),
            Cause::MerchantRefund(id),
            Cause::SentMerchantRefund(id),
        ];
        for cause in all {
            assert_eq!(Cause::read(&cause.to_string()), Some((cause, false)));
            assert_eq!(Cause::read(&cause.reversed()), Some((cause, true)));
        }
        for text in
            ["", "deposit", "deposit/1/1", &format!("deposit/{id}"), &format!("withdrawal/{id}/sent/x")]
        {
            assert_eq!(Cause::read(text), None, "{text}");
        }
    }
}
