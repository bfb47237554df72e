//! Sends callbacks; merchants check that they are correct.

use std::collections::BTreeMap;
use std::sync::Arc;

use checkout_gateway::service::callbacks::deliver_callbacks::CallbackDispatcher;

use super::coins::COINS;
use super::drive::{Stage, dying};
use super::model::Transfer;
use super::steps::Death;
use crate::fixture::Look as _;

impl Stage {
    pub(super) async fn deliver(mut self, answers: u64, dies: Option<Death>) -> Result<Self, String> {
        let (polls, posts) = match dies {
            Some(Death::After { polls }) => (Some(polls), None),
            Some(Death::Unheard { posts }) => (None, Some(posts)),
            None => (None, None),
        };
        self.merchants.answer(answers, posts);
        let app = Arc::clone(&self.world.app);
        let work = dying(polls, async {
            let mut dispatcher = CallbackDispatcher::new(app);
            dispatcher.begin_due().await.unwrap();
            dispatcher.finish().await;
        });
        let lived = tokio::select! {
            biased;
            () = self.merchants.unheard() => None,
            lived = work => lived,
        };
        if lived.is_none() {
            self.model.counts.crashes += 1;
            self = self.restart().await;
        }
        let deposits = "SELECT id, transaction_id || ':' || output_index FROM deposits";
        let deposits = self.world.database.texts(deposits).await;
        let text = |text: &Option<String>| text.clone().unwrap();
        let outputs = deposits.iter().map(|row| (text(&row[0]), text(&row[1]))).collect();
        self.hear(lived.is_some(), &outputs)?;
        Ok(self)
    }

    /// Merchants receive callbacks of deposits that currently count and of withdrawals that were sent. A
    /// callback is repeated only if the gateway died before it stored the answer (`stored` is false).
    fn hear(&mut self, stored: bool, outputs: &BTreeMap<String, String>) -> Result<(), String> {
        for told in self.merchants.news()? {
            self.model.counts.callbacks += 1;
            if let Some(withdrawal) = self.model.withdrawals.iter_mut().find(|one| one.id == told.subject) {
                let end = if withdrawal.blocked { "BLOCKED" } else { "COMPLETED" };
                if !withdrawal.is_over() || told.status != end || told.is_rewritten {
                    return Err(format!("{end}, when it has ended: {told:?}"));
                }
                self.model.counts.repeated += u64::from(withdrawal.told.is_told());
                withdrawal.told.hear(&told, stored)?;
                continue;
            }
            let is_it = |one: &Transfer| outputs.get(&told.subject) == Some(&one.output());
            let transfer = self.model.transfers.iter().position(is_it);
            let transfer = transfer.ok_or_else(|| format!("no transfer for {told:?}"))?;
            let payment = self.model.transfers[transfer].payment.ok_or("it pays somebody else")?;
            let payment = &mut self.model.payments[payment];
            let deposit = payment.deposits.iter_mut().find(|one| one.transfer == transfer);
            let deposit = deposit.filter(|deposit| deposit.counts());
            let deposit =
                deposit.ok_or_else(|| format!("a callback for a deposit that does not count: {told:?}"))?;
            if told.is_rewritten && !std::mem::take(&mut deposit.was_away) {
                return Err(format!("it counted all the time, and has two bodies: {told:?}"));
            }
            let rate_type = if deposit.at_fixed_rate { "FIXED" } else { "FLOATING" };
            if (told.amount.as_str(), told.rate_type.as_str())
                != (COINS[deposit.coin].text(deposit.atoms).as_str(), rate_type)
            {
                return Err(format!("not {deposit:?}: {told:?}"));
            }
            self.model.counts.repeated += u64::from(deposit.told.is_told());
            deposit.told.hear(&told, stored)?;
        }
        Ok(())
    }
}
