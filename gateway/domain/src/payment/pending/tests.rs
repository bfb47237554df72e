use checkout_core::{Amount, Currency, Decimal, Network, pair};

use super::*;
use crate::ids::BusinessId;
use crate::ledger::settlement::{Prices, Split, Terms};
use crate::rates::fiat::Fiat;
use crate::rates::market::MarketRate;

const EUR: Asset = Asset::Fiat(Fiat::EUR);
const A: u128 = 1;
const B: u128 = 2;

fn id(number: u128) -> PaymentId {
    PaymentId(Uuid::from_u128(number))
}

fn coin(currency: Currency) -> &'static Pair {
    let network = if currency == Currency::Btc { Network::Btc } else { Network::Eth };
    pair::find(currency, network).unwrap()
}

fn eur(units: i128) -> Money {
    Money { asset: EUR, units }
}

/// A coin is a cent.
fn deposit(payment: u128, currency: Currency, cents: u32, depth: Depth) -> CreditedDeposit {
    let pair = coin(currency);
    let coins = Amount::parse(&cents.to_string(), pair.decimals).unwrap();
    let cent = MarketRate::new(Decimal::new(1, 2));
    CreditedDeposit {
        deposit: Uuid::nil(),
        payment: id(payment),
        output: OutputId { network: pair.network, transaction: String::new(), index: 0 },
        pair,
        seen_at: 0,
        booked: Booked {
            business: BusinessId(Uuid::nil()),
            network: pair.network,
            terms: Terms { ratio: Decimal::ZERO, crypto: currency, fee: Decimal::ZERO },
            prices: Prices { deposit: cent, crypto: cent },
            generation: 1,
            booked_at: 0,
            split: Some(Split { kept: coins, returned: Amount::ZERO }),
            depth,
        },
    }
}

const FINAL: Depth = Depth::Final;
const PENDING: Depth = Depth::Shallow { asked_at_height: 9 };
const BTC: Currency = Currency::Btc;
const ETH: Currency = Currency::Eth;

fn refund((payment, currency, cents, is_signed): (u128, Currency, i128, bool)) -> RefundCharge {
    RefundCharge {
        payment: id(payment),
        pair: coin(currency),
        account: Account::Fiat,
        charged: eur(cents),
        is_signed,
    }
}

struct Row {
    deposits: &'static [(u128, Currency, u32, Depth)],
    /// Whose, in which coin, how much, and whether it was signed.
    refunds: &'static [(u128, Currency, i128, bool)],
    /// Final money of payments without pending deposits, less withdrawals.
    others: i128,
    /// What a withdrawal can take, and a refund of A.
    spendable: [i128; 2],
    /// The refunds that money is there for, each alone; that of its own coins is another question.
    leave: &'static [usize],
}

const QUEUED: bool = false;
const SIGNED: bool = true;

#[rustfmt::skip]
const ROWS: [Row; 16] = [
    // What is pending pays nothing but refunds of its own payment.
    Row { deposits: &[(A, BTC, 100, PENDING)], refunds: &[], others: 0, spendable: [0, 100], leave: &[] },
    Row { deposits: &[(A, BTC, 100, PENDING)], refunds: &[], others: 40, spendable: [40, 140], leave: &[] },
    // A refund that waits for it has taken it off the balance: once, not twice.
    Row { deposits: &[(A, BTC, 100, PENDING)], refunds: &[(A, BTC, 50, QUEUED)], others: 40, spendable: [40, 90], leave: &[] },
    Row { deposits: &[(A, BTC, 100, PENDING)], refunds: &[(A, BTC, 50, QUEUED), (A, BTC, 50, QUEUED)], others: 40, spendable: [40, 40], leave: &[] },
    // The fee above it is final money.
    Row { deposits: &[(A, BTC, 100, PENDING)], refunds: &[(A, BTC, 110, QUEUED)], others: 40, spendable: [30, 30], leave: &[] },
    // A refund of another payment leaves meanwhile.
    Row { deposits: &[(A, BTC, 100, PENDING)], refunds: &[(A, BTC, 50, QUEUED), (B, BTC, 40, QUEUED)], others: 40, spendable: [0, 50], leave: &[1] },
    Row { deposits: &[(A, BTC, 100, PENDING), (B, BTC, 40, PENDING)], refunds: &[(A, BTC, 50, QUEUED), (B, BTC, 40, QUEUED)], others: 0, spendable: [0, 50], leave: &[] },
    // What is final of its own pair is taken first, and can leave.
    Row { deposits: &[(A, BTC, 60, FINAL), (A, BTC, 40, PENDING)], refunds: &[(A, BTC, 50, QUEUED)], others: 0, spendable: [10, 50], leave: &[0] },
    Row { deposits: &[(A, BTC, 60, FINAL), (A, BTC, 40, PENDING)], refunds: &[(A, BTC, 50, QUEUED), (A, BTC, 30, QUEUED)], others: 0, spendable: [0, 20], leave: &[0, 1] },
    Row { deposits: &[(A, BTC, 60, FINAL), (A, BTC, 40, PENDING)], refunds: &[(A, BTC, 50, SIGNED), (A, BTC, 30, QUEUED)], others: 0, spendable: [0, 20], leave: &[] },
    // A refund in one pair waits for no deposit of another.
    Row { deposits: &[(A, ETH, 100, FINAL), (A, BTC, 100, PENDING)], refunds: &[(A, ETH, 80, QUEUED)], others: 0, spendable: [20, 120], leave: &[0] },
    Row { deposits: &[(A, ETH, 100, FINAL), (A, BTC, 100, PENDING)], refunds: &[(A, BTC, 100, QUEUED)], others: 0, spendable: [100, 100], leave: &[0] },
    // Of A's own money too little is final, and the pending deposit of another pair does not pay it.
    Row { deposits: &[(A, ETH, 100, FINAL), (A, BTC, 100, PENDING)], refunds: &[(A, ETH, 105, QUEUED)], others: 0, spendable: [0, 95], leave: &[] },
    Row { deposits: &[(A, ETH, 100, FINAL), (A, BTC, 100, PENDING)], refunds: &[(A, ETH, 105, QUEUED)], others: 5, spendable: [0, 100], leave: &[0] },
    // The coin is worth twice as much now: the final coins of the pair cover the refund, and its credit does not.
    Row { deposits: &[(A, BTC, 100, FINAL), (A, BTC, 100, PENDING)], refunds: &[(A, BTC, 200, QUEUED)], others: 0, spendable: [0, 0], leave: &[] },
    // It left, and others paid it.
    Row { deposits: &[(A, BTC, 100, FINAL), (A, BTC, 100, PENDING)], refunds: &[(A, BTC, 200, SIGNED)], others: 500, spendable: [400, 500], leave: &[] },
];

#[test]
fn only_final_money_leaves_and_all_of_it_can() {
    for (at, row) in ROWS.iter().enumerate() {
        let deposits = row
            .deposits
            .iter()
            .map(|&(payment, currency, cents, depth)| deposit(payment, currency, cents, depth));
        let refunds = row.refunds.iter().map(|row| refund(*row));
        let pending = Pending { deposits: deposits.collect(), refunds: refunds.collect() };
        let credited: i128 = row.deposits.iter().map(|(_, _, cents, _)| i128::from(*cents)).sum();
        let charged: i128 = row.refunds.iter().map(|(_, _, cents, _)| *cents).sum();
        let balance = eur(row.others + credited - charged);
        let withdrawal = Spendable::of(balance, Account::Fiat, &pending);
        let of_a = Spendable::for_refund_of(id(A), balance, Account::Fiat, &pending);
        let have = [withdrawal, of_a].map(|spendable| spendable.available().units);
        assert_eq!(have, row.spendable, "row {at}");
        let leave = row.refunds.iter().enumerate().filter(|(number, (.., is_signed))| {
            let others = row.refunds.iter().enumerate().filter(|(other, _)| other != number);
            let reserved =
                others.filter(|(_, (.., is_signed))| !is_signed).map(|(_, (_, _, cents, _))| cents);
            !is_signed
                && Spendable::cover(balance, eur(reserved.sum()), Account::Fiat, &pending) == Cover::Final
        });
        let leave: Vec<_> = leave.map(|(number, _)| number).collect();
        assert_eq!(leave, row.leave, "row {at}");
    }
}

/// Another account, and another coin of it.
#[test]
fn what_is_charged_to_another_account_takes_no_credit_of_this_one() {
    let deposits = vec![deposit(A, BTC, 100, PENDING)];
    for charge in [
        RefundCharge { account: Account::Crypto, ..refund((A, BTC, 50, QUEUED)) },
        RefundCharge {
            charged: Money { asset: Asset::Crypto(BTC), units: 50 },
            ..refund((A, BTC, 50, QUEUED))
        },
    ] {
        let pending = Pending { deposits: deposits.clone(), refunds: vec![charge] };
        assert_eq!(Spendable::of(eur(140), Account::Fiat, &pending).available(), eur(40), "{charge:?}");
    }
}

#[test]
fn what_pays_for_a_payout_that_leaves() {
    #[track_caller]
    fn check((balance, reserved): (i128, i128), pending: u32, expected: Cover) {
        let deposits = vec![deposit(B, BTC, 500, FINAL), deposit(A, BTC, pending, PENDING)];
        let pending = Pending { deposits, refunds: Vec::new() };
        assert_eq!(Spendable::cover(eur(balance), eur(reserved), Account::Fiat, &pending), expected);
    }
    check((0, 0), 0, Cover::Final);
    check((100, 0), 100, Cover::Final);
    check((99, 0), 100, Cover::Pending);
    check((0, 0), 1, Cover::Pending);
    check((-1, 0), 0, Cover::Others);
    check((-1, 0), 100, Cover::Others);
    // Of 40 final ones all are charged for this one, and 50 for a refund whose deposit left its chain.
    check((-50, 50), 0, Cover::Final);
    check((-51, 50), 0, Cover::Others);
    // Of 100 final ones 60 left, and this one takes 40; a refund takes 50 of 100 that are pending.
    check((50, 50), 100, Cover::Final);
    check((49, 50), 100, Cover::Pending);
}
