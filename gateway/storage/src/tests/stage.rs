//! A store with two businesses, and test data.

use std::future::Future;
use std::time::Duration;

use checkout_core::{Amount, Currency, Decimal, Network, decimal};
use checkout_domain::access::session_nonce::SessionNonce;
use checkout_domain::business::Business;
use checkout_domain::chain::screening::Screening;
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::{Notes, Payment, Price, Quote, Terms};
use checkout_domain::ports::{Store as _, Tx};
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::rates::market::ShownRates;
use checkout_wire::payment::OverpaymentPolicy;
use checkout_wire::{PaymentStatus, PaymentType, RateType};
use uuid::Uuid;

use crate::Database;
use crate::fixture::TestDatabase;

pub(crate) const NOW: u64 = 1_800_000_000;

pub(crate) struct Stage {
    /// Deleted after the test.
    pub(crate) place: TestDatabase,
    pub(crate) store: Database,
    pub(crate) business: Business,
    pub(crate) other: Business,
}

impl Stage {
    pub(crate) async fn set(place: TestDatabase) -> Self {
        let store = place.open().await;
        let new = |name: &str| {
            let id = BusinessId(Uuid::now_v7());
            Business {
                name: name.to_owned(),
                deposit_callback: Some(format!("https://{name}.example/deposits")),
                ..Business::new(id, NOW, format!("whsec_{id}"))
            }
        };
        let stage = Self { place, store, business: new("kettle"), other: new("pot") };
        let mut tx = stage.begin().await;
        tx.put_business(&stage.business).await.unwrap();
        tx.put_business(&stage.other).await.unwrap();
        tx.commit().await.unwrap();
        stage
    }

    pub(crate) async fn begin(&self) -> Box<dyn Tx> {
        self.store.begin().await.unwrap()
    }

    pub(crate) fn payment(&self, client_id: &str) -> Payment {
        Payment {
            id: PaymentId(Uuid::now_v7()),
            business: self.business.id,
            client_payment_id: client_id.to_owned(),
            kind: PaymentType::OneTime,
            rate_type: RateType::Fixed,
            locale: "en-US".to_owned(),
            display_currency: Fiat::EUR,
            first_display_currency: Fiat::EUR,
            display_currency_given: false,
            price: Price::Display(dec("100.00")),
            requested_currency: None,
            requested_network: None,
            expiration_minutes: 30,
            redirect_url: None,
            overpayment_policy: OverpaymentPolicy::Process,
            refund_follow_ups: false,
            underpayment_tolerance: Some(dec("0.01")),
            initiated_at: NOW,
            quote: None,
            status: PaymentStatus::New,
            settled_at: None,
            session_nonce: SessionNonce(Uuid::new_v4()),
            estimate: None,
            cancelled_at: None,
            acceptance: None,
            notes: Notes::default(),
        }
    }

    /// Stores a payment.
    pub(crate) async fn stored(&self, client_id: &str) -> Payment {
        let payment = self.payment(client_id);
        let mut tx = self.begin().await;
        assert!(tx.insert_payment(&payment, "hash").await.unwrap());
        tx.commit().await.unwrap();
        payment
    }
}

/// Starts a transaction that gives the payment another status.
pub(crate) async fn paid(store: &Database, payment: &Payment, status: PaymentStatus) -> Box<dyn Tx> {
    let mut tx = store.begin().await.unwrap();
    tx.update_payment(&Payment { status, ..payment.clone() }).await.unwrap();
    tx
}

pub(crate) fn dec(text: &str) -> Decimal {
    decimal::parse(text, 8).unwrap()
}

pub(crate) fn quote(address: &str) -> Quote {
    Quote {
        currency: Currency::Btc,
        network: Network::Btc,
        address: address.to_owned(),
        tag: None,
        fiat: Fiat::EUR,
        terms: Terms {
            expected: Amount::from_atoms(166_667).unwrap(),
            shown: ShownRates { display: dec("60000"), uniform: dec("60000.5") },
            display: dec("100.00"),
            uniform: dec("0.00000001"),
        },
        requested_at: NOW + 5,
    }
}

pub(crate) fn deposit(transaction: &str, seq: u32) -> Deposit {
    Deposit {
        id: Uuid::now_v7(),
        output: OutputId { network: Network::Btc, transaction: transaction.to_owned(), index: 0 },
        currency: Currency::Btc,
        amount: Amount::from_atoms(u128::from(u64::MAX)).unwrap(),
        to: "to".to_owned(),
        tag: None,
        from: "from".to_owned(),
        other_senders: vec!["other".to_owned(), String::new()],
        from_tag: Some("7".to_owned()),
        fee: "0.0000141".to_owned(),
        seen_at: NOW + 7,
        recorded_at: NOW + 9,
        state: OutputState::Unconfirmed,
        confirmations: 0,
        required_confirmations: 1,
        required_by_amount: 1,
        instant: true,
        being_valued: false,
        rate: dec("60000"),
        uniform_rate: dec("60000"),
        price_rate: Some(dec("3000.5")),
        rate_type: RateType::Fixed,
        quote: Some(0),
        display_amount: dec("100.00"),
        uniform_amount: dec("100.01"),
        seen_seq: seq,
        confirmed_seq: None,
        screening: Screening::Passed,
        hold: None,
        sender: None,
    }
}

/// Runs `count` tasks at the same time and returns their results.
pub(crate) async fn at_once<T: Send + 'static, F>(count: usize, task: impl Fn(usize) -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
{
    let tasks: Vec<_> = (0..count).map(|number| tokio::spawn(task(number))).collect();
    let mut all = Vec::new();
    for task in tasks {
        all.push(task.await.unwrap());
    }
    all
}

/// Long enough for a task that does not wait to finish, and short enough for a test that passes.
pub(crate) const A_WHILE: Duration = Duration::from_millis(150);

/// A chain's report of a deposit's output.
pub(crate) fn transfer_of(deposit: &Deposit) -> Transfer {
    Transfer {
        output: deposit.output.clone(),
        currency: deposit.currency,
        amount: deposit.amount,
        to: deposit.to.clone(),
        tag: deposit.tag.clone(),
        from: deposit.from.clone(),
        other_senders: deposit.other_senders.clone(),
        from_tag: deposit.from_tag.clone(),
        fee: deposit.fee.clone(),
        seen_at: deposit.seen_at,
        state: deposit.state,
        uncertain: false,
    }
}
