//! Addresses for refunds that wait: an operator gives one, or the payer asks for it and the merchant approves.

use checkout_domain::access::actor::Actor;
use checkout_domain::access::token::Caller;
use checkout_domain::ids::PaymentId;
use checkout_gateway::render::refund::listed;
use checkout_gateway::service::payouts::recipient::NamedRecipient;
use checkout_gateway::service::payouts::seen::Seen;
use checkout_gateway::service::refunds::{claim_refund, decide_refund, send_refund};
use uuid::Uuid;

use super::coins::COINS;
use super::drive::Stage;
use super::refunds::CLAIMANT;

impl Stage {
    /// Gives a refund an address, whether it waits for one or not.
    pub(super) async fn claim(&mut self, number: usize) -> Result<(), String> {
        let mut all = self.model.all_deposits();
        let waits = |at: &(usize, usize)| {
            let deposit = &self.model.payments[at.0].deposits[at.1];
            deposit
                .refund
                .as_ref()
                .is_some_and(|refund| refund.waits || refund.possible && deposit.unapproved)
        };
        if all.iter().any(waits) {
            all.retain(waits);
        }
        let Some(at) = all.get(number % all.len().max(1)).copied() else { return Ok(()) };
        let is_waiting = waits(&at);
        let transfer = self.model.deposit(at).transfer;
        let coin = self.model.transfers[transfer].coin;
        let (deposit_id, payment) = self.stored(transfer).await;
        let is_asked = number.is_multiple_of(2);
        let given = if is_waiting && self.model.deposit(at).unapproved {
            self.approve(deposit_id, COINS[coin].people[CLAIMANT].to_owned()).await?
        } else if is_waiting && is_asked {
            self.ask(deposit_id, payment, COINS[coin].people[CLAIMANT]).await?
        } else {
            let app = &self.world.app;
            let to = (COINS[coin].people[CLAIMANT], None);
            let found = app.store.refund(deposit_id).await.map_err(|why| format!("{why:?}"))?;
            let amount =
                found.as_ref().and_then(listed).map_or_else(String::new, |shown| shown.amount.to_string());
            let new = (app.new_id(), app.clock.now());
            let decided = send_refund::send(app.store.as_ref(), new, deposit_id, to, &amount).await.unwrap();
            matches!(decided, send_refund::Decided::Kept(_))
        };
        if given != is_waiting {
            return Err(format!("waits: {is_waiting}, but given: {given}"));
        }
        let deposit = self.model.deposit(at);
        if let Some(refund) = deposit.refund.as_mut().filter(|_| is_waiting) {
            deposit.approved = (deposit.unapproved || is_asked).then_some(refund.gross);
            (refund.waits, deposit.claimed, deposit.unapproved) = (false, true, false);
        }
        Ok(())
    }

    /// The payer asks twice, and the merchant approves twice.
    async fn ask(&self, deposit: Uuid, payment: PaymentId, address: &str) -> Result<bool, String> {
        let app = &self.world.app;
        let (field, address) = ("address", address.to_owned());
        let to = NamedRecipient { field, address, tag_field: None, tag: None, memo_type: None };
        for is_first in [true, false] {
            let asked = claim_refund::claim(app, payment, deposit, &to).await;
            let asked = asked.map_err(|why| format!("the payer asks: {why:?}"))?;
            if asked.replayed == is_first {
                return Err(format!("asked again: {asked:?}"));
            }
        }
        self.approve(deposit, to.address).await
    }

    async fn approve(&self, deposit: Uuid, address: String) -> Result<bool, String> {
        let app = &self.world.app;
        let found = app.store.refund(deposit).await.map_err(|why| format!("{why:?}"))?;
        let shown = found.as_ref().and_then(listed).ok_or("the refund is shown")?;
        let seen = Seen { address, tag: None, memo_type: None, amount: shown.amount.to_string() };
        for _ in 0..2 {
            let by = Actor::CommandLine;
            let decided = decide_refund::approve(app, Caller::Organisation, &by, deposit, &seen).await;
            decided.map_err(|why| format!("the merchant approves: {why:?}"))?;
        }
        Ok(true)
    }
}
