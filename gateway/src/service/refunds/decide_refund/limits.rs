//! The limits of a business for refunds to an address that was given: a stolen token does not redirect more than it could withdraw.

use checkout_core::Decimal;
use checkout_domain::ids::BusinessId;
use checkout_domain::ledger::Account;
use checkout_domain::ledger::money::Money;
use checkout_domain::payment::refund::Refund;
use checkout_domain::ports::{NoRate, Tx};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::Withdrawal;

use crate::service::App;
use crate::service::payouts::daily_limit::withdrawn;
use crate::service::refused::Refused;
use crate::service::transfers::missing_rate::MissingRate;

/// Whether it is above the limit that a token of the business may pay.
pub(super) async fn is_large(app: &App, charge: &Withdrawal) -> Result<bool, Refused> {
    let rules = app.store.rules(charge.business, app.clock.now()).await?;
    Ok(rules.approval_above.is_some_and(|most| charge.uniform_amount > most))
}

/// Whether an operator has to send an automatic refund, because as a withdrawal it would be above a limit of the business. The balances
/// of the business are locked before, as withdrawals do.
pub(super) async fn is_above_limit(
    app: &App,
    tx: &mut dyn Tx,
    business: BusinessId,
    refund: &Refund,
) -> Result<bool, Refused> {
    let rules = tx.rules(business, app.clock.now()).await?;
    if rules.approval_above.is_none() && rules.daily_limit.is_none() {
        return Ok(false);
    }
    let (coin, eur) = (Asset::Crypto(refund.pair.currency), Asset::Fiat(Fiat::EUR));
    let missing = |NoRate| Refused::NoRate(MissingRate { from: coin, to: eur, account: None });
    let returned = Money::of_amount(refund.returned(), refund.pair);
    let value = returned.map_or(Ok(Decimal::MAX), |money| app.eur(money)).map_err(missing)?;
    tx.balance(business, Account::Fiat, eur).await?;
    let before = withdrawn(app, tx, business).await?;
    Ok(rules.approval_above.is_some_and(|most| value > most)
        || rules.daily_limit.is_some_and(|most| before.saturating_add(value) > most))
}
