//! The payment and its checkout, as the gateway said last.

use checkout_core::{Amount, Currency, Network, Pair, pair};
use checkout_wire::checkout_view::{CheckoutView, TestNetwork, Transfer};
use checkout_wire::claim_refund::RefundClaim;
use checkout_wire::payment::DepositHold;
use checkout_wire::rules::window_end;
use checkout_wire::texts::AmountText;
use checkout_wire::update_payment::UpdatedPayment;
use checkout_wire::{Deposit, Payment, PaymentStatus, PaymentType, Word};

#[derive(Clone, Debug)]
pub struct Opened {
    pub merchant: String,
    pub allowed_origins: Vec<String>,
    pub offers: Vec<Offer>,
    pub sandbox: bool,
    pub test_networks: Vec<TestNetwork>,
    pub support_url: Option<String>,
    pub payment: Payment,
    /// The lowest version that is not older than what the page shows.
    pub version: u64,
    /// Deposits that are no part of the payment, in coins that the business does not take.
    pub held: Vec<Deposit>,
    /// The rest of the quoted amount by the gateway's rules; `None` until it said so.
    pub remaining: Option<AmountText>,
    /// What the payer can ask back, and what became of it.
    pub claims: Vec<RefundClaim>,
    /// Facts of the deposits.
    pub transfers: Vec<Transfer>,
    /// The transfer that was seen last is no longer on the network.
    pub transfer_vanished: bool,
    /// Price of one coin of the quote in the display currency.
    pub rate: Option<AmountText>,
    /// The status to show: the gateway's, or the one after the end of the window if the gateway has not
    /// reported that yet.
    pub status: PaymentStatus,
}

/// A pair that the payer may choose.
#[derive(Clone, Debug)]
pub struct Offer {
    pub pair: &'static Pair,
    pub estimate: Option<Amount>,
    /// That a transfer needs.
    pub confirmations: Option<u64>,
    /// What the network usually takes from the sender, in the display currency.
    pub fee: Option<AmountText>,
}

/// A type that this version does not know is paid once.
pub(crate) fn kind(payment: &Payment) -> PaymentType {
    payment.kind.known().unwrap_or(PaymentType::OneTime)
}

/// Removes the deposits that are no part of the payment.
fn take_held(payment: &mut Payment) -> Vec<Deposit> {
    let deposits = core::mem::take(&mut payment.deposits);
    let (held, deposits) = deposits.into_iter().partition(is_foreign);
    payment.deposits = deposits;
    held
}

fn is_foreign(deposit: &Deposit) -> bool {
    deposit.hold.as_ref().and_then(Word::known).is_some_and(DepositHold::is_foreign)
}

impl Opened {
    /// The payer reads what can be asked back, so the page does not leave by itself.
    pub fn has_claims(&self) -> bool {
        !self.claims.is_empty()
    }

    pub fn new(mut view: CheckoutView) -> Self {
        let held = take_held(&mut view.payment);
        Self {
            offers: offers(&view),
            merchant: view.merchant_name,
            allowed_origins: view.allowed_origins,
            sandbox: view.sandbox,
            test_networks: view.test_networks,
            support_url: view.support_url,
            version: view.version,
            held,
            remaining: view.remaining_amount,
            claims: view.claims,
            transfers: view.transfers,
            transfer_vanished: view.transfer_vanished,
            rate: view.rate,
            status: view.payment.status.known().unwrap_or(PaymentStatus::Awaiting),
            payment: view.payment,
        }
    }

    /// The test network in use on this network; `None` on the main network.
    pub fn test_network(&self, network: Network) -> Option<&TestNetwork> {
        self.test_networks.iter().find(|test| test.network == network.code())
    }

    /// Whether the gateway may still accept another choice.
    pub fn may_choose(&self) -> bool {
        match self.payment.status.known() {
            Some(PaymentStatus::New | PaymentStatus::Pending | PaymentStatus::Expired) => true,
            Some(PaymentStatus::Awaiting | PaymentStatus::Deposited | PaymentStatus::Overpaid) | None => {
                self.is_reusable()
            }
        }
    }

    /// Whether it can be paid any number of times.
    pub fn is_reusable(&self) -> bool {
        kind(&self.payment) == PaymentType::Reusable
    }

    pub fn window_end(&self) -> Option<u64> {
        let payment = &self.payment;
        window_end(
            kind(payment),
            payment.payment_initiated_at.0,
            payment.payment_requested_at.map(|time| time.0),
            payment.expiration_minutes,
        )
    }

    /// The asset and network of a deposit, whatever is quoted now. `None` if this version of the page does
    /// not support them.
    pub fn pair_of(&self, deposit: &Deposit) -> Option<&'static Pair> {
        let network = self.transfer(deposit)?.network.parse().ok()?;
        pair::find(deposit.deposit_currency.parse().ok()?, network)
    }

    /// The confirmations that a deposit has, and those that it needs. `None` if one is enough, or once it has them.
    pub fn confirmations(&self, deposit: &Deposit) -> Option<(u64, u64)> {
        let transfer = self.transfer(deposit)?;
        let (done, required) = (transfer.confirmations?, transfer.required_confirmations?);
        (done < required && required > 1).then_some((done, required))
    }

    /// Whether it came after the order was paid.
    pub fn is_follow_up(&self, deposit: &Deposit) -> bool {
        self.transfer(deposit).is_some_and(|transfer| transfer.follow_up)
    }

    fn transfer(&self, deposit: &Deposit) -> Option<&Transfer> {
        self.transfers.iter().find(|transfer| transfer.deposit_id == deposit.id)
    }

    /// Applies the answer to the payer's choice. A changed payment has a higher version.
    pub(crate) fn take_choice(&mut self, UpdatedPayment { mut payment_info, rate }: UpdatedPayment) {
        self.held = take_held(&mut payment_info);
        if payment_info != self.payment {
            self.version += 1;
            self.rate = None;
            self.remaining = None;
        }
        self.payment = payment_info;
        self.rate = rate.or_else(|| self.rate.take());
    }

    /// The offered currencies, without duplicates, in the merchant's order.
    pub fn currencies(&self) -> Vec<Currency> {
        let mut currencies = Vec::new();
        for offer in &self.offers {
            if !currencies.contains(&offer.pair.currency) {
                currencies.push(offer.pair.currency);
            }
        }
        currencies
    }

    pub fn offers_of(&self, currency: Currency) -> impl Iterator<Item = &Offer> {
        self.offers.iter().filter(move |offer| offer.pair.currency == currency)
    }

    pub fn offer(&self, currency: Currency, network: Network) -> Option<&Offer> {
        self.offers_of(currency).find(|offer| offer.pair.network == network)
    }
}

/// The pairs that the payer may choose: the supported ones, within the merchant's restrictions.
fn offers(view: &CheckoutView) -> Vec<Offer> {
    let is_new = view.payment.status == PaymentStatus::New;
    let fixed_currency = view.payment.deposit_currency.as_deref().filter(|_| is_new);
    let fixed_network = view.payment.expected_network.as_deref().filter(|_| is_new);
    let fits = |fixed: Option<&str>, code: &str| fixed.is_none_or(|fixed| fixed == code);
    let options = view.options.iter();
    let options = options
        .filter(|option| fits(fixed_currency, &option.currency) && fits(fixed_network, &option.network));
    options
        .filter_map(|option| {
            let pair = pair::find(option.currency.parse().ok()?, option.network.parse().ok()?)?;
            let estimate = option.estimated_amount.as_deref();
            let estimate = estimate.and_then(|text| Amount::parse(text, pair.decimals).ok());
            let fee = option.usual_fee.clone();
            pair.deposit.then_some(Offer {
                pair,
                estimate,
                confirmations: option.required_confirmations,
                fee,
            })
        })
        .collect()
}
