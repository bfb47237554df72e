//! The texts by which payments are found: words of the description (without a name), and metadata. They stay when a payment
//! moves to the archive.

use checkout_domain::payment::Payment;
use checkout_domain::payment::note_words::words;
use checkout_domain::ports::Stored;

use crate::{Query, Transaction, by_statement, placeholders, query_rows};

/// The name of a word of the description. Metadata has no empty names.
pub(crate) const WORD: &str = "";

pub(crate) async fn insert<'a>(
    connection: &mut Transaction,
    payments: impl Iterator<Item = &'a Payment>,
) -> Stored<()> {
    let rows: Vec<[String; 4]> = payments.flat_map(rows).collect();
    for some in by_statement(&rows, 4) {
        let text = format!(
            "INSERT INTO payment_texts (payment, business, name, value) VALUES {}",
            placeholders(some.len(), 4)
        );
        let statement = query_rows(text, some.len(), 4);
        let statement = some.iter().flatten().fold(statement, Query::bind);
        statement.execute(&mut *connection).await?;
    }
    Ok(())
}

fn rows(payment: &Payment) -> Vec<[String; 4]> {
    let words =
        payment.notes.description.iter().flat_map(|text| words(text)).map(|word| (WORD.to_owned(), word));
    let metadata = payment.notes.metadata.iter().map(|(name, value)| (name.clone(), value.clone()));
    let row = |(name, value)| [payment.id.to_string(), payment.business.to_string(), name, value];
    words.chain(metadata).map(row).collect()
}
