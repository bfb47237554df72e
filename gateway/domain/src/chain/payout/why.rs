//! Why a payout does not leave.

crate::words! {
    /// Why a payout does not leave: of several reasons the first one is said. Each is a `waitingReason` of the API, with its sentence in
    /// `www/desk/waits.ts`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Why {
        Rejected = "REJECTED",
        Disabled = "DISABLED",
        Unapproved = "UNAPPROVED",
        ApprovedOtherwise = "APPROVED_OTHERWISE",
        Unscreened = "UNSCREENED",
        Held = "HELD",
        OwnAddress = "OWN_ADDRESS",
        Unanswered = "UNANSWERED",
        NotFinal = "NOT_FINAL",
        Overdrawn = "OVERDRAWN",
        HourlyLimit = "HOURLY_LIMIT",
        FeeUnknown = "FEE_UNKNOWN",
        Fee = "FEE",
        Unsigned = "UNSIGNED",
        Changed = "CHANGED",
        NoNetwork = "NO_NETWORK",
    }
}

impl Why {
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Rejected => "An operator rejected or cancelled it: its money returns to the balance.",
            Self::Disabled => {
                "Its business is disabled: it waits until the business is enabled, or is cancelled."
            }
            Self::Unapproved => {
                "It is above a limit of its business, or changed after its approval: it waits for an approval."
            }
            Self::ApprovedOtherwise => {
                "Another address, tag or amount was approved: it waits for an approval again."
            }
            Self::Unscreened => {
                "The screening has not said today who owns its address: it waits for the answer."
            }
            Self::Held => {
                "It may have been sent already: it waits until the chain or an operator says whether it was."
            }
            Self::NotFinal => {
                "The deposits that pay for it are not final, or do not cover it: it waits until they are final and cover it."
            }
            Self::Overdrawn => {
                "The balance that it is taken from is below zero: it waits until that is made up for."
            }
            Self::OwnAddress => {
                "Its address is an account of this gateway: its money returns to the balance, or it waits for another address."
            }
            Self::Unanswered => {
                "Its network does not say whether its address can be paid: it waits, and the network is asked again."
            }
            Self::HourlyLimit => {
                "With it, more would leave of its business than may in an hour, or its coin has no rate: it waits."
            }
            Self::FeeUnknown => {
                "What its network asks is not known, or has no rate: it waits and is asked again."
            }
            Self::Fee => "Its network asks more than its fee: it waits until that falls, or is cancelled.",
            Self::Unsigned => {
                "Its network does not answer, or the wallet that pays holds too little: it waits and is tried again."
            }
            Self::Changed => "What it gives back changed meanwhile: it is prepared again.",
            Self::NoNetwork => "This gateway sends nothing on its network: it waits, or is cancelled.",
        }
    }
}
