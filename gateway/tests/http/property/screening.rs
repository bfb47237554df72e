//! A screening that may not answer, and an operator's decisions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::chain::screening::Decision;
use checkout_domain::ports::screening::{Screened, Screening, ScreeningError};
use checkout_gateway::service::transfers::screen_deposits::{self, Decided};
use serde_json::json;

use super::coins::COINS;
use super::drive::{Stage, dying};
use super::senders::Verdict;
use crate::fixture::Look as _;

/// The sandbox's screening, which can stop answering.
pub(super) struct Moody {
    own: Arc<dyn Screening>,
    silent: Arc<AtomicBool>,
}

impl Moody {
    pub(super) fn new(own: &Arc<dyn Screening>, silent: &Arc<AtomicBool>) -> Self {
        Self { own: Arc::clone(own), silent: Arc::clone(silent) }
    }
}

#[async_trait]
impl Screening for Moody {
    async fn screen(&self, network: Network, address: &str) -> Result<Screened, ScreeningError> {
        if self.silent.load(Ordering::SeqCst) {
            return Err(ScreeningError("no answer".into()));
        }
        self.own.screen(network, address).await
    }
}

impl Stage {
    pub(super) async fn flag(&mut self, coin: usize, person: usize, flagged: bool) {
        let (network, address) = (COINS[coin].network.code(), COINS[coin].people[person]);
        self.world
            .sandbox("flags", json!({"network": network, "address": address, "flagged": flagged}))
            .await;
        if flagged {
            self.model.flags.insert((coin, person));
        } else {
            self.model.flags.remove(&(coin, person));
        }
    }

    pub(super) fn silence(&mut self, silent: bool) {
        self.silent.store(silent, Ordering::SeqCst);
        self.model.silent = silent;
    }

    pub(super) async fn screen(mut self, dies_after: Option<usize>) -> Result<Self, String> {
        if dies_after.is_some() {
            let app = Arc::clone(&self.world.app);
            let lived = dying(dies_after, screen_deposits::run(&app)).await.is_some();
            self.model.counts.crashes += u64::from(!lived);
            self = self.restart().await;
        }
        screen_deposits::run(&self.world.app).await.unwrap();
        // Any order is correct.
        let order = "SELECT transaction_id || ':' || output_index FROM deposits ORDER BY COALESCE(confirmed_seq, 0), id";
        for row in self.world.database.texts(order).await {
            let id = row[0].as_ref().unwrap();
            let all = self.model.all_deposits().into_iter();
            let mut found = all.filter(|at| {
                let transfer = self.model.payments[at.0].deposits[at.1].transfer;
                self.model.transfers[transfer].output() == *id
            });
            let at = found.next().ok_or_else(|| format!("{id} has no transfer"))?;
            self.model.screen(at);
        }
        Ok(self)
    }

    /// Decides a deposit that was ever flagged, or otherwise any deposit.
    pub(super) async fn decide(
        self,
        deposit: usize,
        release: bool,
        dies_after: Option<usize>,
    ) -> Result<Self, String> {
        let all = self.model.all_deposits();
        let mut flagged = all.clone();
        flagged.retain(|at| self.model.payments[at.0].deposits[at.1].verdict.is_held());
        // One index more than there are, for a deposit that was never flagged.
        let at = flagged.get(deposit % (flagged.len() + 1)).or_else(|| all.get(deposit % all.len().max(1)));
        match at.copied() {
            Some(at) => self.decide_one(at, release, dies_after).await,
            None => Ok(self),
        }
    }

    async fn decide_one(
        mut self,
        at: (usize, usize),
        release: bool,
        dies_after: Option<usize>,
    ) -> Result<Self, String> {
        let transfer = self.model.deposit(at).transfer;
        let id = self.stored(transfer).await.0;
        let decision = if release { Decision::Release } else { Decision::Refuse };
        if dies_after.is_some() {
            let store = Arc::clone(&self.world.app.store);
            let lived =
                dying(dies_after, screen_deposits::decide(store.as_ref(), id, decision)).await.is_some();
            self.model.counts.crashes += u64::from(!lived);
            self = self.restart().await;
        }
        let decided = screen_deposits::decide(&self.world.database, id, decision).await.unwrap();
        let is_kept = self.model.decide(at, release);
        // After a crash it is unknown whether the decision was stored, so it is repeated; the second answer
        // then reports the stored decision.
        if (decided == Decided::Kept) != is_kept && dies_after.is_none() {
            return Err(format!("{decided:?} of {decision:?} of {}", self.model.describe(at)));
        }
        Ok(self)
    }

    /// At the end no deposit waits for the screening. Of three flagged ones, one is released, one is refused and one
    /// waits.
    pub(super) async fn decide_all(mut self) -> Result<Self, String> {
        self = self.screen(None).await?;
        for (number, at) in self.model.all_deposits().into_iter().enumerate() {
            if self.model.deposit(at).verdict == Verdict::Flagged && number % 3 > 0 {
                self = self.decide_one(at, number % 3 == 1, None).await?;
            }
        }
        self.screen(None).await
    }
}
