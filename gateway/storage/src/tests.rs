//! Tests of the storage ports. Each case runs on SQLite and on PostgreSQL.

mod addresses;
mod callbacks;
mod counters;
mod credentials;
mod dropped_connections;
mod failover;
mod flagged;
mod insert_batch;
mod ledger;
mod list_plans;
mod locks;
mod mails;
mod merchant_refunds;
mod migrations;
mod notices;
mod operators;
mod payments;
mod payout_holds;
mod payout_versions;
pub(super) mod payouts;
mod polls;
mod refunds;
mod sales;
mod sealing;
mod set_aside;
pub(super) mod stage;
mod untagged;
mod versions;
mod withdrawal_rules;
mod words;

/// Defines each case twice, as `sqlite::<area>::<case>` and `postgres::<area>::<case>`.
macro_rules! on_both {
    ($($area:ident: $($case:ident),+;)+) => {
        on_both!(@store sqlite: $($area: $($case),+;)+);
        on_both!(@store postgres: $($area: $($case),+;)+);
    };
    (@store $store:ident: $($area:ident: $($case:ident),+;)+) => {
        mod $store {
            $(mod $area {
                use crate::fixture::TestDatabase;
                use crate::tests::stage::Stage;
                use crate::tests::$area as cases;

                $(
                    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                    async fn $case() {
                        cases::$case(&Stage::set(TestDatabase::$store()).await).await;
                    }
                )+
            })+
        }
    };
}

on_both! {
    addresses: assigned_once, found_by_address, each_index_is_returned_once, watched, given;
    callbacks: enqueued_once, held, attempts, claimed_once, listed, lanes, secrets, clock_set_back;
    counters: round_trip, withdrawn_for_good;
    credentials: callers, revoked, listed, scoped, made;
    flagged: lists, counts, decisions;
    ledger: balances, once, overdraft, out_of_balance, pending;
    list_plans: no_list_reads_a_whole_table;
    locks: a_row_read_for_a_change_stays, a_withdrawal_stays, no_deadlock, settings_are_settled, cursors, rolled_back;
    mails: sent_once_each, erased, leased;
    merchant_refunds: a_step_of_its_transfer_changes_the_payment, never_more_than_was_received, ids, states, addressed;
    notices: untold, payouts, lasting;
    migrations: from_every_version, holds, refunds, charged_refunds;
    insert_batch: batched, one_per_client_id, faults, cancelled;
    operators: added_and_changed, codes_are_used_once, sessions, codes_are_sealed, the_audit_log_is_append_only;
    payments: round_trip, collected, one_per_client_id, overdue, paid_pairs, sent_fees, deposits, one_per_output, confirmations,
        counted_at_once;
    payout_holds: held, held_or_moved, numbers_of_the_backup, sent_by, restored_again;
    payout_versions: replaced, replaced_before_it_is_sent, replaced_once, pending, signed_again;
    payouts: steps, reasons, signed_once, numbers, free_numbers, refunds, withdrawals, open, unscreened;
    refunds: waiting_and_claimed, one_of_many_claims;
    sales: round_trip, one_per_id_and_slug, counted, sold_once;
    sealing: sealed_and_opened, keys_are_rotated, without_the_key, shops;
    set_aside: entries;
    untagged: reports, states;
    versions: every_statement, other_processes, never_stale, callers, session_ends;
    withdrawal_rules: set_and_changed, withdrawn_in_a_day, claims_in_a_day, cancelled_until_signed, listed_above_fee, redirected_in_a_day, approvals;
    words: businesses, logos, order_of_texts, any_text, whitelist, pages;
}
