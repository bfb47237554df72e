//! The choices of the payer, and what they leave behind.

use checkout_core::Pair;
use checkout_wire::PaymentStatus;

use super::play::Player;
use super::reading;
use super::rows::{Row, Table};
use super::server::{CLOCKS, ServerAnswer};
use super::shown::{ShownPayment, code};

/// What the interface has no name for.
const NOWHERE: &str = "NOWHERE";

impl Player<'_> {
    /// Chooses the open pairs that the payment allows, and the first one again at the end, so that it is the one to pay.
    pub(super) async fn choose_each(
        &mut self,
        open: &mut Vec<&'static Pair>,
        first: &ShownPayment,
    ) -> Option<(&'static Pair, ShownPayment)> {
        let wanted = if open.is_empty() { self.offer.pairs.clone() } else { open.clone() };
        let mut chosen: Option<(&'static Pair, ShownPayment)> = None;
        let mut refused = Vec::new();
        let mut is_other = false;
        for pair in wanted.into_iter().filter(|pair| is_possible(first, pair)) {
            let Some(answer) = self.choose(pair).await else { continue };
            let status = answer.status.as_u16();
            if status == 409 && chosen.is_some() {
                break;
            }
            open.retain(|one| *one != pair);
            if answer.status.is_client_error() {
                refused.push(code(pair));
                if self.offer.is_promised || status == 409 {
                    let place = format!("PATCH of {}", code(pair));
                    self.grades.broken(Row::Patch, &place, format!("answered with {status}"));
                }
            } else if let Some(seen) = self.take_choice(pair, &answer, first) {
                is_other = chosen.is_some();
                if chosen.is_none() {
                    chosen = Some((pair, self.choose_again(pair, seen).await));
                }
            }
        }
        if !refused.is_empty() {
            self.grades.note(format!("refused pairs: {}", refused.join(", ")));
            if chosen.is_none() && !self.offer.is_promised {
                self.grades.broken(Row::Patch, "PATCH", "every pair of the interface was refused");
            }
        }
        let (pair, seen) = chosen?;
        let last = if is_other { self.choose(pair).await } else { None };
        let last = last.filter(|answer| answer.status.is_success());
        let last = last.and_then(|answer| self.take_choice(pair, &answer, first));
        Some((pair, last.unwrap_or(seen)))
    }

    pub(super) async fn choose(&mut self, pair: &Pair) -> Option<ServerAnswer> {
        self.patch(pair.currency.code(), pair.network.code(), &self.link.token).await
    }

    async fn choose_again(&mut self, pair: &Pair, before: ShownPayment) -> ShownPayment {
        let Some(answer) = self.choose(pair).await else { return before };
        let place = format!("PATCH of {} again", code(pair));
        if !answer.status.is_success() {
            self.grades.broken(Row::SamePatch, &place, format!("answered with {}", answer.status.as_u16()));
            return before;
        }
        let Some(again) = self.read(&answer, &place) else { return before };
        let paid_to =
            |seen: &ShownPayment| (seen.payment.wallet_address.clone(), seen.payment.destination_tag.clone());
        let (first, second) = (paid_to(&before), paid_to(&again));
        self.grades.expect(Row::SamePatch, &place, first == second, || {
            format!("not to {first:?}, but to {second:?}")
        });
        again
    }

    fn take_choice(
        &mut self,
        pair: &Pair,
        answer: &ServerAnswer,
        first: &ShownPayment,
    ) -> Option<ShownPayment> {
        let place = format!("PATCH of {}", code(pair));
        let seen = self.read(answer, &place)?;
        if reading::read(&answer.body).is_some_and(|reading| !reading.is_wrapped) {
            self.grades.note("the answer to PATCH has no paymentInfo: read anyway");
        }
        let said = ["depositCurrency", "expectedNetwork"]
            .map(|name| seen.fields.get(name).and_then(|code| code.as_str()).unwrap_or("nothing"));
        let is_asked = said[0] == pair.currency.code() && [pair.network.code(), "nothing"].contains(&said[1]);
        self.grades.expect(Row::Patch, &place, is_asked, || format!("answered with {}", said.join(" on ")));
        if seen.payment.status == PaymentStatus::New {
            self.grades.broken(Row::Pending, &place, "the status is NEW after the choice");
        }
        self.judge_window(&place, &seen, answer.now, first);
        Some(seen)
    }

    /// A choice has a window: the first one, or a new one.
    fn judge_window(&mut self, place: &str, seen: &ShownPayment, now: u64, first: &ShownPayment) {
        let is_over = seen.window_end.is_some_and(|end| end <= now);
        let is_first = first.payment.payment_requested_at.is_none();
        let asked = seen.payment.payment_requested_at.filter(|_| is_first);
        if is_over {
            self.grades.broken(Row::PaymentRequestedAt, place, "the window is over after the choice");
        } else if let Some(asked) = asked.filter(|asked| asked.0.abs_diff(now) > CLOCKS) {
            let fault = format!("{} is not the time of the choice", asked.0);
            self.grades.broken(Row::PaymentRequestedAt, place, fault);
        }
    }

    /// What `GET` says after the choice, and after what is no choice. `etag` is that of before.
    pub(super) async fn look_again(
        &mut self,
        pair: &Pair,
        last: ShownPayment,
        etag: Option<&str>,
    ) -> ShownPayment {
        self.expect(Row::GetAfter, &last, "GET after PATCH").await;
        if let Some(etag) = etag
            && let Some(answer) = self.get(Some(etag)).await
            && answer.status.as_u16() == 304
        {
            let fault = "answered with 304: the page would not see the change";
            self.grades.broken(Row::Condition, "GET with the ETag of before the choice", fault);
        }
        for (currency, network) in [(NOWHERE, NOWHERE), (pair.currency.code(), NOWHERE)] {
            if let Some(answer) = self.patch(currency, network, &self.link.token).await {
                let fault = || format!("answered with {}", answer.status.as_u16());
                let place = format!("PATCH of {currency}.{network}");
                self.grades.expect(Row::NoPair, &place, answer.status.is_client_error(), fault);
            }
        }
        self.expect(Row::NoPair, &last, "GET after a refused PATCH").await;
        last
    }

    /// The payment reads as before. Of one that money came to, the choice is the same.
    pub(super) async fn expect(&mut self, row: Row, before: &ShownPayment, place: &str) {
        const MOVING: [Row; 3] = [Row::Status, Row::Deposits, Row::ActualAmounts];
        let Some(answer) = self.get(None).await else { return };
        let Some(now) = self.read(&answer, place) else { return };
        let may_move = !before.payment.deposits.is_empty();
        let changed: Vec<&str> = Row::of_table(Table::Payment)
            .filter(|row| !may_move || !MOVING.contains(row))
            .flat_map(Row::fields)
            .filter(|name| before.fields.get(*name) != now.fields.get(*name))
            .collect();
        self.grades.expect(row, place, changed.is_empty(), || format!("another {}", changed.join(", ")));
    }
}

/// What the payment fixes while it is new is the only choice.
fn is_possible(first: &ShownPayment, pair: &Pair) -> bool {
    let is_new = first.payment.status == PaymentStatus::New;
    let fits = |fixed: Option<&str>, code: &str| !is_new || fixed.is_none_or(|fixed| fixed == code);
    fits(first.payment.deposit_currency.as_deref(), pair.currency.code())
        && fits(first.payment.expected_network.as_deref(), pair.network.code())
}
