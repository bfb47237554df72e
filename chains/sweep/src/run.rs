//! One run.

use checkout_core::{Decimal, Pair};

use crate::report::{Kind, Report, Row, text};
use crate::{Failed, Keys, Wallet};

/// Coins are moved only above this multiple of the fee.
const WORTH: u128 = 10;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Sweep {
    pub to: String,
    /// Addresses 0 to this, without it.
    pub addresses: u32,
    /// The least of a currency that is moved.
    pub min: Decimal,
    /// Nothing is sent; the report is the plan.
    pub dry_run: bool,
}

/// An address with something on it.
struct Holder {
    index: u32,
    address: String,
    coins: u128,
    tokens: Vec<Holding>,
}

struct Holding {
    token: &'static Pair,
    amount: u128,
    fee: u128,
}

/// Fails when the chain cannot be read; what cannot be sent stands in the report.
pub async fn sweep(wallet: &dyn Wallet, keys: &Keys, sweep: &Sweep) -> Result<Report, Failed> {
    let gas_account = wallet.address(&*keys.gas()?)?;
    let mut report = Report { dry_run: sweep.dry_run, gas_account: gas_account.clone(), rows: Vec::new() };
    let mut all = Vec::new();
    for index in 0..sweep.addresses {
        all.push((index, wallet.address(&*keys.deposit(index)?)?));
    }
    if all.iter().any(|(_, address)| *address == sweep.to) || gas_account == sweep.to {
        return Err(format!("{} is an address of this account itself", sweep.to));
    }
    if !sweep.dry_run {
        let mut addresses: Vec<String> = all.iter().map(|(_, address)| address.clone()).collect();
        addresses.push(gas_account.clone());
        wallet.settle(&addresses).await?;
    }
    let mut holders = Vec::new();
    for (index, address) in all {
        holders.extend(read(wallet, sweep, index, address, &mut report).await?);
    }
    fund(wallet, keys, sweep, &gas_account, &holders, &mut report).await?;
    move_tokens(wallet, keys, sweep, &holders, &mut report).await?;
    move_coins(wallet, keys, sweep, &holders, &mut report).await?;
    Ok(report)
}

async fn read(
    wallet: &dyn Wallet,
    sweep: &Sweep,
    index: u32,
    address: String,
    report: &mut Report,
) -> Result<Option<Holder>, Failed> {
    let mut tokens = Vec::new();
    for token in wallet.tokens() {
        let amount = wallet.balance(&address, token).await?;
        if amount == 0 {
            continue;
        }
        if is_less(amount, token.decimals, sweep.min) {
            let amount = text(amount, token.decimals);
            report.rows.push(row(Kind::Left, index, (&address, &sweep.to), token.currency.code(), amount));
            continue;
        }
        let fee = wallet.token_fee(&address, token, &sweep.to, amount).await?;
        tokens.push(Holding { token, amount, fee });
    }
    let coins = wallet.coins(&address).await?;
    Ok((coins > 0 || !tokens.is_empty()).then_some(Holder { index, address, coins, tokens }))
}

async fn fund(
    wallet: &dyn Wallet,
    keys: &Keys,
    sweep: &Sweep,
    gas_account: &str,
    holders: &[Holder],
    report: &mut Report,
) -> Result<(), Failed> {
    let coin = wallet.coin();
    let mut sent = Vec::new();
    for holder in holders {
        let needed: u128 = holder.tokens.iter().map(|holding| holding.fee).sum();
        let Some(lacking) = needed.checked_sub(holder.coins).filter(|lacking| *lacking > 0) else { continue };
        let amount = text(lacking, coin.decimals);
        let mut row = row(Kind::Fund, holder.index, (gas_account, &holder.address), coin.code, amount);
        if !sweep.dry_run {
            set(&mut row, wallet.send_coins(&*keys.gas()?, &holder.address, lacking).await);
            sent.push(report.rows.len());
        }
        report.rows.push(row);
    }
    wait(wallet, &sent, report).await;
    Ok(())
}

async fn move_tokens(
    wallet: &dyn Wallet,
    keys: &Keys,
    sweep: &Sweep,
    holders: &[Holder],
    report: &mut Report,
) -> Result<(), Failed> {
    let mut sent = Vec::new();
    for holder in holders {
        let is_unfunded = report.rows.iter().any(|row| row.index == holder.index && row.error.is_some());
        for Holding { token, amount, .. } in holder.tokens.iter().filter(|_| !is_unfunded) {
            let shown = text(*amount, token.decimals);
            let mut row =
                row(Kind::Token, holder.index, (&holder.address, &sweep.to), token.currency.code(), shown);
            if !sweep.dry_run {
                let secret = keys.deposit(holder.index)?;
                set(&mut row, wallet.send_token(&*secret, token, &sweep.to, *amount).await);
                sent.push(report.rows.len());
            }
            report.rows.push(row);
        }
    }
    wait(wallet, &sent, report).await;
    Ok(())
}

/// Coins are read again: a part of them was paid for the tokens.
async fn move_coins(
    wallet: &dyn Wallet,
    keys: &Keys,
    sweep: &Sweep,
    holders: &[Holder],
    report: &mut Report,
) -> Result<(), Failed> {
    let coin = wallet.coin();
    let mut sent = Vec::new();
    for holder in holders {
        let coins = if sweep.dry_run {
            let fees: u128 = holder.tokens.iter().map(|holding| holding.fee).sum();
            holder.coins.saturating_sub(fees)
        } else {
            wallet.coins(&holder.address).await?
        };
        if coins == 0 {
            continue;
        }
        let fee = wallet.coin_fee(&holder.address, &sweep.to).await?;
        let rest = coins.saturating_sub(fee);
        // Such as what is left of the fees of a token.
        let is_worth = rest > fee.saturating_mul(WORTH);
        let both = (holder.address.as_str(), sweep.to.as_str());
        if !is_worth || is_less(rest, coin.decimals, sweep.min) {
            report.rows.push(row(Kind::Left, holder.index, both, coin.code, text(coins, coin.decimals)));
            continue;
        }
        let mut row = row(Kind::Coins, holder.index, both, coin.code, text(rest, coin.decimals));
        if !sweep.dry_run {
            let secret = keys.deposit(holder.index)?;
            set(&mut row, wallet.send_coins(&*secret, &sweep.to, rest).await);
            sent.push(report.rows.len());
        }
        report.rows.push(row);
    }
    wait(wallet, &sent, report).await;
    Ok(())
}

/// Everything that was sent is in a block, or failed.
async fn wait(wallet: &dyn Wallet, sent: &[usize], report: &mut Report) {
    for place in sent {
        let row = &mut report.rows[*place];
        if let Some(transaction) = row.transaction.clone()
            && let Err(error) = wallet.wait(&transaction).await
        {
            row.error = Some(error);
        }
    }
}

fn row(kind: Kind, index: u32, (from, to): (&str, &str), currency: &str, amount: String) -> Row {
    let (from, to, currency) = (from.to_owned(), to.to_owned(), currency.to_owned());
    Row { kind, index, from, to, currency, amount, transaction: None, error: None }
}

fn set(row: &mut Row, sent: Result<String, Failed>) {
    match sent {
        Ok(transaction) => row.transaction = Some(transaction),
        Err(error) => row.error = Some(error),
    }
}

fn is_less(atoms: u128, decimals: u8, min: Decimal) -> bool {
    text(atoms, decimals).parse::<Decimal>().is_ok_and(|amount| amount < min)
}
