//! Refunds that the merchant asks for, by the rules of `docs/money.md`. In the model they are withdrawals with a payment.

use axum::http::Method;
use serde_json::json;

use super::coins::COINS;
use super::drive::{Stage, dying};
use super::model::{GivenBack, Hearing, Model, Withdrawal};
use super::money::Covered;
use super::steps::Step;
use crate::fixture::Look as _;

impl Model {
    /// The refunds of a payment in a coin, automatic ones and the merchant's, and its receipts there. Of the merchant's, those
    /// up to `last` and those that were sent.
    fn refunded(&self, payment: usize, coin: usize, last: Option<usize>) -> (u128, u128) {
        let deposits = || self.payments[payment].deposits.iter().filter(|deposit| deposit.coin == coin);
        let received = deposits().filter(|deposit| deposit.is_confirmed()).map(|deposit| deposit.atoms).sum();
        let automatic = deposits().filter_map(|deposit| deposit.refund.as_ref());
        let automatic: u128 = automatic.filter(|refund| refund.possible).map(|refund| refund.gross).sum();
        let merchants = self.withdrawals.iter().enumerate();
        let merchants = merchants.filter(|(at, one)| one.sent || last.is_none_or(|last| *at <= last));
        let merchants = merchants.map(|(_, one)| one);
        let merchants =
            merchants.filter(|one| one.refund_of == Some(payment) && one.coin == coin && !one.blocked);
        (received, automatic + merchants.map(|one| one.atoms).sum::<u128>())
    }

    /// Whether the payer can still be asked for the price.
    fn is_open(&self, payment: usize) -> bool {
        let payment = &self.payments[payment];
        ["NEW", "PENDING", "AWAITING"].contains(&payment.status(self.now)) && !payment.order.reusable
    }

    /// One of the payments that received something and are not open, if there is one.
    fn refundable(&self, number: usize) -> usize {
        let all = 0..self.payments.len();
        let has_received =
            |at: &usize| self.payments[*at].deposits.iter().any(super::model::Deposit::is_confirmed);
        let some: Vec<usize> = all.filter(|at| has_received(at) && !self.is_open(*at)).collect();
        some.get(number % some.len().max(1)).copied().unwrap_or(number % self.payments.len())
    }

    /// Whether final deposits cover a refund and those before it.
    fn is_backed(&self, at: usize) -> bool {
        let Withdrawal { refund_of: Some(payment), coin, .. } = self.withdrawals[at] else { return true };
        let (received, needed) = self.refunded(payment, coin, Some(at));
        let deposits = self.payments[payment].deposits.iter();
        let firm =
            deposits.filter(|one| one.coin == coin && one.is_confirmed() && self.is_final(one.transfer));
        needed <= received && firm.map(|one| one.atoms).sum::<u128>() >= needed
    }

    /// Screens each recipient once.
    pub(super) fn screen_merchant_refunds(&mut self) {
        for at in 0..self.withdrawals.len() {
            let one = &mut self.withdrawals[at];
            if one.refund_of.is_none() || one.is_over() || one.screened || self.silent {
                continue;
            }
            one.screened = true;
            if self.flags.contains(&(one.coin, one.to)) {
                self.counts.blocked += 1;
                self.take_back(at);
            }
        }
    }

    /// Sends what is covered.
    pub(super) fn send_merchant_refunds(&mut self) {
        for at in 0..self.withdrawals.len() {
            let one = &self.withdrawals[at];
            let waits = self.asked[one.coin] > one.charge.fee || self.is_short(one.from_crypto, Some(at));
            if one.refund_of.is_some() && !one.is_over() && one.screened && !waits && self.is_backed(at) {
                self.withdrawals[at].sent = true;
                self.counts.merchant_refunds += 1;
            }
        }
    }

    /// A refund ends without the payer getting the money: the payment is as if it had never been.
    fn take_back(&mut self, at: usize) {
        self.withdrawals[at].blocked = true;
        self.follow_refunds();
        let payment = self.withdrawals[at].refund_of.unwrap();
        self.plan_refunds(payment);
    }

    /// Brings the payments' lists of refunds that last up to date.
    fn follow_refunds(&mut self) {
        for payment in &mut self.payments {
            payment.given_back.clear();
        }
        for one in self.withdrawals.iter().filter(|one| !one.blocked) {
            let Some((payment, refund)) = one.refund_of.zip(one.given_back) else { continue };
            self.payments[payment].given_back.push(refund);
        }
    }

    /// The atoms of a payment's coins that the merchant refunded or refunds.
    pub(super) fn given_back(&self, payment: usize) -> [u128; COINS.len()] {
        let mut all = [0; COINS.len()];
        for one in self.withdrawals.iter().filter(|one| one.refund_of == Some(payment) && !one.blocked) {
            all[one.coin] += one.atoms;
        }
        all
    }
}

impl Stage {
    pub(super) async fn refund(mut self, number: usize, step: &Step) -> Result<Self, String> {
        let Step::Refund { payment, coin, tenths, from_crypto, to, dies_after } = step else {
            return Ok(self);
        };
        let payment = self.model.refundable(*payment);
        let mut received: Vec<usize> =
            self.model.payments[payment].deposits.iter().map(|one| one.coin).collect();
        received.dedup();
        let coin = received.get(coin % received.len().max(1)).copied().unwrap_or(*coin);
        let (in_coin, refunded) = self.model.refunded(payment, coin, None);
        let rest = in_coin.saturating_sub(refunded);
        // More than everything is a whole refund; more than the rest is refused.
        let atoms = if *tenths > 11 { rest } else { in_coin * u128::from(*tenths) / 10 };
        let (id, path) = (
            format!("refund-{number}"),
            format!("/api/v1/payments/{}/refunds", self.model.payments[payment].id),
        );
        let mut body = json!({
            "clientRefundId": id, "currency": COINS[coin].code, "network": COINS[coin].network.code(),
            "address": COINS[coin].people[*to],
        });
        if *tenths <= 11 {
            body["amount"] = json!(COINS[coin].text(atoms.max(1)));
        }
        // Mostly from the balance that suffices.
        self.check_finality().await;
        let (model, of) = (&self.model, (payment, coin));
        let other = model.charge_refund(of, atoms, !*from_crypto).1 == Covered::Yes;
        let from_crypto = *from_crypto != (other && !number.is_multiple_of(4));
        body["withdrawalAccount"] = json!(if from_crypto { "CRYPTO" } else { "FIAT" });
        let (charge, covered) = model.charge_refund(of, atoms, from_crypto);
        let is_open = model.is_open(payment);
        let smallest = COINS[coin].relayed.max(charge.fee + 1);
        let may = !is_open && rest > 0 && atoms <= rest && atoms >= smallest;
        let call = async |stage: &Self| {
            stage.world.call(Method::POST, &path, Some(&stage.world.token), Some(&body)).await
        };
        if dies_after.is_some() {
            let lived = dying(*dies_after, call(&self)).await.is_some();
            self.model.counts.crashes += u64::from(!lived);
            self = self.restart().await;
        }
        let answer = call(&self).await;
        let made = answer.status == 201 || answer.status == 200;
        let expected = may && covered.or(made);
        if made != expected {
            return Err(format!("expected: {expected}, but {}", answer.json));
        }
        if expected {
            let refunded = &self.model.payments[payment];
            let is_paid = ["DEPOSITED", "OVERPAID"].contains(&refunded.status(self.model.now));
            let given_back = GivenBack { coin, deposits: refunded.deposits.len(), of_unpaid: !is_paid };
            let first = self.model.payments[payment].first_refund.get_or_insert(given_back.deposits);
            *first = given_back.deposits.min(*first);
            self.model.withdrawals.push(Withdrawal {
                id,
                refund_of: Some(payment),
                given_back: Some(given_back),
                screened: false,
                coin,
                from_crypto,
                atoms,
                charge,
                to: *to,
                sent: false,
                blocked: false,
                told: Hearing::Told,
            });
            self.model.follow_refunds();
            // Sometimes the merchant takes it back at once, and with it all that waits.
            if number.is_multiple_of(5) {
                self.cancel_refunds().await?;
            }
        } else {
            self.model.counts.merchant_refunds_refused += 1;
        }
        Ok(self)
    }

    /// The merchant takes back what is not covered.
    pub(super) async fn cancel_refunds(&mut self) -> Result<(), String> {
        for at in 0..self.model.withdrawals.len() {
            let one = &self.model.withdrawals[at];
            if one.refund_of.is_none() || one.is_over() {
                continue;
            }
            let id = format!("SELECT id FROM withdrawals WHERE client_withdrawal_id = '{}'", one.id);
            let id = self.world.database.texts(id).await[0][0].clone().unwrap();
            let path = format!("/api/v1/refunds/{id}/cancel");
            let answer = self.world.call(Method::POST, &path, Some(&self.world.token), None).await;
            if answer.json["status"] != "CANCELLED" {
                return Err(format!("not cancelled: {}", answer.json));
            }
            self.model.take_back(at);
            self.model.counts.merchant_refunds_cancelled += 1;
        }
        Ok(())
    }
}
