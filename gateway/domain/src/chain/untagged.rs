//! Transfers to the account of all payments that have no tag, or one of no payment. No payment gets them until an operator decides.

use checkout_core::{Amount, Currency};

use super::{OutputId, Transfer};
use crate::ids::PaymentId;

/// One that a payer looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UntaggedTransfer {
    pub output: OutputId,
    pub currency: Currency,
    pub amount: Amount,
    pub to: String,
    pub tag: Option<String>,
    pub from: String,
    /// When it was confirmed, in UNIX seconds.
    pub seen_at: u64,
    pub state: UntaggedState,
    /// When it got this state, in UNIX seconds; `None` before any decision.
    pub decided_at: Option<u64>,
    /// In the order of time.
    pub reports: Vec<UntaggedReport>,
}

/// Ledgers round the time at which they close, in seconds.
const ROUNDED: u64 = 30;

/// Whether a transfer arrived before a page was shown, so that its sender did not follow this page.
pub fn precedes(seen_at: u64, shown_at: u64) -> bool {
    seen_at.saturating_add(ROUNDED) < shown_at
}

impl UntaggedTransfer {
    /// Whether the network still says the same of it.
    pub fn is(&self, transfer: &Transfer) -> bool {
        let Self { output, currency, amount, to, tag, from, .. } = self;
        (output, currency, amount) == (&transfer.output, &transfer.currency, &transfer.amount)
            && (to, tag, from) == (&transfer.to, &transfer.tag, &transfer.from)
    }

    pub fn is_reported_by(&self, payment: PaymentId) -> bool {
        self.reports.iter().any(|report| report.payment == payment)
    }
}

/// A payment on whose page the transfer was looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UntaggedReport {
    pub payment: PaymentId,
    /// In UNIX seconds.
    pub reported_at: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UntaggedState {
    /// Waits for a decision. `failure`: why an earlier one to credit it was not carried out.
    Open { failure: Option<String> },
    /// To be credited to this payment, but not recorded yet.
    Crediting(PaymentId),
    /// A deposit of this payment.
    Credited(PaymentId),
    /// No payment gets it.
    Refused,
}

impl UntaggedState {
    pub const CREDITING: &str = "CREDITING";
    pub const WORDS: [&str; 4] = ["OPEN", Self::CREDITING, "CREDITED", "REFUSED"];

    pub fn word(&self) -> &'static str {
        match self {
            Self::Open { .. } => "OPEN",
            Self::Crediting(_) => Self::CREDITING,
            Self::Credited(_) => "CREDITED",
            Self::Refused => "REFUSED",
        }
    }

    /// The payment that it is credited to.
    pub fn payment(&self) -> Option<PaymentId> {
        match self {
            Self::Crediting(payment) | Self::Credited(payment) => Some(*payment),
            Self::Open { .. } | Self::Refused => None,
        }
    }

    /// Whether an operator can decide so. What was credited is a deposit and stays one.
    pub fn can_become(&self, decided: &Self) -> bool {
        match (self, decided) {
            (Self::Open { .. } | Self::Refused, Self::Crediting(_))
            | (Self::Open { .. } | Self::Crediting(_), Self::Refused) => true,
            (Self::Crediting(_) | Self::Credited(_), Self::Crediting(_))
            | (Self::Credited(_) | Self::Refused, Self::Refused)
            | (_, Self::Open { .. } | Self::Credited(_)) => false,
        }
    }

    pub fn failure(&self) -> Option<&str> {
        match self {
            Self::Open { failure } => failure.as_deref(),
            Self::Crediting(_) | Self::Credited(_) | Self::Refused => None,
        }
    }
}
