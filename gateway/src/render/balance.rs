//! The balances of a business.

use checkout_domain::ledger::Account;
use checkout_domain::ledger::money::Money;
use checkout_domain::payment::pending::{Pending, Spendable};
use checkout_wire::list_balances::{Balance, BalanceAccount};

/// The accounts whose money is the merchant's, or owed to others. The rest is the other side of the bookkeeping.
pub fn balances(all: &[(Account, Money)], pending: &Pending) -> Vec<Balance> {
    let shown = |(account, money): &(Account, Money)| {
        let spendable = matches!(account, Account::Fiat | Account::Crypto)
            .then(|| Spendable::of(*money, *account, pending));
        let account = match account {
            Account::Fiat => BalanceAccount::Fiat,
            Account::Crypto => BalanceAccount::Crypto,
            Account::Held => BalanceAccount::Held,
            Account::Refunds => BalanceAccount::Refunds,
            Account::Withdrawals => BalanceAccount::Withdrawals,
            Account::Chain | Account::Exchange | Account::Fees | Account::Costs => return None,
        };
        Some(Balance {
            account,
            currency: money.asset.code().into(),
            amount: money.to_string().into(),
            available: spendable.map(|spendable| spendable.available().to_string().into()),
            pending: spendable.map(|spendable| spendable.pending.to_string().into()),
        })
    };
    all.iter().filter_map(shown).collect()
}
