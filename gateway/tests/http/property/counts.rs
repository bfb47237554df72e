//! Counts of what a run covered.

use std::fmt;

macro_rules! counts {
    ($($name:ident: $text:literal,)*) => {
        #[derive(Clone, Debug, Default)]
        pub(super) struct Counts {
            $(pub(super) $name: u64,)*
        }

        impl Counts {
            pub(super) fn add(&mut self, more: &Self) {
                $(self.$name += more.$name;)*
            }

            pub(super) fn assert_all_met(&self) {
                $(assert!(self.$name > 0, "no {} in {} seeds", $text, self.seeds);)*
            }
        }

        impl fmt::Display for Counts {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let all = [$(format!("{} {}", self.$name, $text)),*];
                write!(f, "{}; 0 differences from the model", all.join(", "))
            }
        }
    };
}

counts! {
    seeds: "seeds",
    steps: "steps",
    transfers: "transfers",
    blocks: "blocks",
    reorganisations: "reorganisations",
    loosened: "deposits loosened",
    drops: "drops",
    forgotten: "payouts forgotten by their network",
    held_back: "checks of refunds before finality",
    executed_again: "transactions executed again",
    failed_then: "of them failed",
    behind: "nodes behind",
    without_fields: "transactions without their fields",
    dear: "payouts that waited for a lower fee",
    jumps: "jumps of a rate",
    other_clocks: "worlds whose clocks differ",
    crashes: "crashes",
    restarts: "restarts",
    replays: "replays",
    dust: "transfers of dust",
    late: "late deposits",
    follow_ups: "follow-up deposits",
    refunds: "refunds sent",
    unrefundable: "refunds that could not be sent",
    called_back: "refunds cancelled",
    without_address: "refunds to contracts that wait for an address",
    claims_sent: "refunds sent to an address that was given",
    claims_refused: "addresses for refunds that the screening blocked",
    flagged: "deposits flagged",
    unanswered: "deposits without an answer of the screening",
    released: "flagged deposits released",
    kept: "flagged deposits refused",
    minds_changed: "refusals changed to releases",
    too_late: "decisions that came too late",
    merchant_refunds: "refunds of the merchant",
    merchant_refunds_refused: "refunds of the merchant refused",
    merchant_refunds_cancelled: "refunds of the merchant cancelled",
    withdrawals: "withdrawals",
    blocked: "withdrawals blocked",
    refused: "withdrawals refused",
    callbacks: "callbacks",
    repeated: "callbacks repeated",
    refused_choices: "choices refused after a deposit",
}
