//! What the screening of its sender came to, and what an operator decided of a flagged deposit.

/// Where a deposit stands with the screening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screening {
    /// The screening did not answer yet.
    Pending,
    Passed,
    /// Held until an operator decides.
    Flagged,
    /// Decided, and not done yet.
    Releasing,
    /// Taken like one that passed.
    Released,
    /// Decided, and not done yet.
    Refusing,
    /// Held for good: it is no part of its payment.
    Refused,
}

/// Whose address it is, as far as the screening knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressOwner {
    pub name: String,
    pub category: String,
}

/// What an operator says of a flagged deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Release,
    Refuse,
}

impl Screening {
    pub const ALL: [(Self, &str); 7] = [
        (Self::Pending, "PENDING"),
        (Self::Passed, "PASSED"),
        (Self::Flagged, "FLAGGED"),
        (Self::Releasing, "RELEASING"),
        (Self::Released, "RELEASED"),
        (Self::Refusing, "REFUSING"),
        (Self::Refused, "REFUSED"),
    ];

    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(known, _)| *known == self).map_or("", |(_, word)| word)
    }

    pub fn known(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|(screening, _)| *screening)
    }

    /// Its money is taken.
    pub fn is_cleared(self) -> bool {
        matches!(self, Self::Passed | Self::Released)
    }

    /// Its money is kept apart.
    pub fn is_held(self) -> bool {
        matches!(self, Self::Flagged | Self::Releasing | Self::Refusing | Self::Refused)
    }

    /// What an answer comes to for a deposit that is held also for another reason.
    #[must_use]
    pub fn with_hold(self, is_held: bool) -> Self {
        if is_held && self == Self::Passed { Self::Flagged } else { self }
    }

    /// Where a decision leads; `None` when it comes too late. What was released stays so: the merchant was told.
    pub fn decided(self, decision: Decision) -> Option<Self> {
        match (self, decision) {
            (Self::Flagged | Self::Refusing | Self::Refused, Decision::Release) => Some(Self::Releasing),
            (Self::Flagged | Self::Releasing, Decision::Refuse) => Some(Self::Refusing),
            _ => None,
        }
    }

    /// What a decision comes to once it is done.
    pub fn done(self) -> Option<Self> {
        match self {
            Self::Releasing => Some(Self::Released),
            Self::Refusing => Some(Self::Refused),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Decision::{Refuse, Release};
    use Screening::{Flagged, Passed, Pending, Refused, Refusing, Released, Releasing};

    #[test]
    fn what_can_be_decided() {
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
    fn taken_or_kept_apart() {
        for (screening, word) in Screening::ALL {
            let expected = match screening {
                Pending => (false, false),
                Passed | Released => (true, false),
                Flagged | Releasing | Refusing | Refused => (false, true),
            };
            assert_eq!((screening.is_cleared(), screening.is_held()), expected, "{word}");
            assert_eq!(Screening::known(word), Some(screening));
        }
    }
}
