//! One run.

use std::collections::BTreeSet;

use checkout_core::{Decimal, Pair};

use crate::report::{Kind, Report, Row, text};
use crate::{Failed, Keys, Wallet};

/// Coins are moved only above this multiple of the fee.
const WORTH: u128 = 10;

/// The request.
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

/// Something to be sent.
struct Move {
    row: Row,
    /// `None`: the network's coin.
    token: Option<&'static Pair>,
    amount: u128,
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
    let funds = holders.iter().filter_map(|holder| fund(wallet, &gas_account, holder)).collect();
    carry_out(wallet, keys, sweep, funds, &mut report).await?;
    let unfunded: BTreeSet<u32> =
        report.rows.iter().filter(|row| row.error.is_some()).map(|row| row.index).collect();
    let funded = holders.iter().filter(|holder| !unfunded.contains(&holder.index));
    let tokens = funded.flat_map(|holder| move_tokens(sweep, holder)).collect();
    carry_out(wallet, keys, sweep, tokens, &mut report).await?;
    let mut coins = Vec::new();
    for holder in &holders {
        coins.extend(move_coins(wallet, sweep, holder, &mut report).await?);
    }
    carry_out(wallet, keys, sweep, coins, &mut report).await?;
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

/// The coins that the tokens' fees lack.
fn fund(wallet: &dyn Wallet, gas_account: &str, holder: &Holder) -> Option<Move> {
    let needed: u128 = holder.tokens.iter().map(|holding| holding.fee).sum();
    let lacking = needed.checked_sub(holder.coins).filter(|lacking| *lacking > 0)?;
    let coin = wallet.coin();
    let both = (gas_account, holder.address.as_str());
    let row = row(Kind::Fund, holder.index, both, coin.code, text(lacking, coin.decimals));
    Some(Move { row, token: None, amount: lacking })
}

fn move_tokens(sweep: &Sweep, holder: &Holder) -> impl Iterator<Item = Move> {
    holder.tokens.iter().map(|Holding { token, amount, .. }| {
        let (shown, both) = (text(*amount, token.decimals), (holder.address.as_str(), sweep.to.as_str()));
        let row = row(Kind::Token, holder.index, both, token.currency.code(), shown);
        Move { row, token: Some(token), amount: *amount }
    })
}

/// Coins are read again: a part of them was paid for the tokens.
async fn move_coins(
    wallet: &dyn Wallet,
    sweep: &Sweep,
    holder: &Holder,
    report: &mut Report,
) -> Result<Option<Move>, Failed> {
    let coin = wallet.coin();
    let coins = if sweep.dry_run {
        let fees: u128 = holder.tokens.iter().map(|holding| holding.fee).sum();
        holder.coins.saturating_sub(fees)
    } else {
        wallet.coins(&holder.address).await?
    };
    if coins == 0 {
        return Ok(None);
    }
    let fee = wallet.coin_fee(&holder.address, &sweep.to).await?;
    let rest = coins.saturating_sub(fee);
    // Such as what is left of the fees of a token.
    let is_worth = rest > fee.saturating_mul(WORTH);
    let both = (holder.address.as_str(), sweep.to.as_str());
    if !is_worth || is_less(rest, coin.decimals, sweep.min) {
        report.rows.push(row(Kind::Left, holder.index, both, coin.code, text(coins, coin.decimals)));
        return Ok(None);
    }
    let row = row(Kind::Coins, holder.index, both, coin.code, text(rest, coin.decimals));
    Ok(Some(Move { row, token: None, amount: rest }))
}

/// Sends everything, and waits until it is in a block, or failed.
async fn carry_out(
    wallet: &dyn Wallet,
    keys: &Keys,
    sweep: &Sweep,
    moves: Vec<Move>,
    report: &mut Report,
) -> Result<(), Failed> {
    let mut sent = Vec::new();
    for Move { mut row, token, amount } in moves {
        if !sweep.dry_run {
            let secret = if row.kind == Kind::Fund { keys.gas()? } else { keys.deposit(row.index)? };
            let done = match token {
                Some(token) => wallet.send_token(&*secret, token, &row.to, amount).await,
                None => wallet.send_coins(&*secret, &row.to, amount).await,
            };
            set(&mut row, done);
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
