//! The limits of a business for refunds to an address that was given: a stolen token does not redirect more than it could withdraw.

use checkout_core::Decimal;
use checkout_domain::ids::BusinessId;
use checkout_domain::ledger::Account;
use checkout_domain::ledger::money::Money;
use checkout_domain::payment::refund::Refund;
use checkout_domain::ports::{NoRate, Tx};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;

use crate::service::App;
use crate::service::payouts::daily_limit::withdrawn;
use crate::service::refused::Refused;
use crate::service::transfers::missing_rate::MissingRate;

/// Whether a refund would be above a limit of the business as a withdrawal: then an operator sends it. What charges a balance and is large
/// is approved by an organisation key. The balances of the business are locked before, as withdrawals do.
pub(super) async fn is_above_limit(
    app: &App,
    tx: &mut dyn Tx,
    business: BusinessId,
    refund: &Refund,
) -> Result<bool, Refused> {
    let rules = tx.rules(business, app.clock.now()).await?;
    let most = rules.approval_above.filter(|_| refund.charge().is_none());
    if most.is_none() && rules.daily_limit.is_none() {
        return Ok(false);
    }
    let (coin, eur) = (Asset::Crypto(refund.pair.currency), Asset::Fiat(Fiat::EUR));
    let missing = |NoRate| Refused::NoRate(MissingRate { from: coin, to: eur, account: None });
    let returned = Money::of_amount(refund.returned(), refund.pair);
    let now = || returned.map_or(Ok(Decimal::MAX), |money| app.eur(money)).map_err(missing);
    let value = refund.charge().map_or_else(now, |charge| Ok(charge.uniform_amount))?;
    tx.balance(business, Account::Fiat, eur).await?;
    let before = withdrawn(app, tx, business).await?;
    Ok(most.is_some_and(|most| value > most)
        || rules.daily_limit.is_some_and(|most| before.saturating_add(value) > most))
}
