//! A merchant and the payers of a shop. Their actions do not depend on when the gateway dies; a request
//! without an answer is repeated with the same id.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use checkout_test_support::patience;
use serde_json::{Value, json};

use super::operator::Operator;
use super::refunds::Refunds;
use super::{ORDERS, blocks, sandbox};
use crate::gateway::Gateway;
use checkout_test_nodes::Inbox;

const RECIPIENT: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/// A sender that the screening flags.
const SHADY: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

/// Confirmations required for finality on BTC, after which excess is refunded.
const FINAL: u32 = 6;

#[derive(Default)]
pub(super) struct Merchant {
    orders: u64,
    /// The requests without an answer, in order: path and body.
    open: VecDeque<(String, Value)>,
    /// Whether the last transfer came from a flagged sender.
    pub(super) is_flagged: bool,
    /// Payment ids by the merchant's id.
    pub(super) payments: BTreeMap<String, String>,
    /// Withdrawal ids by the merchant's id.
    pub(super) withdrawals: BTreeMap<String, String>,
    pub(super) refunds: Refunds,
    /// Transfers acknowledged to payers.
    pub(super) transfers: Vec<String>,
}

impl Merchant {
    /// Runs one order: a payment, a transfer of at least the amount due, sometimes or always from a flagged
    /// sender, a block, and sometimes a reorganisation, a refund and a withdrawal. Returns `None` if the process died.
    pub(super) fn order(&mut self, gateway: &Gateway, is_flagged: bool) -> Option<()> {
        self.ask_open(gateway)?;
        self.orders += 1;
        let number = self.orders;
        let id = format!("order-{number}");
        let body = json!({"clientPaymentId": id, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"});
        self.ask(gateway, "/api/v1/payments", &body)?;
        let path = format!("/api/v1/payments/{}", self.payments[&id]);
        let (status, patched) = gateway.try_call("PATCH", &path, &json!({"depositCurrency": "BTC"}))?;
        assert_eq!(status, 200, "{patched}");
        let amount = ["0.00166667", "0.004", "0.001"][usize::try_from(number % 3).unwrap()];
        let address = &patched["paymentInfo"]["walletAddress"];
        let mut transfer = json!({"network": "BTC", "currency": "BTC", "address": address, "amount": amount});
        if is_flagged || number.is_multiple_of(5) {
            sandbox(gateway, "flags", &json!({"network": "BTC", "address": SHADY}))?;
            transfer["fromAddress"] = json!(SHADY);
            self.is_flagged = true;
        }
        let sent = sandbox(gateway, "transfers", &transfer)?;
        self.transfers.push(sent["transactionId"].as_str().unwrap().to_owned());
        blocks(gateway, 1)?;
        if number.is_multiple_of(4) {
            sandbox(gateway, "reorgs", &json!({"network": "BTC", "depth": 1}))?;
            blocks(gateway, 1)?;
        }
        if number.is_multiple_of(3) && !self.is_flagged {
            let path = format!("/api/v1/payments/{}/refunds", self.payments[&id]);
            self.ask(gateway, &path, &Refunds::body(number))?;
            blocks(gateway, 1)?;
        }
        if number.is_multiple_of(2) {
            let account = if number.is_multiple_of(4) { "FIAT" } else { "CRYPTO" };
            let body = json!({
                "clientWithdrawalId": format!("withdrawal-{number}"), "withdrawCurrency": "BTC", "network": "BTC",
                "recipientAddress": RECIPIENT, "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO",
                "targetAmount": "0.0005", "withdrawalAccount": account,
            });
            self.ask(gateway, "/api/v1/withdrawals", &body)?;
            blocks(gateway, 1)?;
        }
        Some(())
    }

    /// Repeats the request until it is answered, in this process or a later one.
    fn ask(&mut self, gateway: &Gateway, path: &str, body: &Value) -> Option<()> {
        self.open.push_back((path.to_owned(), body.clone()));
        self.ask_open(gateway)
    }

    fn ask_open(&mut self, gateway: &Gateway) -> Option<()> {
        while let Some((path, body)) = self.open.front().cloned() {
            // The payer's requests have the token of the session behind a `#`.
            let (status, answer) = match path.split_once('#') {
                Some((path, session)) => gateway.try_call_as(session, "POST", path, &body)?,
                None => gateway.try_call("POST", &path, &body)?,
            };
            self.open.pop_front();
            self.answered((&path, &body), status, &answer);
        }
        Some(())
    }

    fn answered(&mut self, (path, body): (&str, &Value), status: u16, answer: &Value) {
        let poor = answer["errors"][0]["code"] == "insufficient_balance";
        if status == 422 && poor {
            return;
        }
        assert!(status == 200 || status == 201, "{path} {body}: {status} {answer}");
        if body.get("clientRefundId").is_some() {
            self.open.extend(self.refunds.created(body, answer));
            return;
        }
        if body.get("claimId").is_some() {
            self.open.push_back(self.refunds.claimed(body, answer));
            return;
        }
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let (known, own, id) = match path {
            "/api/v1/payments" => {
                (&mut self.payments, &body["clientPaymentId"], &answer["paymentInfo"]["paymentId"])
            }
            "/api/v1/withdrawals" => {
                (&mut self.withdrawals, &body["clientWithdrawalId"], &answer["withdrawId"])
            }
            _ => return,
        };
        let before = known.insert(text(own), text(id));
        assert!(before.is_none(), "{own} was already answered");
    }

    /// Orders until each story of a refund was asked for. A share with few kills has few orders before.
    pub(super) fn tell_all(&mut self, gateway: &Gateway, operator: &mut Operator) {
        for _ in 0..5 * ORDERS {
            self.ask_open(gateway).expect("the gateway answers");
            operator.approve(&mut self.refunds.unapproved);
            if self.refunds.are_all_told() {
                return;
            }
            self.order(gateway, false).expect("the gateway answers");
            if std::mem::take(&mut self.is_flagged) {
                operator.decide_all();
            }
        }
        panic!("{} orders, and a story of a refund is missing", self.orders);
    }

    /// Completes all open work.
    pub(super) fn finish(&mut self, gateway: &Gateway, operator: &mut Operator, inbox: &Inbox) {
        self.ask_open(gateway).expect("the gateway answers");
        operator.approve(&mut self.refunds.unapproved);
        for _ in 0..2 {
            blocks(gateway, FINAL).expect("the gateway answers");
            wait_for_callbacks(gateway, inbox);
        }
    }

    /// Checks that everything acknowledged is stored as acknowledged.
    pub(super) fn check(&self, gateway: &Gateway) {
        for (own, id) in &self.payments {
            let payment = gateway.payment(id);
            assert_eq!(payment["clientPaymentId"], **own, "{id} was lost: {payment}");
        }
    }
}

fn wait_for_callbacks(gateway: &Gateway, inbox: &Inbox) {
    let started = Instant::now();
    let mut quiet = 0;
    let mut known = inbox.count();
    // Callbacks in progress at a crash become due again when their lease ends.
    while quiet < 20 {
        assert!(started.elapsed() < 2 * patience(), "callbacks do not finish");
        sandbox(gateway, "clock", &json!({"advanceSeconds": 86_400})).expect("the gateway answers");
        std::thread::sleep(Duration::from_millis(50));
        let metrics = gateway.text("/metrics");
        let pending = metrics.lines().find_map(|line| line.strip_prefix("checkout_callbacks_pending "));
        let came = inbox.count();
        quiet = if pending == Some("0") && came == known { quiet + 1 } else { 0 };
        known = came;
    }
}
