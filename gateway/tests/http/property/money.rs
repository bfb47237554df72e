//! The expected balances, from the model's deposits, refunds and withdrawals alone.

use std::collections::BTreeMap;

use super::coins::{BTC, COINS, Prices, value};
use super::model::{Model, Withdrawal};

/// Service fees, in thousandths, of settlements and of withdrawals.
const DEPOSIT_FEE: u128 = 5;
const WITHDRAWAL_FEE: u128 = 1;

/// Units by account and asset, without zero balances.
pub(super) type Balances = BTreeMap<String, i128>;

impl Model {
    pub(super) fn balances(&self) -> Balances {
        let mut sums = Balances::new();
        let mut add = |account: &str, asset: &str, units: i128| {
            *sums.entry(format!("{account} {asset}")).or_default() += units;
        };
        for deposit in self.payments.iter().flat_map(|payment| &payment.deposits) {
            let coin = &COINS[deposit.coin];
            let refund = deposit.refund.as_ref().filter(|refund| refund.possible);
            let returned = refund.map_or(0, |refund| refund.gross);
            if deposit.is_confirmed() {
                add("CHAIN", coin.code, -signed(deposit.atoms));
                add("REFUNDS", coin.code, signed(returned));
                self.settle(deposit.prices, deposit.coin, deposit.atoms - returned, &mut add);
            } else if deposit.is_in_block() && deposit.verdict.is_held() {
                add("CHAIN", coin.code, -signed(deposit.atoms));
                add("HELD", coin.code, signed(deposit.atoms));
            }
            if let Some(refund) = refund.filter(|refund| refund.sent) {
                add("REFUNDS", coin.code, -signed(returned));
                add("CHAIN", coin.code, signed(returned - refund.fee));
                add("COSTS", coin.code, signed(refund.fee));
            }
        }
        for withdrawal in self.withdrawals.iter().filter(|withdrawal| !withdrawal.blocked) {
            let coin = &COINS[withdrawal.coin];
            let (account, asset) = account(withdrawal.from_crypto);
            let Charge { deducted, service, fee } = withdrawal.charge;
            add(account, asset, -deducted);
            if withdrawal.sent {
                add("FEES", asset, signed(service));
                add("CHAIN", coin.code, signed(withdrawal.atoms));
                add("COSTS", coin.code, signed(fee));
                if asset != coin.code {
                    add("EXCHANGE", asset, deducted - signed(service));
                    add("EXCHANGE", coin.code, -signed(withdrawal.atoms + fee));
                }
            } else {
                let reserved = if withdrawal.refund_of.is_some() { "REFUNDS" } else { "WITHDRAWALS" };
                add(reserved, asset, deducted);
            }
        }
        sums.retain(|_, units| *units != 0);
        sums
    }

    fn settle(&self, prices: Prices, coin: usize, kept: u128, add: &mut impl FnMut(&str, &str, i128)) {
        let to_crypto = kept * self.scene.halves / 2;
        let to_fiat = kept - to_crypto;
        let cents = to_cents(prices, coin, to_fiat, false);
        let bitcoin = value(prices, to_crypto, coin, BTC);
        for (account, asset, gross, given) in
            [("FIAT", "EUR", cents, to_fiat), ("CRYPTO", "BTC", bitcoin, to_crypto)]
        {
            let fee = gross * DEPOSIT_FEE / 1_000;
            add(account, asset, signed(gross - fee));
            add("FEES", asset, signed(fee));
            if asset != COINS[coin].code {
                add("EXCHANGE", COINS[coin].code, signed(given));
                add("EXCHANGE", asset, -signed(gross));
            }
        }
    }

    /// Returns a withdrawal's charge, and whether what is final covers it.
    pub(super) fn charge(&self, coin: usize, atoms: u128, from_crypto: bool) -> (Charge, Covered) {
        let fee = self.fee(coin);
        let service = (charged(self.prices, coin, atoms, from_crypto) * WITHDRAWAL_FEE).div_ceil(1_000);
        let deducted = signed(charged(self.prices, coin, atoms + fee, from_crypto) + service);
        (Charge { deducted, service, fee }, self.covers(deducted, from_crypto, None))
    }

    /// The same of a refund of the merchant, without a service fee. The deposits of its own payment count for it.
    pub(super) fn charge_refund(
        &self,
        (payment, coin): (usize, usize),
        atoms: u128,
        from_crypto: bool,
    ) -> (Charge, Covered) {
        let fee = self.fee(coin);
        let deducted = signed(charged(self.prices, coin, atoms + fee, from_crypto));
        (Charge { deducted, service: 0, fee }, self.covers(deducted, from_crypto, Some(payment)))
    }

    /// The fee of everything that leaves now: the fixed one, or what the network asks and a quarter more.
    pub(super) fn fee(&self, coin: usize) -> u128 {
        let asked = self.asked[coin];
        COINS[coin].fee.max(asked + asked.div_ceil(4))
    }

    fn covers(&self, deducted: i128, from_crypto: bool, own: Option<usize>) -> Covered {
        let least = self.without(from_crypto, own, &|transfer| !self.is_final(transfer)).max(0);
        let most = self.without(from_crypto, own, &|transfer| !self.was_final(transfer)).max(0);
        match deducted {
            _ if deducted <= least => Covered::Yes,
            _ if deducted > most => Covered::No,
            _ => Covered::Perhaps,
        }
    }

    /// Whether a balance lacks final money for something that is charged to it and signed now. What is reserved of it for others that are not
    /// signed is there.
    pub(super) fn is_short(&self, from_crypto: bool, signed: Option<usize>) -> bool {
        let mut there = self.balance(from_crypto);
        for (at, one) in self.withdrawals.iter().enumerate() {
            let is_reserved = Some(at) != signed && one.from_crypto == from_crypto && !one.is_over();
            there += if is_reserved { one.charge.deducted } else { 0 };
        }
        for payment in 0..self.payments.len() {
            for coin in 0..COINS.len() {
                let is_shallow = |at: usize| self.shallow.contains(&self.transfers[at].output());
                there -= self.credits((payment, coin), from_crypto, &is_shallow).1;
            }
        }
        there < 0
    }

    fn balance(&self, from_crypto: bool) -> i128 {
        let (account, asset) = account(from_crypto);
        self.balances().get(&format!("{account} {asset}")).copied().unwrap_or(0)
    }

    /// What the deposits of a payment in a coin brought to a balance: final and pending.
    fn credits(
        &self,
        (payment, coin): (usize, usize),
        from_crypto: bool,
        pending: &dyn Fn(usize) -> bool,
    ) -> (i128, i128) {
        let (account, asset) = account(from_crypto);
        let mut sums = (0, 0);
        let deposits = self.payments[payment].deposits.iter();
        for deposit in deposits.filter(|deposit| deposit.coin == coin && deposit.is_confirmed()) {
            let returned = deposit.refund.as_ref().filter(|refund| refund.possible);
            let kept = deposit.atoms - returned.map_or(0, |refund| refund.gross);
            let sum = if pending(deposit.transfer) { &mut sums.1 } else { &mut sums.0 };
            self.settle(deposit.prices, coin, kept, &mut |to, of, credited| {
                *sum += if (to, of) == (account, asset) { credited } else { 0 };
            });
        }
        sums
    }

    /// A balance without what is pending of others than one payment. A refund of the merchant that waits has taken what is final of its own
    /// coin, and then what is pending there.
    fn without(&self, from_crypto: bool, own: Option<usize>, pending: &dyn Fn(usize) -> bool) -> i128 {
        let mut units = self.balance(from_crypto);
        for payment in (0..self.payments.len()).filter(|at| Some(*at) != own) {
            for coin in 0..COINS.len() {
                let (firm, pending) = self.credits((payment, coin), from_crypto, pending);
                let of_coin = |one: &&Withdrawal| {
                    one.refund_of == Some(payment)
                        && one.coin == coin
                        && one.from_crypto == from_crypto
                        && !one.blocked
                };
                let charged = |is_sent: bool| -> i128 {
                    let refunds = self.withdrawals.iter().filter(of_coin).filter(|one| one.sent == is_sent);
                    refunds.map(|one| one.charge.deducted).sum()
                };
                let rest = (firm - charged(true)).max(0);
                units -= pending - (charged(false) - rest).clamp(0, pending);
            }
        }
        units
    }
}

/// What a withdrawal or a refund of the merchant costs, as it was when it was asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Charge {
    pub(super) deducted: i128,
    service: u128,
    /// The network's.
    pub(super) fee: u128,
}

/// Whether a charge is covered. What was final in a block that a reorganisation shortened may count or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Covered {
    Yes,
    Perhaps,
    No,
}

impl Covered {
    /// The gateway decides what is open.
    pub(super) fn or(self, gateway: bool) -> bool {
        match self {
            Self::Yes => true,
            Self::Perhaps => gateway,
            Self::No => false,
        }
    }
}

fn account(from_crypto: bool) -> (&'static str, &'static str) {
    if from_crypto { ("CRYPTO", "BTC") } else { ("FIAT", "EUR") }
}

/// Rounded up.
fn charged(prices: Prices, coin: usize, atoms: u128, from_crypto: bool) -> u128 {
    if !from_crypto {
        return to_cents(prices, coin, atoms, true);
    }
    let down = value(prices, atoms, coin, BTC);
    down + u128::from(value(prices, down, BTC, coin) < atoms)
}

fn to_cents(prices: Prices, coin: usize, atoms: u128, up: bool) -> u128 {
    let (units, per_cent) = (atoms * prices[coin], COINS[coin].one() * 10);
    if up { units.div_ceil(per_cent) } else { units / per_cent }
}

fn signed(units: u128) -> i128 {
    i128::try_from(units).unwrap()
}
