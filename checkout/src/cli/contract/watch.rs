//! Watches a payment while its operator pays it.

use std::time::Duration;

use checkout_wire::{PaymentStatus, PaymentType};
use tokio::time::{Instant, sleep};

use super::super::tell;

use super::play::Player;
use super::rows::Row;
use super::shown::{ShownPayment, code};

/// The pace of the page.
const PACE: Duration = Duration::from_millis(2_500);

impl Player<'_> {
    pub(super) async fn watch(&mut self, patience: Duration, mut last: ShownPayment) {
        if let Some(quote) = &last.quote {
            let amount = quote.amount.to_text(quote.pair.decimals);
            let tag = quote.tag.as_ref().map(|tag| format!(" with the tag {tag}")).unwrap_or_default();
            tell(&format!("Pay now: {amount} {} to {}{tag}", code(quote.pair), quote.address));
        }
        let end = Instant::now() + patience;
        let mut status = None;
        loop {
            if let Some(answer) = self.get(None).await
                && let Some(seen) = self.read(&answer, "GET")
            {
                if status.as_ref() != Some(&seen.payment.status) {
                    tell(&format!("{}: {} deposits", seen.payment.status, seen.payment.deposits.len()));
                    status = Some(seen.payment.status.clone());
                }
                self.name_vanished(&last, &seen);
                last = seen;
            }
            let is_paid = matches!(
                last.payment.status.known(),
                Some(PaymentStatus::Deposited | PaymentStatus::Overpaid)
            );
            if is_paid {
                return self.choose_too_late(&last).await;
            }
            if Instant::now() + PACE > end {
                return self.grades.note(format!("not paid within {} seconds", patience.as_secs()));
            }
            sleep(PACE).await;
        }
    }

    fn name_vanished(&mut self, before: &ShownPayment, now: &ShownPayment) {
        let is_there = |id: &str| now.payment.deposits.iter().any(|deposit| deposit.id == id);
        for deposit in before.payment.deposits.iter().filter(|deposit| !is_there(&deposit.id)) {
            self.grades.note(format!("deposit {} disappeared: the payer is told so", deposit.id));
        }
    }

    /// A payment that money came to takes no other choice.
    async fn choose_too_late(&mut self, paid: &ShownPayment) {
        let Some(quote) = paid.quote.as_ref().filter(|_| paid.payment.kind != PaymentType::Reusable) else {
            return;
        };
        let others = self.offer.pairs.iter().find(|pair| **pair != quote.pair);
        let other = others.copied().unwrap_or(quote.pair);
        if let Some(answer) = self.choose(other).await {
            let status = answer.status.as_u16();
            let place = format!("PATCH of {} after a deposit", code(other));
            self.grades.expect(Row::Taken, &place, status == 409, || format!("answered with {status}"));
        }
        self.expect(Row::Taken, paid, "GET after a late PATCH").await;
    }
}
