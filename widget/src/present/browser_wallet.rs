//! What the page asks a wallet in the payer's browser, and its words for it. The server answers; the page passes it on.

use std::collections::BTreeMap;

use checkout_core::browser_wallet::{EvmCall, balance, payment};
use checkout_core::{Address, Pair};
use checkout_wire::wallet_page::{WalletCall, WalletChain, WalletCoin, WalletPage, WalletPayment};

use super::{coins, network_name};
use crate::opened::Opened;
use crate::page::Page;
use crate::state::{Paying, State};
use crate::words::{Translation, fill};

/// `account` is the payer's, from which the wallet would send.
pub fn browser_wallet(page: &Page, translation: &'static Translation, account: Option<&str>) -> WalletPage {
    let Some((opened, paying)) = asks(page) else { return WalletPage::default() };
    WalletPage { payment: wallet_payment(opened, paying, account), texts: texts(opened, paying, translation) }
}

/// The chain that a sandbox names: no wallet with real coins knows it.
const SIMULATED_CHAIN: u64 = 0x73_616e_6462_6f78;

/// A simulated chain takes no real coins, and what comes after the window may be worth less.
fn asks(page: &Page) -> Option<(&Opened, &Paying)> {
    let is_offered = |opened: &&Opened| !opened.sandbox || page.shared.url.rehearses_wallet();
    let opened = page.shared.opened.as_ref().filter(is_offered)?;
    match &page.state {
        State::Paying(paying) if page.shared.millis_left() != Some(0) => Some((opened, paying)),
        _ => None,
    }
}

fn wallet_payment(opened: &Opened, paying: &Paying, account: Option<&str>) -> Option<WalletPayment> {
    let pair = paying.quote.pair;
    let spec = pair.network.spec();
    let test = opened.test_network(pair.network);
    let chain_id = match test {
        None if opened.sandbox => spec.chain_id().map(|_| SIMULATED_CHAIN)?,
        None => spec.wallet_chain_id()?,
        // The contract of a token is another one there, which the page does not know.
        Some(_) if pair.contract.is_some() => return None,
        Some(test) => test.chain_id?,
    };
    let address = Address::parse(pair.network, &paying.quote.address).ok()?;
    let account = account.and_then(|account| Address::parse(pair.network, account).ok());
    let main = test.is_none() && !opened.sandbox;
    Some(WalletPayment {
        currency: pair.currency.into(),
        network: pair.network.into(),
        amount: paying.due.to_text(pair.decimals).as_str().into(),
        address: paying.quote.address.clone(),
        chain_id: hexadecimal(chain_id.into()),
        atoms: hexadecimal(paying.due.atoms()),
        transaction: call(payment(pair, &address, paying.due)?),
        balance: account.and_then(|account| balance(pair, &account)).map(call),
        unsigned: None,
        obstacle: None,
        chain: main.then(|| chain(pair, chain_id)).flatten(),
        explorer: main.then(|| spec.explorer.transactions.to_owned()),
    })
}

fn call(call: EvmCall) -> WalletCall {
    let EvmCall { to, value, data } = call;
    WalletCall { to, value, data }
}

/// A quantity, as JSON-RPC has it.
fn hexadecimal(number: u128) -> String {
    format!("{number:#x}")
}

fn chain(pair: &Pair, chain_id: u64) -> Option<WalletChain> {
    let spec = pair.network.spec();
    let coin = gas_coin(pair);
    Some(WalletChain {
        chain_id: hexadecimal(chain_id.into()),
        chain_name: spec.name.to_owned(),
        native_currency: WalletCoin { name: coin.to_owned(), symbol: coin.to_owned(), decimals: 18 },
        rpc_urls: [spec.public_node()?.to_owned()],
        block_explorer_urls: [explorer(spec.explorer.transactions)],
    })
}

/// The front page of an explorer.
fn explorer(transactions: &str) -> String {
    transactions.strip_suffix("/tx/").unwrap_or(transactions).to_owned()
}

fn gas_coin(pair: &Pair) -> &'static str {
    pair.network.spec().gas_coin.map_or("ETH", |coin| coin.code)
}

/// By the names that `www/wallet/` uses.
fn texts(opened: &Opened, paying: &Paying, translation: &'static Translation) -> BTreeMap<String, String> {
    let pair = paying.quote.pair;
    let (words, page) = (&translation.wallet, &translation.words);
    let network = match opened.test_network(pair.network) {
        None => network_name(pair),
        Some(test) => format!("{} ({})", network_name(pair), test.name),
    };
    let amount = coins(paying.due, pair, page);
    let facts = [("network", &*network), ("amount", &amount), ("coin", gas_coin(pair))];
    let texts = [
        ("title", words.title),
        ("inTab", words.in_tab),
        ("connect", words.connect),
        ("switch", words.switch),
        ("checking", words.checking),
        ("confirm", words.confirm),
        ("silent", words.silent),
        ("sent", words.sent),
        ("rejected", words.rejected),
        ("busy", words.busy),
        ("locked", words.locked),
        ("accountChanged", words.account_changed),
        ("wrongNetwork", words.wrong_network),
        ("unknownNetwork", words.unknown_network),
        ("tooLittle", words.too_little),
        ("noFee", words.no_fee),
        ("wouldFail", words.would_fail),
        ("changed", words.changed),
        ("unfinished", words.unfinished),
        ("disconnected", words.disconnected),
        ("failed", words.failed),
        ("unclear", words.unclear),
        ("notReached", page.notice.not_reached),
        ("explorer", page.transfer.explorer),
    ];
    texts.into_iter().map(|(name, text)| (name.to_owned(), fill(text, &facts))).collect()
}
