//! No list reads a whole table: a page costs the same beside a million payments (`cargo xtask bench lists`).

use checkout_core::{Currency, Network};
use checkout_domain::callback::State;
use checkout_domain::callback::filter::CallbackFilter;
use checkout_domain::ids::PaymentId;
use checkout_domain::ledger::filter::LedgerFilter;
use checkout_domain::page::{Page, Period};
use checkout_domain::payment::deposit_filter::DepositFilter;
use checkout_domain::payment::filter::PaymentFilter;
use checkout_domain::payment::refund_filter::RefundFilter;
use checkout_domain::ports::callbacks::CallbackStore as _;
use checkout_domain::ports::ledger::LedgerStore as _;
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::ports::payouts::PayoutStore as _;
use checkout_domain::ports::refunds::RefundStore as _;
use checkout_domain::ports::sales::{CounterStore as _, SaleStore as _};
use checkout_domain::withdrawal::filter::WithdrawalFilter;
use checkout_wire::PaymentStatus;
use checkout_wire::create_withdrawal::WithdrawalStatus;
use checkout_wire::payment::RefundWait;
use checkout_wire::refunds::RefundState;
use uuid::Uuid;

use super::stage::Stage;
use crate::query;
use crate::statements::query::recorded::plans_of;

fn pages() -> [Page; 3] {
    let cursor = Some(Uuid::now_v7());
    let first = Page { after: None, before: None, descending: true, limit: 25 };
    [first, Page { after: cursor, ..first }, Page { descending: false, ..first }]
}

/// Reads the three pages of a list, and checks their plans. `index`: one that SQLite uses.
async fn check(stage: &Stage, list: &str, index: &str, read: impl AsyncFn(Page)) {
    for page in pages() {
        let asked = plans_of(read(page)).await;
        assert!(!asked.is_empty(), "{list}: nothing was read");
        let mut found = false;
        for question in asked {
            let text = format!("{question:?}");
            let mut snapshot = stage.store.readers.snapshot().await.unwrap();
            let is_sqlite = matches!(snapshot, crate::Transaction::Sqlite(_));
            if !is_sqlite {
                query("SET LOCAL enable_seqscan = off").execute(&mut snapshot).await.unwrap();
            }
            let column = if is_sqlite { "detail" } else { "QUERY PLAN" };
            for row in question.fetch_all(&mut snapshot).await.unwrap() {
                let line = row.text(column).unwrap();
                let scanned = line.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
                let is_part = scanned == Some("part") && !line.contains("INDEX");
                let is_scan = line.contains("Seq Scan") || scanned.is_some() && !is_part;
                assert!(
                    !is_scan || line.contains("CONSTANT ROW") || line.contains("json_each"),
                    "{list}, {page:?}: {line}\n{text}"
                );
                found |= line.contains(index);
            }
        }
        let is_sqlite =
            matches!(stage.store.readers.snapshot().await.unwrap(), crate::Transaction::Sqlite(_));
        assert!(found || !is_sqlite, "{list}, {page:?}: {index} is not used");
    }
}

pub(super) async fn no_list_reads_a_whole_table(stage: &Stage) {
    let (store, own) = (&stage.store, stage.business.id);
    let text = || Some("text".to_owned());
    let texts = || Some(vec!["one".to_owned(), "two".to_owned()]);
    let (ltc, network) = (Some(Currency::Ltc), Some(Network::Ltc));
    let created = Period { from: Some(1_700_000_000), to: Some(1_800_000_000) };

    let all = PaymentFilter::default;
    for (name, index, filter) in [
        ("all", "payments_of_business", all()),
        ("created", "payments_of_business", PaymentFilter { created, ..all() }),
        ("status", "payments_by_status", PaymentFilter { status: Some(PaymentStatus::Pending), ..all() }),
        ("currency", "payments_by_currency", PaymentFilter { currency: ltc, ..all() }),
        ("network", "payments_by_network", PaymentFilter { network, ..all() }),
        ("id of the merchant", "client_payment_id=", PaymentFilter { client_payment_id: text(), ..all() }),
        ("address", "given", PaymentFilter { addresses: texts(), ..all() }),
        ("transaction", "sent", PaymentFilter { transactions: texts(), ..all() }),
        ("words", "payment_texts", PaymentFilter { words: vec!["kettle".to_owned()], ..all() }),
    ] {
        let read = async |page| drop(store.payments(own, &filter, &page).await.unwrap());
        check(stage, &format!("payments by {name}"), index, read).await;
    }

    let read = async |_| drop(store.paid_pairs(own, PaymentId(own.0), 0, 0).await.unwrap());
    check(stage, "paid pairs", "payments_by_status", read).await;

    let read = async |_| drop(store.sent_fees(own, 0, u64::from(u32::MAX)).await.unwrap());
    check(stage, "sent fees", "deposits_of_business", read).await;

    let all = DepositFilter::default;
    for (name, index, filter) in [
        ("all", "deposits_of_business", all()),
        ("currency", "deposits_by_currency", DepositFilter { currency: ltc, ..all() }),
        ("network", "deposits_by_network", DepositFilter { network, ..all() }),
        ("unconfirmed", "deposits_unconfirmed", DepositFilter { is_confirmed: Some(false), ..all() }),
        ("held", "deposits_held", DepositFilter { is_held: Some(true), ..all() }),
        ("payment", "deposits_in_order", DepositFilter { payment: Some(PaymentId(own.0)), ..all() }),
        ("transaction", "transaction_id=", DepositFilter { transactions: texts(), ..all() }),
    ] {
        let read = async |page| drop(store.listed_deposits(own, &filter, &page).await.unwrap());
        check(stage, &format!("deposits by {name}"), index, read).await;
    }

    let all = RefundFilter::default;
    let pending = Some(RefundState::Pending);
    let waits = Some(RefundWait::Approval);
    for (name, index, filter) in [
        ("all", "refunds_of_business", all()),
        ("status", "refunds_by_status", RefundFilter { status: pending, ..all() }),
        ("wait", "refunds_by_wait", RefundFilter { waits, ..all() }),
        ("payment", "refunds_of_payment", RefundFilter { payment: Some(PaymentId(own.0)), ..all() }),
        ("id of the merchant", "refunds_by_client_id", RefundFilter { client_refund_id: text(), ..all() }),
        ("currency", "refunds_by_currency", RefundFilter { currency: ltc, ..all() }),
        ("network", "refunds_by_network", RefundFilter { network, ..all() }),
    ] {
        let read = async |page| drop(store.refunds(own, &filter, &page).await.unwrap());
        check(stage, &format!("refunds by {name}"), index, read).await;
    }

    let all = WithdrawalFilter::default;
    for (name, index, filter) in [
        ("all", "withdrawals_of_business", all()),
        (
            "status",
            "withdrawals_by_status",
            WithdrawalFilter { status: Some(WithdrawalStatus::New), ..all() },
        ),
        (
            "id of the merchant",
            "withdrawals_by_client_id",
            WithdrawalFilter { client_withdrawal_id: text(), ..all() },
        ),
        ("currency", "withdrawals_by_currency", WithdrawalFilter { currency: ltc, ..all() }),
        ("network", "withdrawals_by_network", WithdrawalFilter { network, ..all() }),
        ("address", "payouts_by_address", WithdrawalFilter { recipients: texts(), ..all() }),
        ("transaction", "payouts_by_transaction", WithdrawalFilter { transactions: texts(), ..all() }),
    ] {
        let read = async |page| drop(store.withdrawals(own, &filter, &page).await.unwrap());
        check(stage, &format!("withdrawals by {name}"), index, read).await;
    }

    let all = CallbackFilter::default;
    for (name, index, filter) in [
        ("all", "callbacks_of_business", all()),
        ("state", "callbacks_by_state", CallbackFilter { state: Some(State::Pending), ..all() }),
        ("subject", "callbacks_by_subject", CallbackFilter { subject: Some(own.0), ..all() }),
    ] {
        let read = async |page| drop(store.callback_page(own, &filter, &page).await.unwrap());
        check(stage, &format!("callbacks by {name}"), index, read).await;
    }

    let all = LedgerFilter::default;
    for (name, index, filter) in [
        ("all", "ledger_entries_of_business", all()),
        ("payment", "ledger_entries_of_payment", LedgerFilter { payment: Some(PaymentId(own.0)), ..all() }),
    ] {
        let read = async |page| drop(store.entries(own, &filter, &page).await.unwrap());
        check(stage, &format!("ledger by {name}"), index, read).await;
    }

    let read = async |_| {
        stage.begin().await.waiting_instant(own, &[Network::Ltc]).await.unwrap();
    };
    check(stage, "what waits for a block", "deposits_unconfirmed", read).await;

    let read = async |page| drop(store.sale_links(own, &page, 1_800_000_000).await.unwrap());
    check(stage, "sale links", "sale_links_of_business", read).await;

    let read = async |page| drop(store.counters(own, &page).await.unwrap());
    check(stage, "counters", "counters_of_business", read).await;

    let read = async |_| drop(store.balances_and_pending(own).await.unwrap());
    check(stage, "what is not final", "settlements_pending_of", read).await;
    let read = async |_| drop(store.pending_on(Network::Ltc, 9, 50).await.unwrap());
    check(stage, "what is due on a network", "settlements_pending_on", read).await;
}
