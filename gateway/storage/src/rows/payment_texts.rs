//! The texts by which payments are found: words of the description (without a name), amounts, and metadata.

use checkout_core::Amount;
use checkout_core::pair::find;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::payment::amount_words::amount_word;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::note_words::words;
use checkout_domain::payment::{Payment, Price, Quote};
use checkout_domain::ports::Stored;

use crate::{Transaction, Value, query_rows};

/// The name of a word of the description. Metadata has no empty names.
pub(crate) const WORD: &str = "";

/// The name of an amount: a price, what was shown, what arrived. Metadata has no blank names.
pub(crate) const AMOUNT: &str = " ";

pub(crate) async fn insert<'a>(
    connection: &mut Transaction,
    payments: impl Iterator<Item = &'a Payment>,
) -> Stored<()> {
    insert_rows(connection, payments.flat_map(rows)).await
}

/// The deposits, each with its payment and its business.
pub(crate) async fn insert_deposits(
    connection: &mut Transaction,
    deposits: &[(PaymentId, BusinessId, &Deposit)],
) -> Stored<()> {
    let row = |(payment, business, deposit): &(PaymentId, BusinessId, &Deposit)| {
        let pair = find(deposit.currency, deposit.output.network)?;
        let value = coins(deposit.amount, pair.decimals, deposit.currency.code())?;
        Some([payment.to_string(), business.to_string(), AMOUNT.to_owned(), value])
    };
    insert_rows(connection, deposits.iter().filter_map(row)).await
}

/// The amounts that were shown: the one to send, and the price, whose currency the payer may have chosen.
pub(crate) async fn insert_quote(
    connection: &mut Transaction,
    payment: PaymentId,
    quote: &Quote,
) -> Stored<()> {
    let pair = find(quote.currency, quote.network);
    let coins = pair.and_then(|pair| coins(quote.terms.expected, pair.decimals, quote.currency.code()));
    let price = amount_word(&quote.terms.display.to_string(), quote.fiat.code());
    let rows: Vec<Vec<Value>> = coins.into_iter().chain(price).map(|value| vec![value.into()]).collect();
    let text = |new: &str| {
        format!(
            "INSERT INTO payment_texts (payment, business, name, value)
             SELECT id, business, $2, column1 FROM payments, {new} WHERE id = $1 ON CONFLICT DO NOTHING"
        )
    };
    query_rows(vec![payment.into(), AMOUNT.into()], rows, text).run(connection).await
}

fn coins(amount: Amount, decimals: u8, code: &str) -> Option<String> {
    amount_word(&amount.to_text(decimals), code)
}

async fn insert_rows(connection: &mut Transaction, rows: impl Iterator<Item = [String; 4]>) -> Stored<()> {
    let rows: Vec<Vec<Value>> = rows.map(|row| row.map(Value::from).into()).collect();
    let text = |new: &str| {
        format!(
            "INSERT INTO payment_texts (payment, business, name, value)
             SELECT * FROM {new} WHERE TRUE ON CONFLICT DO NOTHING"
        )
    };
    query_rows(Vec::new(), rows, text).run(connection).await
}

fn rows(payment: &Payment) -> Vec<[String; 4]> {
    let words =
        payment.notes.description.iter().flat_map(|text| words(text)).map(|word| (WORD.to_owned(), word));
    let metadata = payment.notes.metadata.iter().map(|(name, value)| (name.clone(), value.clone()));
    let price = match &payment.price {
        Price::Display(amount) => amount_word(&amount.to_string(), payment.display_currency.code()),
        Price::Crypto { currency, amount } => amount_word(amount, currency.code()),
    };
    let price = price.map(|value| (AMOUNT.to_owned(), value));
    let row = |(name, value)| [payment.id.to_string(), payment.business.to_string(), name, value];
    words.chain(metadata).chain(price).map(row).collect()
}
