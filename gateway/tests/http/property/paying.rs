//! Payers send coins.

use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_simulator::requests::TransferRequest;
use serde_json::json;

use super::coins::{COINS, value};
use super::drive::Stage;
use super::model::{Place, Transfer};
use super::refunds::CONTRACT;
use super::steps::Step;

pub(super) fn request(
    coin: usize,
    (address, tag): (String, Option<String>),
    atoms: u128,
    from: usize,
    replaceable: bool,
) -> TransferRequest {
    TransferRequest {
        pair: checkout_core::pair::find(COINS[coin].code.parse().unwrap(), COINS[coin].network).unwrap(),
        address,
        tag,
        amount: checkout_core::Amount::from_atoms(atoms).unwrap(),
        from: (from > 0).then(|| COINS[coin].people[from].to_owned()),
        from_tag: None,
        replaceable,
        transaction: None,
        sender: (from == CONTRACT).then_some(NoRefundAddress::Contract),
    }
}

impl Stage {
    pub(super) async fn pay(&mut self, step: &Step) {
        let Step::Pay { payment, address, thousandths, atoms, replaceable, from, watched } = step else {
            return;
        };
        let payment = payment % self.model.payments.len();
        let to = &self.model.payments[payment];
        let (coin, address, tag) = to.addresses[address % to.addresses.len()].clone();
        let asked = value(self.model.prices, to.expected, to.coin, coin);
        let atoms = asked * u128::from(*thousandths) / 1_000 + u128::from(*atoms);
        let atoms = atoms.max(1);
        let (code, network) = (COINS[coin].code, COINS[coin].network);
        let id = if *watched {
            let mut body = json!({
                "network": network.code(), "currency": code, "address": address, "amount": COINS[coin].text(atoms),
                "replaceable": replaceable,
            });
            if let Some(tag) = &tag {
                body["destinationTag"] = json!(tag);
            }
            if *from > 0 {
                body["fromAddress"] = json!(COINS[coin].people[*from]);
            }
            if *from == CONTRACT {
                body["sender"] = json!("CONTRACT");
            }
            self.world.sandbox("transfers", body).await["transactionId"].as_str().unwrap().to_owned()
        } else {
            let app = &self.world.app;
            let request = request(coin, (address, tag), atoms, *from, *replaceable);
            let simulation = &self.world.simulated.simulator;
            simulation.send(&request, app.clock.now(), app.random()).await.unwrap().unwrap()
        };
        self.model.pay(Transfer {
            id,
            index: 0,
            coin,
            payment: Some(payment),
            atoms,
            replaceable: *replaceable,
            from: *from,
            sent_at: self.model.dated(coin),
            place: Place::Pending,
            revision: 0,
            left: 0,
            odd: false,
        });
        self.model.counts.transfers += 1;
        if *watched {
            self.watched(coin).await;
        }
    }
}
