//! Plays one payment as the page and its payer do.

use std::time::Duration;

use checkout_core::Pair;
use checkout_wire::checkout_view::{CheckoutView, TestNetwork};
use checkout_wire::{PaymentStatus, PaymentType};
use serde_json::json;
use uuid::Uuid;

use super::grades::Grades;
use super::link::Link;
use super::payment::grade;
use super::rows::Row;
use super::server::{Ask, CLOCKS, Server, ServerAnswer};
use super::shown::{PageContext, ShownPayment};

#[derive(Debug)]
pub(super) struct Offer {
    /// In the order of the page.
    pub(super) pairs: Vec<&'static Pair>,
    /// Somebody said that the server has these pairs.
    pub(super) is_promised: bool,
    pub(super) test_networks: Vec<TestNetwork>,
}

pub(super) struct Player<'a> {
    pub(super) server: &'a Server,
    pub(super) link: &'a Link,
    pub(super) offer: &'a Offer,
    pub(super) grades: &'a mut Grades,
    /// How long to wait for the operator's transfer.
    pub(super) watch: Option<Duration>,
}

impl Player<'_> {
    /// Takes each pair out of `open` that this payment was chosen in.
    pub(super) async fn play(mut self, open: &mut Vec<&'static Pair>) {
        let path = path_of(&self.link.payment_id);
        self.server.preflight(self.grades, &path).await;
        let Some(answer) = self.get(None).await else { return };
        if !answer.status.is_success() {
            let fault = format!("answered with {} to the token of the link", answer.status.as_u16());
            return self.grades.broken(Row::Get, "GET", fault);
        }
        let Some(first) = self.read(&answer, "GET") else { return };
        self.grades.kept(Row::Get);
        let etag = self.server.header(&answer, "etag").map(str::to_owned);
        self.ask_with_etag(etag.as_deref()).await;
        self.discover(&answer).await;
        self.refuse_strangers(&first).await;
        let mut last = first;
        if may_choose(&last) {
            if let Some((pair, chosen)) = self.choose_each(open, &last).await {
                last = self.look_again(pair, chosen, etag.as_deref()).await;
            }
        } else {
            self.grades.note(format!("{} takes no choice: give a new payment", self.link.payment_id));
        }
        if let Some(watch) = self.watch {
            self.watch(watch, last).await;
        }
    }

    pub(super) async fn get(&mut self, etag: Option<&str>) -> Option<ServerAnswer> {
        let path = path_of(&self.link.payment_id);
        let ask = Ask { method: "GET", path: &path, token: &self.link.token, etag, body: None };
        self.server.ask(self.grades, ask).await
    }

    pub(super) async fn patch(&mut self, currency: &str, network: &str, token: &str) -> Option<ServerAnswer> {
        let path = path_of(&self.link.payment_id);
        let body = json!({"depositCurrency": currency, "network": network}).to_string();
        let ask = Ask { method: "PATCH", path: &path, token, etag: None, body: Some(&body) };
        self.server.ask(self.grades, ask).await
    }

    pub(super) fn read(&mut self, answer: &ServerAnswer, place: &str) -> Option<ShownPayment> {
        let look = PageContext {
            payment_id: &self.link.payment_id,
            test_networks: &self.offer.test_networks,
            is_secure: self.link.page.scheme() == "https",
            place,
        };
        grade(self.grades, look, answer)
    }

    async fn ask_with_etag(&mut self, etag: Option<&str>) {
        let Some(etag) = etag else { return };
        if let Some(answer) = self.get(Some(etag)).await {
            let is_right = answer.status.as_u16() == 304 || answer.status.is_success();
            let fault = || format!("answered with {}", answer.status.as_u16());
            self.grades.expect(Row::Condition, "GET with the ETag", is_right, fault);
        }
    }

    /// A server that tells its time in milliseconds may have the page's own answer.
    async fn discover(&mut self, answer: &ServerAnswer) {
        let Some(time) = self.server.header(answer, "x-server-time") else { return };
        let is_time = time.parse::<u64>().is_ok_and(|millis| (millis / 1_000).abs_diff(answer.now) <= CLOCKS);
        self.grades
            .expect(Row::ServerTime, "GET", is_time, || format!("{time} is not the time in milliseconds"));
        let path = format!("/api/v1/checkout/{}", self.link.payment_id);
        let ask = Ask { method: "GET", path: &path, token: &self.link.token, etag: None, body: None };
        if let Some(view) = self.server.ask(self.grades, ask).await
            && view.status.as_u16() != 404
        {
            let read = serde_json::from_str::<CheckoutView>(&view.body);
            let fault = |error| format!("an answer with {} cannot be read: {error}", view.status.as_u16());
            self.grades.judge(Row::ServerTime, &format!("GET {path}"), read.map(drop).map_err(fault));
        }
    }

    async fn refuse_strangers(&mut self, seen: &ShownPayment) {
        let other = format!("{}x", self.link.token);
        let path = path_of(&self.link.payment_id);
        let ask = Ask { method: "GET", path: &path, token: &other, etag: None, body: None };
        if let Some(answer) = self.server.ask(self.grades, ask).await {
            self.expect_refusal(Row::OtherToken, &answer, "GET with another token");
        }
        if let Some(pair) = self.offer.pairs.first().filter(|_| may_choose(seen))
            && let Some(answer) = self.patch(pair.currency.code(), pair.network.code(), &other).await
        {
            self.expect_refusal(Row::OtherToken, &answer, "PATCH with another token");
        }
        let path = path_of(&Uuid::new_v4().to_string());
        let ask = Ask { method: "GET", path: &path, token: &self.link.token, etag: None, body: None };
        if let Some(answer) = self.server.ask(self.grades, ask).await {
            self.expect_refusal(Row::OtherId, &answer, "GET of another id");
        }
    }

    fn expect_refusal(&mut self, row: Row, answer: &ServerAnswer, what: &str) {
        let fault = || format!("answered with {}", answer.status.as_u16());
        self.grades.expect(row, what, answer.is_refusal(), fault);
    }
}

fn path_of(id: &str) -> String {
    format!("/api/v1/payments/{id}")
}

/// As the page decides it.
fn may_choose(seen: &ShownPayment) -> bool {
    matches!(
        seen.payment.status.known(),
        Some(PaymentStatus::New | PaymentStatus::Pending | PaymentStatus::Expired)
    ) || seen.payment.kind == PaymentType::Reusable
}
