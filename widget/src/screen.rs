//! The screens, and the names of what stands on them: leaves that state, events and effects share.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    Loading,
    Choose,
    Pay,
    Seen,
    Partial,
    Paid,
    Overpaid,
    PaidTwice,
    Expired,
    Problem,
}

impl Screen {
    /// The value of `data-screen`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Choose => "choose",
            Self::Pay => "pay",
            Self::Seen => "seen",
            Self::Partial => "partial",
            Self::Paid => "paid",
            Self::Overpaid => "overpaid",
            Self::PaidTwice => "paid-twice",
            Self::Expired => "expired",
            Self::Problem => "problem",
        }
    }

    pub fn is_complete(self) -> bool {
        matches!(self, Self::Paid | Self::Overpaid | Self::PaidTwice)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The URL opens no payment, or the token is not (or no longer) valid for it.
    Link,
    /// The gateway cannot be reached; the page keeps trying.
    Unreachable,
    /// The address did not pass the checks and is not shown.
    Refused,
    /// This version of the page cannot read the answer.
    Unreadable,
    /// There is no currency to choose.
    NothingOffered,
}

impl Problem {
    /// A stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Link => "link_invalid",
            Self::Unreachable => "unreachable",
            Self::Refused => "address_refused",
            Self::Unreadable => "unreadable",
            Self::NothingOffered => "nothing_offered",
        }
    }
}

/// A message about the payer's last request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The gateway could not be reached.
    NotReached,
    /// This choice is not possible now; another one may be.
    NotPossible,
    /// There is no exchange rate at the moment.
    NoRate,
    /// The payment no longer accepts another choice.
    Closed,
}

impl Notice {
    pub const ALL: [Self; 4] = [Self::NotReached, Self::NotPossible, Self::NoRate, Self::Closed];

    /// A stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::NotReached => "not_reached",
            Self::NotPossible => "not_possible",
            Self::NoRate => "no_rate",
            Self::Closed => "closed",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QrMode {
    Amount,
    Address,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Amount,
    Address,
    Tag,
    /// Of a receipt.
    Transaction,
    /// The merchant's id of the payment.
    Reference,
}
