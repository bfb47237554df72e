//! What follows for a payout from what its network says of its transactions. The tables of the tests are the rule.

use super::state::{PayoutState, Versions};
use super::{Payout, Signed};
use crate::chain::answers::{Known, Unsent};

/// The next step of a payout that its network took once.
#[derive(Debug, PartialEq, Eq)]
pub enum Tracked<'a> {
    /// A block has this one, and had none or another one before.
    Confirms(&'a Signed),
    /// The block is final.
    Settles,
    /// A final block has one, and it moved nothing.
    Reverts,
    /// The block left the chain.
    Unconfirms(Absent<'a>),
    /// No block has any.
    Waits(Absent<'a>),
    Rests,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Absent<'a> {
    /// The first of these that the network takes is sent again.
    pub again: Vec<&'a Signed>,
    /// The network has one of them.
    pub is_pending: bool,
}

/// `known`: the newest last. All of them spend the same coins or have the same number, so a block has one of them at most.
pub fn track<'a>(
    state: &PayoutState,
    known: &[(&'a Signed, Known)],
    is_final: impl Fn(u64) -> bool,
) -> Tracked<'a> {
    let by = match state {
        PayoutState::Sent { .. } => None,
        PayoutState::Confirmed { by, .. } => Some(by),
        PayoutState::Unaddressed
        | PayoutState::Waiting
        | PayoutState::Signed(_)
        | PayoutState::Final { .. }
        | PayoutState::Cancelled
        | PayoutState::Failed
        | PayoutState::Reverted => return Tracked::Rests,
    };
    let confirmed = known.iter().find_map(|(signed, known)| match known {
        Known::Confirmed(blocks) => Some((*signed, *blocks)),
        Known::Reverted(_) | Known::Pending | Known::Unknown => None,
    });
    if let Some((signed, blocks)) = confirmed {
        return match by {
            Some(by) if by.transaction_id != signed.transaction_id => Tracked::Confirms(signed),
            None => Tracked::Confirms(signed),
            Some(_) if is_final(blocks) => Tracked::Settles,
            Some(_) => Tracked::Rests,
        };
    }
    let moved_nothing = known.iter().find_map(|(_, known)| match known {
        Known::Reverted(blocks) => Some(*blocks),
        Known::Confirmed(_) | Known::Pending | Known::Unknown => None,
    });
    match (moved_nothing, by) {
        // In the block before it had moved the money.
        (Some(_), Some(_)) => Tracked::Unconfirms(Absent { again: Vec::new(), is_pending: false }),
        (Some(blocks), None) if is_final(blocks) => Tracked::Reverts,
        (Some(_), None) => Tracked::Rests,
        (None, Some(_)) => Tracked::Unconfirms(absent(known)),
        (None, None) => Tracked::Waits(absent(known)),
    }
}

fn absent<'a>(known: &[(&'a Signed, Known)]) -> Absent<'a> {
    let is_pending = known.iter().any(|(_, known)| *known == Known::Pending);
    let tried = match known.last() {
        // A network that has an older one is only asked to take the newest instead.
        Some((_, Known::Unknown)) if is_pending => 1,
        Some((_, Known::Unknown)) => known.len(),
        _ => 0,
    };
    Absent { again: known.iter().rev().take(tried).map(|(signed, _)| *signed).collect(), is_pending }
}

/// The next step of a payout that was signed and offered to its network.
#[derive(Debug, PartialEq, Eq)]
pub enum Offered<'a> {
    /// The network has this one.
    Sent(&'a Signed),
    /// An operator decides whether it is signed again.
    Held(String),
    /// It can never be included, and nothing of it was sent.
    Expired(&'a str),
    /// The network takes none for now.
    Waits,
    /// It can never be sent.
    Refused(&'a str),
    Rests,
}

/// What makes an answer of the network doubtful.
#[derive(Clone, Copy, Debug, Default)]
pub struct Doubts {
    /// When the database was restored, if that was lately.
    pub restored_at: Option<u64>,
    /// The network has not been able to tell for long whether a transaction was sent.
    pub is_unproven_for_long: bool,
}

/// `answers`: the newest first, up to the first that was taken or is expired. A lost gateway may have replaced, or signed again, what
/// was in the backup.
pub fn offered<'a>(
    payout: &Payout,
    versions: &Versions,
    answers: &'a [(&'a Signed, Result<(), Unsent>)],
    doubts: Doubts,
) -> Offered<'a> {
    let (mut waits, mut refused) = (None, None);
    for (signed, answer) in answers {
        match answer {
            Ok(()) => return Offered::Sent(signed),
            Err(Unsent::Unavailable(error)) => waits = waits.or(Some(error)),
            Err(Unsent::Refused(reason)) => refused = refused.or(Some(reason)),
            Err(Unsent::Expired(reason)) if doubts.restored_at.is_some_and(|at| payout.created_at <= at) => {
                return Offered::Held(since_the_backup(&format!("expired: {reason}")));
            }
            Err(Unsent::Expired(reason)) if **signed == versions.first => return Offered::Expired(reason),
            Err(Unsent::Expired(_)) => return Offered::Rests,
        }
    }
    match (waits, refused) {
        (Some(error), _) if doubts.is_unproven_for_long => {
            // Each of them may have been.
            let ids: Vec<&str> = versions.all().map(|signed| &*signed.transaction_id).collect();
            Offered::Held(format!("its transaction {} may have been sent: {error}", ids.join(" or ")))
        }
        (Some(_), _) => Offered::Waits,
        (None, Some(reason)) if doubts.restored_at.is_some() => {
            Offered::Held(since_the_backup(&format!("is refused: {reason}")))
        }
        (None, Some(reason)) => Offered::Refused(reason),
        (None, None) => Offered::Rests,
    }
}

fn since_the_backup(its_own: &str) -> String {
    format!("it may have been sent by another transaction since the backup, and its transaction {its_own}")
}

#[cfg(test)]
mod tests {
    use Known::{Confirmed, Pending, Reverted, Unknown};

    use super::*;
    use crate::chain::payout::fixture::payout;

    const DEEP: u64 = 6;

    fn version(number: u8) -> Signed {
        Signed { transaction_id: format!("v{number}"), bytes: vec![number], sequence: None }
    }

    fn versions(count: u8) -> Versions {
        let later = (2..=count).map(version).collect();
        Versions { first: version(1), later, pending_since: 0, capped_at: None }
    }

    /// In short: the word, and the transactions that it names.
    fn short(step: &Tracked<'_>) -> String {
        let absent = |word: &str, Absent { again, is_pending }: &Absent<'_>| {
            let mut words = vec![word];
            words.extend(is_pending.then_some("pending"));
            words.extend(again.iter().map(|signed| &*signed.transaction_id));
            words.join(" ")
        };
        match step {
            Tracked::Confirms(signed) => format!("confirms {}", signed.transaction_id),
            Tracked::Settles => "settles".to_owned(),
            Tracked::Reverts => "reverts".to_owned(),
            Tracked::Unconfirms(all) => absent("unconfirms", all),
            Tracked::Waits(all) => absent("waits", all),
            Tracked::Rests => "rests".to_owned(),
        }
    }

    #[test]
    fn what_a_network_says_of_what_was_sent() {
        let all = versions(2);
        let sent = PayoutState::Sent { versions: all.clone(), shown: version(1) };
        let confirmed = PayoutState::Confirmed { versions: all.clone(), by: version(1), at: 0 };
        let check = |answers: [Known; 2], of_sent: &str, of_confirmed: &str| {
            let known: Vec<(&Signed, Known)> = all.all().zip(answers).collect();
            for (state, expected) in [(&sent, of_sent), (&confirmed, of_confirmed)] {
                let step = track(state, &known, |blocks| blocks >= DEEP);
                assert_eq!(short(&step), expected, "{answers:?} of {:?}", state.word());
            }
        };
        check([Confirmed(1), Unknown], "confirms v1", "rests");
        check([Confirmed(DEEP - 1), Unknown], "confirms v1", "rests");
        check([Confirmed(DEEP), Unknown], "confirms v1", "settles");
        check([Unknown, Confirmed(1)], "confirms v2", "confirms v2");
        check([Pending, Confirmed(DEEP)], "confirms v2", "confirms v2");
        check([Confirmed(1), Reverted(DEEP)], "confirms v1", "rests");
        check([Reverted(DEEP - 1), Unknown], "rests", "unconfirms");
        check([Unknown, Reverted(DEEP)], "reverts", "unconfirms");
        check([Pending, Pending], "waits pending", "unconfirms pending");
        check([Unknown, Pending], "waits pending", "unconfirms pending");
        check([Pending, Unknown], "waits pending v2", "unconfirms pending v2");
        check([Unknown, Unknown], "waits v2 v1", "unconfirms v2 v1");
    }

    #[test]
    fn only_what_was_sent_is_tracked() {
        let signed = version(1);
        let signed_only = PayoutState::Signed(versions(1));
        let settled = PayoutState::Final { transaction_id: "v1".to_owned(), at: 0 };
        for state in [PayoutState::Waiting, signed_only, settled, PayoutState::Failed, PayoutState::Reverted]
        {
            let step = track(&state, &[(&signed, Confirmed(DEEP))], |_| true);
            assert_eq!(step, Tracked::Rests, "{:?}", state.word());
        }
    }

    fn later() -> Result<(), Unsent> {
        Err(Unsent::later("later"))
    }

    fn refused() -> Result<(), Unsent> {
        Err(Unsent::Refused("refused".to_owned()))
    }

    fn expired() -> Result<(), Unsent> {
        Err(Unsent::Expired("old".to_owned()))
    }

    #[test]
    fn what_a_network_says_of_what_is_offered() {
        let all = versions(2);
        let check = |answers: Vec<Result<(), Unsent>>, doubts: Doubts, expected: &str| {
            let answers: Vec<_> = all.all().rev().zip(answers).collect();
            let step = match offered(&Payout { created_at: 10, ..payout() }, &all, &answers, doubts) {
                Offered::Sent(signed) => format!("sent {}", signed.transaction_id),
                Offered::Held(why) => format!("held: {why}"),
                Offered::Expired(why) => format!("expired: {why}"),
                Offered::Refused(why) => format!("refused: {why}"),
                Offered::Waits => "waits".to_owned(),
                Offered::Rests => "rests".to_owned(),
            };
            assert_eq!(step, expected, "{answers:?}, {doubts:?}");
        };
        let sure = Doubts::default();
        check(vec![Ok(())], sure, "sent v2");
        check(vec![refused(), Ok(())], sure, "sent v1");
        check(vec![later(), Ok(())], sure, "sent v1");
        check(vec![later(), refused()], sure, "waits");
        check(vec![refused(), later()], sure, "waits");
        check(vec![refused(), refused()], sure, "refused: refused");
        check(vec![later(), expired()], sure, "expired: old");
        check(vec![expired()], sure, "rests");

        let unproven = Doubts { is_unproven_for_long: true, ..sure };
        check(vec![later(), refused()], unproven, "held: its transaction v1 or v2 may have been sent: later");
        check(vec![later(), Ok(())], unproven, "sent v1");

        let since =
            "held: it may have been sent by another transaction since the backup, and its transaction";
        let restored = |at| Doubts { restored_at: Some(at), ..sure };
        check(vec![refused(), refused()], restored(9), &format!("{since} is refused: refused"));
        check(vec![later(), refused()], restored(9), "waits");
        check(vec![expired()], restored(10), &format!("{since} expired: old"));
        check(vec![later(), expired()], restored(10), &format!("{since} expired: old"));
        check(vec![expired()], restored(9), "rests");
        check(vec![later(), expired()], restored(9), "expired: old");
        check(vec![Ok(())], restored(10), "sent v2");
    }
}
