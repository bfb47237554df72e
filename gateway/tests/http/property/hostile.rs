//! What a chain and its node can do: a transaction is executed again, a node is behind, loses fields or has another clock, fees rise and
//! rates jump.

use checkout_domain::ids::PaymentId;
use checkout_gateway::service::transfers::record_transfers;
use serde_json::json;
use uuid::Uuid;

use super::coins::{BTC, COINS};
use super::drive::Stage;
use super::model::{Model, Place, Transfer};
use super::paying::request;
use super::steps::Step;
use crate::fixture::Look as _;

impl Model {
    /// The time of a transfer of now, by the clock of its network.
    pub(super) fn dated(&self, coin: usize) -> u64 {
        self.now.checked_add_signed(self.scene.ahead[coin]).unwrap()
    }

    /// The first transfers of the transactions that can be executed again. An id of Bitcoin says what its transaction moves.
    fn executable(&self) -> Vec<usize> {
        let is_mined =
            |id: &str| self.transfers.iter().any(|one| one.id == id && matches!(one.place, Place::Block(_)));
        let all = self.transfers.iter().enumerate();
        let found = all.filter(|(_, one)| one.index == 0 && one.coin != BTC && !is_mined(&one.id));
        found.map(|(at, _)| at).collect()
    }

    /// Other facts are another transfer, and the same ones are the same.
    fn execute_again(&mut self, first: &Transfer, moves: Option<Transfer>) {
        for at in self.by_revision(first.coin, |one| one.id == first.id && one.place == Place::Pending) {
            self.revise(at, Place::Gone);
        }
        let Some(moves) = moves else { return };
        let facts = |one: &Transfer| (one.id.clone(), one.payment, one.atoms, one.from);
        if let Some(at) = self.transfers.iter().position(|one| facts(one) == facts(&moves)) {
            self.revise(at, Place::Pending);
        } else {
            let index = self.transfers.iter().filter(|one| one.id == first.id).count();
            self.pay(Transfer { index, ..moves });
        }
    }
}

impl Stage {
    /// The ids of a deposit and its payment.
    pub(super) async fn stored(&self, transfer: usize) -> (Uuid, PaymentId) {
        let output = self.model.transfers[transfer].output();
        let row = format!(
            "SELECT id, payment FROM deposits WHERE transaction_id || ':' || output_index = '{output}'"
        );
        let row = self.world.database.texts(row).await;
        let id = |place: usize| -> Uuid { row[0][place].clone().unwrap().parse().unwrap() };
        (id(0), PaymentId(id(1)))
    }

    pub(super) async fn set_clocks(&mut self) {
        let ahead = self.model.scene.ahead;
        for (coin, seconds) in COINS.iter().zip(ahead) {
            self.world.simulated.simulator.run_ahead(coin.network, seconds).await.unwrap();
        }
        self.model.counts.other_clocks += u64::from(ahead.iter().any(|seconds| *seconds != 0));
    }

    /// Where a transfer to this payee goes: a payment and its address, or somebody else.
    fn payee(&self, coin: usize, payee: usize) -> (Option<usize>, (String, Option<String>)) {
        let payments = &self.model.payments;
        let place = |payment: usize| {
            let mut places = payments[payment].addresses.iter().filter(|(of, ..)| *of == coin);
            places.next().map(|(_, address, tag)| (address.clone(), tag.clone()))
        };
        let payment = payee % (payments.len() + 1);
        if let Some(place) = payments.get(payment).and_then(|_| place(payment)) {
            return (Some(payment), place);
        }
        // On networks with tags the same account, without one.
        let tagged = (0..payments.len()).filter_map(place).find(|(_, tag)| tag.is_some());
        (None, (tagged.map_or_else(|| COINS[coin].people[1].to_owned(), |(address, _)| address), None))
    }

    pub(super) async fn execute_again(&mut self, step: &Step) {
        let Step::ExecuteAgain { transaction, thousandths, payee, from, fails, watched } = step else {
            return;
        };
        let all = self.model.executable();
        let Some(at) = all.get(transaction % all.len().max(1)) else { return };
        let first = self.model.transfers[*at].clone();
        let (coin, network) = (first.coin, COINS[first.coin].network);
        // On an account chain a contract can send what is of others.
        let from = if network.spec().chain_id().is_some() { from % 3 } else { first.from };
        let (payment, place) = self.payee(coin, *payee);
        let atoms = (first.atoms * u128::from(*thousandths) / 1_000).max(1);
        let moves = (!fails).then(|| request(coin, place, atoms, from, first.replaceable));
        let (simulator, now) = (&self.world.simulated.simulator, self.world.app.clock.now());
        assert!(simulator.execute_again(&first.id, moves.as_ref(), network, now).await.unwrap());
        let sent_at = self.model.dated(coin);
        let moves = Transfer { payment, atoms, from, sent_at, left: 0, odd: false, ..first.clone() };
        self.model.execute_again(&first, (!fails).then_some(moves));
        self.model.counts.executed_again += 1;
        self.model.counts.failed_then += u64::from(*fails);
        if *watched {
            self.world.mine(network.code()).await;
            self.model.mine(coin, 1);
            self.watched(coin).await;
        }
    }

    pub(super) async fn lag(&mut self, coin: usize, blocks: u32) {
        self.world.simulated.simulator.lag(COINS[coin].network, blocks).await.unwrap();
        self.model.lags[coin] = blocks.into();
        self.model.counts.behind += u64::from(blocks > 0);
    }

    pub(super) async fn lose_fields(&mut self, transfer: usize) {
        let Some(all) = self.model.transfers.len().checked_sub(1) else { return };
        let id = self.model.transfers[transfer % (all + 1)].id.clone();
        self.world.simulated.simulator.lose_fields(&id, true).await.unwrap();
        self.model.transfers.iter_mut().filter(|one| one.id == id).for_each(|one| one.odd = true);
    }

    pub(super) async fn find_fields(&mut self) {
        let simulator = &self.world.simulated.simulator;
        for transfer in self.model.transfers.iter_mut().filter(|transfer| transfer.odd) {
            transfer.odd = false;
            simulator.lose_fields(&transfer.id, false).await.unwrap();
        }
        self.pass(2).await;
        for coin in &COINS {
            record_transfers::read_again(&self.world.app, coin.network).await.unwrap();
        }
        let set_aside = std::mem::take(&mut self.model.set_aside);
        self.model.counts.without_fields += set_aside.len() as u64;
        let mut set_aside: Vec<(u64, String)> = set_aside.into_iter().map(|(id, at)| (at, id)).collect();
        set_aside.sort();
        for coin in 0..COINS.len() {
            for (_, id) in &set_aside {
                let outputs = self.model.by_revision(coin, |transfer| transfer.id == *id);
                self.model.take(&outputs.into_iter().map(|at| (at, false)).collect::<Vec<_>>());
            }
        }
    }

    async fn pass(&mut self, seconds: u64) {
        self.world.advance(seconds).await;
        self.model.now += seconds;
    }

    /// What was shown before holds for a minute.
    pub(super) async fn ask_fee(&mut self, coin: usize, is_dear: bool) {
        let usual = COINS[coin].fee;
        let asked = if is_dear { usual * 30 } else { usual / 5 * 4 };
        let fee = json!({"network": COINS[coin].network.code(), "fee": COINS[coin].text(asked)});
        self.world.sandbox("fees", fee).await;
        self.model.asked[coin] = asked;
        self.pass(61).await;
    }

    pub(super) async fn jump(&mut self, coin: usize, quarters: u128) {
        let price = COINS[coin].price / 4 * quarters;
        let rate = format!("{}.{:03}", price / 1_000, price % 1_000);
        self.world.sandbox("rates", json!({"from": COINS[coin].code, "to": "EUR", "rate": rate})).await;
        self.model.prices[coin] = price;
        self.model.counts.jumps += 1;
    }

    /// All of it is over, but for rates and clocks.
    pub(super) async fn calm(&mut self) {
        for coin in 0..COINS.len() {
            self.lag(coin, 0).await;
            self.ask_fee(coin, false).await;
        }
        self.find_fields().await;
    }
}
