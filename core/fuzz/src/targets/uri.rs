use crypto_checkout_core::pair::EVERY_PAIR;
use crypto_checkout_core::tag::Tag;
use crypto_checkout_core::uri::{self, Payment};
use crypto_checkout_core::{Amount, Network, Pair};

use crate::seeds;

/// The pair, then the link.
pub(crate) fn run(data: &[u8]) {
    let Some((pair, rest)) = data.split_first() else { return };
    let pair = &EVERY_PAIR[usize::from(*pair) % EVERY_PAIR.len()];
    let text = String::from_utf8_lossy(rest);
    let Ok(payment) = uri::read(pair, &text) else { return };
    let address = payment.address.to_string();
    let tag = payment.tag.as_ref();
    let same = |written: &str, amount: Option<Amount>| {
        let again = uri::read(pair, written).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!((again.address, again.amount), (payment.address, amount), "{written}");
        assert_eq!(again.tag, payment.tag, "{written}");
    };
    // TRON's URI cannot carry the amount.
    let with_amount = payment.amount.filter(|_| pair.network != Network::Trx);
    same(&uri::payment_uri(pair, &address, tag, payment.amount), with_amount);
    same(&uri::payment_uri(pair, &address, tag, None), None);
    same(&uri::address_only(pair, &address, tag), None);
    if let Some(amount) = payment.amount {
        for link in uri::wallet_links(pair, &address, tag, amount) {
            same(&link.url, Some(amount));
        }
        check_qr(pair, &address, tag, amount, &payment);
    }
}

/// A token's QR code contains the address alone.
fn check_qr(pair: &Pair, address: &str, tag: Option<&Tag>, amount: Amount, payment: &Payment) {
    let text = uri::default_qr(pair, address, tag, amount);
    let again = uri::read(pair, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!((again.address, again.tag), (payment.address, payment.tag.clone()), "{text}");
    assert!(again.amount.is_none_or(|read| read == amount), "{text}");
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (at, pair) in EVERY_PAIR.iter().enumerate() {
        let head = [u8::try_from(at).expect("a handful of pairs")];
        let amount = Amount::parse("1.5", pair.decimals).expect("it is right for every pair");
        for address in seeds::addresses(pair.network).iter().filter(|text| text.len() < 100).step_by(8) {
            let tag = Tag::parse(pair.network, "7", None).expect("right where there are tags");
            let tag = tag.as_ref();
            seeds.push(seeds::after(&head, &uri::payment_uri(pair, address, tag, Some(amount))));
            seeds.push(seeds::after(&head, &uri::default_qr(pair, address, None, amount)));
            let links = uri::wallet_links(pair, address, tag, amount).into_iter();
            seeds.extend(links.map(|link| seeds::after(&head, &link.url)));
        }
    }
    seeds
}
