//! Limits that are to be looser: one person alone lifts none within a day.

use checkout_core::Decimal;

use super::rules::{RuleChanges, Rules};
use crate::access::actor::Actor;

/// Seconds after which a looser limit holds without a second person.
const AFTER: u64 = 86_400;

crate::words! {
    /// A limit that only two people, or a day, make looser.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Limit {
        Daily = "DAILY",
        ApprovalAbove = "APPROVAL_ABOVE",
        WhitelistOnly = "WHITELIST_ONLY",
    }
}

impl Limit {
    /// In EUR; `None`: no limit. The whitelist is one that lets nothing pass, or none.
    fn of(self, rules: &Rules) -> Option<Decimal> {
        match self {
            Self::Daily => rules.daily_limit,
            Self::ApprovalAbove => rules.approval_above,
            Self::WhitelistOnly => rules.whitelist_only.then_some(Decimal::ZERO),
        }
    }

    fn put(self, rules: &mut Rules, value: Option<Decimal>) {
        match self {
            Self::Daily => rules.daily_limit = value,
            Self::ApprovalAbove => rules.approval_above = value,
            Self::WhitelistOnly => rules.whitelist_only = value.is_some(),
        }
    }

    fn is_in(self, changes: &RuleChanges) -> bool {
        match self {
            Self::Daily => changes.daily_limit.is_some(),
            Self::ApprovalAbove => changes.approval_above.is_some(),
            Self::WhitelistOnly => changes.whitelist_only.is_some(),
        }
    }
}

fn is_looser(before: Option<Decimal>, after: Option<Decimal>) -> bool {
    before.is_some_and(|before| after.is_none_or(|after| after > before))
}

/// A looser limit that somebody asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looser {
    pub limit: Limit,
    /// `None`: no limit.
    pub value: Option<Decimal>,
    pub by: Actor,
    pub at: u64,
}

/// The limits of a business, and those that are to be looser.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub rules: Rules,
    /// At most one of each limit.
    pub looser: Vec<Looser>,
}

impl Limits {
    pub fn in_force(&self, now: u64) -> Rules {
        let mut rules = self.rules;
        for Looser { limit, value, .. } in self.looser.iter().filter(|looser| looser.holds(now)) {
            limit.put(&mut rules, *value);
        }
        rules
    }

    /// What is tighter holds at once, and so does what somebody else asked for in the same way. What is set otherwise drops what was
    /// asked for.
    #[must_use]
    pub fn change(&self, changes: RuleChanges, by: &Actor, now: u64) -> Self {
        let before = self.in_force(now);
        let mut rules = changes.apply(before);
        let mut looser: Vec<Looser> =
            self.looser.iter().filter(|looser| !looser.holds(now)).cloned().collect();
        for limit in Limit::ALL.into_iter().filter(|limit| limit.is_in(&changes)) {
            let value = limit.of(&rules);
            let asked = looser.iter().position(|known| known.limit == limit).map(|at| looser.remove(at));
            let asked = asked.filter(|known| known.value == value);
            if !is_looser(limit.of(&before), value) || asked.as_ref().is_some_and(|known| known.by != *by) {
                continue;
            }
            limit.put(&mut rules, limit.of(&before));
            looser.push(asked.unwrap_or_else(|| Looser { limit, value, by: by.clone(), at: now }));
        }
        Self { rules, looser }
    }
}

impl Looser {
    /// From then on it holds without a second person.
    pub fn holds_from(&self) -> u64 {
        self.at.saturating_add(AFTER)
    }

    fn holds(&self, now: u64) -> bool {
        now >= self.holds_from()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_000_000;

    fn limit(text: &str) -> Option<Decimal> {
        (!text.is_empty()).then(|| text.parse().unwrap())
    }

    fn daily(text: &str) -> RuleChanges {
        RuleChanges { daily_limit: Some(limit(text)), ..RuleChanges::default() }
    }

    fn who(name: &str) -> Actor {
        Actor::of_token(name)
    }

    /// Rows: who sets which daily limit after how many seconds, and what holds then.
    #[test]
    fn a_looser_limit_takes_a_day_or_two_people() {
        let check = |rows: &[(&str, u64, &str, &str)]| {
            let mut limits = Limits::default();
            limits.rules.daily_limit = limit("100");
            for (by, after, value, expected) in rows {
                let now = NOW + after;
                if *by != "nobody" {
                    limits = limits.change(daily(value), &who(by), now);
                }
                assert_eq!(limits.in_force(now).daily_limit, limit(expected), "{rows:?}: {by} {after}");
            }
        };
        check(&[("a", 0, "50", "50"), ("a", 1, "0", "0")]);
        for loose in ["100.01", "500", ""] {
            check(&[("a", 0, loose, "100"), ("nobody", AFTER - 1, "", "100"), ("nobody", AFTER, "", loose)]);
            check(&[("a", 0, loose, "100"), ("b", 1, loose, loose)]);
            // Again by the same one: the time stays.
            check(&[("a", 0, loose, "100"), ("a", 9, loose, "100"), ("nobody", AFTER, "", loose)]);
            // What holds, or what is tighter, drops it.
            for tight in ["100", "20"] {
                check(&[("a", 0, loose, "100"), ("b", 1, tight, tight), ("nobody", AFTER + 1, "", tight)]);
                check(&[("a", 0, loose, "100"), ("a", 1, tight, tight), ("b", 2, loose, tight)]);
            }
        }
        // Another one is asked for anew.
        check(&[("a", 0, "500", "100"), ("b", 9, "400", "100"), ("nobody", AFTER, "", "100")]);
        check(&[("a", 0, "500", "100"), ("b", 9, "400", "100"), ("a", 10, "400", "400")]);
        // Two steps of one person, each after a day.
        check(&[("a", 0, "500", "100"), ("a", AFTER, "900", "500"), ("nobody", 2 * AFTER, "", "900")]);
        // A limit that was not there is tighter.
        check(&[("a", 0, "", "100"), ("b", 0, "", ""), ("a", 1, "300", "300"), ("a", 2, "301", "300")]);
    }

    #[test]
    fn limits_wait_each_for_itself_and_other_settings_hold_at_once() {
        let all = Rules {
            daily_limit: limit("100"),
            approval_above: limit("10"),
            whitelist_only: true,
            claim_limit: None,
            maximum_network_fee: limit("5"),
        };
        let off = RuleChanges {
            daily_limit: Some(None),
            approval_above: Some(limit("20")),
            whitelist_only: Some(false),
            claim_limit: Some(limit("7")),
            maximum_network_fee: Some(None),
        };
        let asked = Limits { rules: all, looser: Vec::new() }.change(off, &who("a"), NOW);
        let others = Rules { claim_limit: limit("7"), maximum_network_fee: None, ..all };
        assert_eq!(asked.in_force(NOW), others);
        assert_eq!(asked.in_force(NOW + AFTER), off.apply(all));
        let whitelist = RuleChanges { whitelist_only: Some(false), ..RuleChanges::default() };
        let agreed = asked.change(whitelist, &who("b"), NOW + 1);
        assert_eq!(agreed.in_force(NOW + 1), Rules { whitelist_only: false, ..others });
        assert_eq!(agreed.looser.len(), 2);
        let unchanged = asked.change(RuleChanges::default(), &who("b"), NOW + 1);
        assert_eq!(unchanged, asked);
    }
}
