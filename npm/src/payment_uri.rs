//! The payment URI of a checked address.

use checkout_core::tag::Tag;
use checkout_core::{Amount, Reason, uri};

use crate::amounts::{Failure, pair};
use crate::verdict::check;

/// Returns the payment URI, with an amount if there is one (a decimal text).
pub(crate) fn write(
    row: usize,
    address: &str,
    tag: &str,
    amount: Option<&str>,
    bits: u32,
) -> Result<String, Failure> {
    let pair = pair(row)?;
    let verdict = check(row, address, tag, bits);
    let Some(address) = verdict.normalized.filter(|_| verdict.valid) else {
        return Err(Failure::Address(verdict.reason.unwrap_or(Reason::Unrecognized)));
    };
    let amount = amount.map(|amount| Amount::parse(amount, pair.decimals)).transpose()?;
    let tag = match verdict.destination_tag {
        Some(tag) => Tag::parse(pair.network, &tag, verdict.memo_type)
            .map_err(|error| Failure::Address(error.reason()))?,
        None => None,
    };
    Ok(uri::payment_uri(pair, &address, tag.as_ref(), amount))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits_of;
    use checkout_core::AmountError;
    use checkout_core::Table;

    const STELLAR: &str = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";

    fn xlm() -> usize {
        Table::All.pairs().iter().position(|pair| pair.network.code() == "XLM").unwrap()
    }

    fn stellar(tag: &str, memo_type: Option<&str>, amount: Option<&str>) -> Result<String, Failure> {
        write(xlm(), STELLAR, tag, amount, bits_of(Some(tag), memo_type, []))
    }

    #[test]
    fn is_written_only_for_valid_input() {
        let start = format!("web+stellar:pay?destination={STELLAR}");
        assert_eq!(stellar("", None, None), Ok(start.clone()));
        assert_eq!(
            stellar("7", None, Some("1.5")),
            Ok(format!("{start}&amount=1.5&memo=7&memo_type=MEMO_ID"))
        );
        assert_eq!(stellar("", Some("text"), None), Err(Failure::Address(Reason::MemoEmpty)));
        assert_eq!(stellar("", None, Some("")), Err(Failure::Amount(AmountError::Empty)));
        assert_eq!(stellar("x", Some("hash"), None), Err(Failure::Address(Reason::MemoNotHash)));
    }

    #[test]
    fn a_memo_keeps_its_requested_type() {
        let hash = "11".repeat(32);
        for (tag, memo_type, word) in
            [("7", "id", "MEMO_ID"), ("7", "text", "MEMO_TEXT"), (&hash, "hash", "MEMO_HASH")]
        {
            let uri = stellar(tag, Some(memo_type), None).unwrap();
            assert!(uri.ends_with(word), "{uri}");
            let read = uri::read(&Table::All.pairs()[xlm()], &uri).unwrap().tag.unwrap();
            assert_eq!((read.to_string().as_str(), read.memo_type().unwrap().code()), (tag, memo_type));
        }
    }
}
