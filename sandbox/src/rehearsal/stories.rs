//! The stories: what happens, what a right shop does, and the rule of the guide.

use self::Act::{
    Arrive, ArriveAtOnce, ArriveBesideSlow, ArriveExtended, ArriveReversed, ArriveUnknown, Choose, Deliver,
    DoubleSpend, Flag, ForeignOrder, Forge, LoseAnswers, LoseFirst, Mine, Order, Paid, Release, Reorganise,
    Rotate, Send, Silence, Take, Unpaid, WindowEnds,
};
use self::Coin::{Btc, Eth};
use super::forgery::Forgery;

/// The guide whose rules the stories test.
pub const GUIDE: &str = "docs/guides/webhooks.md";

#[derive(Debug)]
pub struct Story {
    pub name: &'static str,
    pub happens: &'static str,
    /// The behaviour of a correct shop.
    pub right: &'static str,
    /// The rule, in [`GUIDE`].
    pub anchor: &'static str,
    /// The answers of the receiver alone grade it; the status URL adds to that.
    pub by_answers: bool,
    pub acts: &'static [Act],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Coin {
    /// Deposits are instant: reported before they are in a block.
    Btc,
    /// Deposits are reported once they are in a block.
    Eth,
}

/// A step of a story.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// The shop opens an order.
    Order,
    /// Another shop of the same business opens an order.
    ForeignOrder,
    /// The payer chooses the coin. Amount and address of each choice stay valid.
    Choose(Coin),
    /// The payer sends this percentage of the amount that is shown.
    Send(Coin, u128),
    /// A block with all transfers.
    Mine(Coin),
    /// The last block leaves the chain; its transfers wait again.
    Reorganise(Coin),
    /// The last transfer is gone: its sender spent the coins elsewhere.
    DoubleSpend,
    WindowEnds,
    /// The screening flags the sender of all transfers.
    Flag,
    /// An operator releases the held deposit.
    Release,
    /// The callback secret is rotated: callbacks carry two signatures.
    Rotate,
    /// The gateway sends what is due: at least one callback.
    Deliver,
    /// Nothing is due.
    Silence,
    /// The first request is lost; the gateway sends it again.
    LoseFirst,
    /// So many attempts of one callback: all answers but the last are lost.
    LoseAnswers(usize),
    /// The gateway sends what is due, and it stays on its way.
    Take,
    /// The held requests arrive.
    Arrive,
    /// The same, last one first.
    ArriveReversed,
    /// The same, each so many times at once.
    ArriveAtOnce(usize),
    /// The same, with a field that the receiver does not know.
    ArriveExtended,
    /// An event about the order arrives, of a type that the receiver does not know.
    ArriveUnknown,
    /// The held requests arrive, while a request of somebody else stays unfinished.
    ArriveBesideSlow,
    /// A request that is not the gateway's, made of what was taken.
    Forge(Forgery),
    /// The order is paid.
    Paid,
    /// The order is not paid.
    Unpaid,
}

const fn answers(mut story: Story) -> Story {
    story.by_answers = true;
    story
}

const fn story(
    name: &'static str,
    happens: &'static str,
    right: &'static str,
    anchor: &'static str,
    acts: &'static [Act],
) -> Story {
    Story { name, happens, right, anchor, by_answers: false, acts }
}

#[rustfmt::skip]
pub const STORIES: &[Story] = &[
    // Money.
    story("paid", "The whole amount is in a block.", "The order is paid.", "read",
        &[Order, Send(Eth, 100), Mine(Eth), Deliver, Paid]),
    story("instant", "A transfer is seen and in no block; the callback says CONFIRMED.", "The order is not paid yet.", "instant",
        &[Order, Send(Btc, 100), Deliver, Unpaid]),
    story("instant-mined", "The block of an instant deposit comes; no second callback follows.", "The shop asks again: the order is paid.", "instant",
        &[Order, Send(Btc, 100), Deliver, Mine(Btc), Silence, Paid]),
    story("double-spend", "An instant deposit is reported; then its sender spends the coins elsewhere.", "The order is not paid.", "instant",
        &[Order, Send(Btc, 100), Deliver, DoubleSpend, Unpaid]),
    story("double-spend-first", "The coins of an instant deposit are spent elsewhere while the callback is on its way.", "The order is not paid.", "read",
        &[Order, Send(Btc, 100), Take, DoubleSpend, Arrive, Unpaid]),
    story("part", "The payer sends 40 %.", "The order is not paid.", "read",
        &[Order, Send(Eth, 40), Mine(Eth), Deliver, Unpaid]),
    story("parts", "The payer sends 40 %, then the rest.", "The order is paid after the second transfer.", "read",
        &[Order, Send(Eth, 40), Mine(Eth), Deliver, Unpaid, Send(Eth, 60), Mine(Eth), Deliver, Paid]),
    story("two-coins", "The payer changes the coin, and sends a part in each.", "The order is paid; amounts of two coins are not added.", "read",
        &[Order, Choose(Btc), Choose(Eth), Send(Btc, 40), Mine(Btc), Deliver, Unpaid, Send(Eth, 65), Mine(Eth), Deliver, Paid]),
    story("too-much", "The payer sends 150 %.", "The order is paid: OVERPAID is paid.", "read",
        &[Order, Send(Eth, 150), Mine(Eth), Deliver, Paid]),
    story("late", "The whole amount comes after the window.", "The order is paid.", "read",
        &[Order, Choose(Eth), WindowEnds, Unpaid, Send(Eth, 100), Mine(Eth), Deliver, Paid]),
    story("part-expired", "40 % came, and the window ends.", "The order is not paid.", "read",
        &[Order, Send(Eth, 40), Mine(Eth), Deliver, WindowEnds, Unpaid]),
    story("rest-late", "40 % came within the window, the rest comes after it.", "The order is paid.", "read",
        &[Order, Send(Eth, 40), Mine(Eth), Deliver, WindowEnds, Unpaid, Send(Eth, 60), Mine(Eth), Deliver, Paid]),
    story("reorganised", "The block of a paid order leaves the chain, and the transfer comes back in another.", "The order is paid, and stays so.", "read",
        &[Order, Send(Eth, 100), Mine(Eth), Deliver, Paid, Reorganise(Eth), Mine(Eth), Silence, Paid]),
    story("reorganised-first", "The block leaves the chain for good while the callback is on its way.", "The order is not paid.", "read",
        &[Order, Send(Eth, 100), Mine(Eth), Take, Reorganise(Eth), DoubleSpend, Arrive, Unpaid]),
    story("held", "The screening holds the deposit; an operator releases it.", "The order is paid after the release.", "read",
        &[Order, Flag, Send(Eth, 100), Mine(Eth), Silence, Unpaid, Release, Deliver, Paid]),

    // Delivery.
    story("five-times", "The shop's answers are lost: the same callback comes five times.", "Each is answered with 2xx; the order is paid once.", "deduplicate",
        &[Order, Send(Eth, 100), Mine(Eth), LoseAnswers(5), Paid]),
    story("part-five-times", "The callback of 40 % comes five times.", "The order is not paid: 40 % is not 200 %.", "deduplicate",
        &[Order, Send(Eth, 40), Mine(Eth), LoseAnswers(5), Unpaid]),
    story("five-at-once", "The callback of 40 % comes five times at the same moment.", "The order is not paid.", "deduplicate",
        &[Order, Send(Eth, 40), Mine(Eth), Take, ArriveAtOnce(5), Unpaid]),
    story("out-of-order", "The callback of the second part comes before that of the first.", "The order is paid.", "read",
        &[Order, Send(Eth, 40), Mine(Eth), Send(Eth, 60), Mine(Eth), Take, ArriveReversed, Paid]),
    story("small-after-whole", "The callback of an early 10 % comes after that of the whole amount.", "The order is paid, and stays so.", "read",
        &[Order, Send(Eth, 10), Mine(Eth), Send(Eth, 100), Mine(Eth), Take, ArriveReversed, Paid]),
    answers(story("lost", "The first request is lost; the gateway sends it again.", "The second is answered with 2xx; the order is paid.", "answer",
        &[Order, Send(Eth, 100), Mine(Eth), LoseFirst, Paid])),
    answers(story("foreign-order", "The callback is about an order that this shop does not know.", "It is answered with 2xx, else it is sent for three days.", "unknown",
        &[ForeignOrder, Send(Eth, 100), Mine(Eth), Deliver])),
    answers(story("new-field", "The body has a field that the shop does not know.", "It is answered with 2xx; the order is paid.", "unknown",
        &[Order, Send(Eth, 100), Mine(Eth), Take, ArriveExtended, Paid])),
    answers(story("unknown-event", "A typed event comes that the shop does not know, then a callback.", "Both are answered with 2xx; the order is paid.", "unknown",
        &[Order, Send(Eth, 100), Mine(Eth), Take, ArriveUnknown, Arrive, Paid])),

    // Forgery and force.
    answers(story("unsigned", "A request without a signature.", "It is refused; the order is not paid.", "verify",
        &[Order, Send(Btc, 100), Take, DoubleSpend, Forge(Forgery::Unsigned), Unpaid])),
    answers(story("wrong-signature", "A callback signed with another secret.", "It is refused; the order is not paid.", "verify",
        &[Order, Send(Btc, 100), Take, DoubleSpend, Forge(Forgery::WrongSecret), Unpaid])),
    answers(story("changed-body", "The amounts of a signed callback were changed on its way.", "It is refused; the order is not paid.", "verify",
        &[Order, Send(Eth, 40), Mine(Eth), Take, Forge(Forgery::ChangedBody), Unpaid])),
    answers(story("old-timestamp", "A callback that was signed ten minutes ago.", "It is refused; the order is not paid.", "verify",
        &[Order, Send(Btc, 100), Take, DoubleSpend, Forge(Forgery::OldTimestamp), Unpaid])),
    answers(story("ten-megabytes", "An unsigned request of 10 MB, then a callback.", "The first is refused, the callback is answered with 2xx.", "limit",
        &[Order, Send(Eth, 100), Mine(Eth), Take, Forge(Forgery::TenMegabytes), Arrive, Paid])),
    answers(story("slow", "A request that never ends, and a callback beside it.", "The callback is answered with 2xx meanwhile.", "limit",
        &[Order, Send(Eth, 100), Mine(Eth), Take, ArriveBesideSlow, Paid])),
    // The last one: from here on, callbacks carry two signatures.
    answers(story("rotated-secret", "The secret is rotated: the callback has two signatures, one with the secret that the shop has.", "It is answered with 2xx; the order is paid.", "verify",
        &[Order, Send(Eth, 100), Mine(Eth), Rotate, Deliver, Paid])),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_story_has_a_name_of_its_own() {
        let names: BTreeSet<&str> = STORIES.iter().map(|story| story.name).collect();
        assert_eq!((STORIES.len(), names.len()), (31, 31));
        assert!(STORIES.last().is_some_and(|story| story.acts.iter().any(|act| matches!(act, Rotate))));
        for story in STORIES {
            let asks = story.acts.iter().any(|act| matches!(act, Paid | Unpaid));
            assert!(asks || story.by_answers, "{} is graded", story.name);
        }
    }

    #[test]
    fn the_guide_lists_every_story() {
        let guide = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guides/rehearse.md");
        let text = std::fs::read_to_string(guide).unwrap();
        let listed: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
        let row = |Story { name, happens, right, anchor, .. }: &Story| {
            format!("| `{name}` | {happens} | {right} | [{anchor}](webhooks.md#{anchor}) |")
        };
        assert_eq!(listed, STORIES.iter().map(row).collect::<Vec<_>>());
    }

    #[test]
    fn every_story_names_a_rule_of_the_guide_and_every_rule_has_a_story() {
        let guide = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(GUIDE);
        let text = std::fs::read_to_string(guide).unwrap();
        let anchors: BTreeSet<&str> =
            text.split("<a id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        let named: BTreeSet<&str> = STORIES.iter().map(|story| story.anchor).collect();
        assert_eq!(named, anchors);
    }
}
