//! The screening of a deposit's sender, and the operator's decision about a flagged deposit.

crate::words! {
    /// The screening state of a deposit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Screening {
        /// The screening has not answered yet.
        Pending = "PENDING",
        Passed = "PASSED",
        /// Held until an operator decides.
        Flagged = "FLAGGED",
        /// Decided, but not applied yet.
        Releasing = "RELEASING",
        /// Treated like one that passed.
        Released = "RELEASED",
        /// Decided, but not applied yet.
        Refusing = "REFUSING",
        /// Held permanently and removed from its payment.
        Refused = "REFUSED",
    }
}

/// The owner of an address, as far as the screening knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressOwner {
    pub name: String,
    pub category: String,
}

/// An operator's decision about a flagged deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Release,
    Refuse,
}

impl Screening {
    /// Whether its money is credited.
    pub fn is_cleared(self) -> bool {
        matches!(self, Self::Passed | Self::Released)
    }

    /// Whether its money is held.
    pub fn is_held(self) -> bool {
        matches!(self, Self::Flagged | Self::Releasing | Self::Refusing | Self::Refused)
    }

    /// The state after an answer, for a deposit that is also held for another reason.
    #[must_use]
    pub fn with_hold(self, is_held: bool) -> Self {
        if is_held && self == Self::Passed { Self::Flagged } else { self }
    }

    /// The state after a decision; `None` if it is too late. A released deposit stays released, because the
    /// merchant was notified.
    pub fn decided(self, decision: Decision) -> Option<Self> {
        match (self, decision) {
            (Self::Flagged | Self::Refusing | Self::Refused, Decision::Release) => Some(Self::Releasing),
            (Self::Flagged | Self::Releasing, Decision::Refuse) => Some(Self::Refusing),
            (Self::Releasing | Self::Released, Decision::Release)
            | (Self::Released | Self::Refusing | Self::Refused, Decision::Refuse)
            | (Self::Pending | Self::Passed, _) => None,
        }
    }

    /// The state after the decision is applied.
    pub fn done(self) -> Option<Self> {
        match self {
            Self::Releasing => Some(Self::Released),
            Self::Refusing => Some(Self::Refused),
            Self::Pending | Self::Passed | Self::Flagged | Self::Released | Self::Refused => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Decision::{Refuse, Release};
    use Screening::{Flagged, Passed, Pending, Refused, Refusing, Released, Releasing};

    #[test]
    fn possible_decisions() {
        let check = |before: Screening, release: Option<Screening>, refuse: Option<Screening>| {
            let have = (before.decided(Release), before.decided(Refuse));
            assert_eq!(have, (release, refuse), "{before:?}");
        };
        check(Pending, None, None);
        check(Passed, None, None);
        check(Flagged, Some(Releasing), Some(Refusing));
        check(Releasing, None, Some(Refusing));
        check(Released, None, None);
        check(Refusing, Some(Releasing), None);
        check(Refused, Some(Releasing), None);
    }

    #[test]
    fn credited_or_held() {
        for screening in Screening::ALL {
            let expected = match screening {
                Pending => (false, false),
                Passed | Released => (true, false),
                Flagged | Releasing | Refusing | Refused => (false, true),
            };
            assert_eq!((screening.is_cleared(), screening.is_held()), expected, "{screening:?}");
            assert_eq!(Screening::known(screening.as_str()), Some(screening));
        }
    }
}
