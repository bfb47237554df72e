//! Entries of the ledger.

use checkout_core::Decimal;
use checkout_domain::ledger::cause::Cause;
use checkout_domain::ledger::money::{Money, Round};
use checkout_domain::ledger::{Account, Line};
use checkout_domain::ports::ledger::ListedEntry;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::list_ledger::{LedgerAccount, LedgerEntry, LedgerLine};

pub fn entry(listed: &ListedEntry) -> LedgerEntry {
    let header = &listed.entry.header;
    let (deposit, withdrawal) = match listed.cause {
        Cause::Deposit { id, .. } => (Some(id), None),
        Cause::Withdrawal(id) | Cause::SentWithdrawal(id) => (None, Some(id)),
        Cause::SentRefund(_) | Cause::MerchantRefund(_) | Cause::SentMerchantRefund(_) => (None, None),
    };
    LedgerEntry {
        entry_id: header.id.to_string().into(),
        booked_at: header.booked_at().into(),
        event: listed.cause.event(listed.is_reversal),
        payment_id: header.payment.map(|id| id.to_string().into()),
        client_payment_id: listed.client_payment_id.clone().map(Into::into),
        deposit_id: deposit.map(|id| id.to_string().into()),
        withdrawal_id: withdrawal.map(|id| id.to_string().into()),
        client_withdrawal_id: listed.client_withdrawal_id.clone().map(Into::into),
        lines: listed.entry.lines().iter().map(line).collect(),
    }
}

fn line(line: &Line) -> LedgerLine {
    LedgerLine {
        account: account(line.account),
        currency: line.money.asset.code().into(),
        amount: line.money.to_string().into(),
        uniform_rate: line.price.map(|price| price.normalize().to_string().into()),
        uniform_amount: line
            .price
            .and_then(|price| value(line.money, price))
            .map(|value| value.to_string().into()),
    }
}

/// In EUR, rounded toward zero: what is taken back has the same value.
fn value(money: Money, price: Decimal) -> Option<Money> {
    let is_negative = money.units < 0;
    let size = if is_negative { money.negated() } else { money };
    let value = size.convert(Asset::Fiat(Fiat::EUR), price, Decimal::ONE, Round::Down)?;
    Some(if is_negative { value.negated() } else { value })
}

fn account(account: Account) -> LedgerAccount {
    match account {
        Account::Chain => LedgerAccount::Chain,
        Account::Exchange => LedgerAccount::Exchange,
        Account::Fiat => LedgerAccount::Fiat,
        Account::Crypto => LedgerAccount::Crypto,
        Account::Fees => LedgerAccount::Fees,
        Account::Costs => LedgerAccount::Costs,
        Account::Refunds => LedgerAccount::Refunds,
        Account::Withdrawals => LedgerAccount::Withdrawals,
        Account::Held => LedgerAccount::Held,
    }
}
