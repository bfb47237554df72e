//! A quote as the payer was shown it.

use checkout_core::pair::find;
use checkout_domain::payment::Quote;
use checkout_wire::list_quotes::ShownQuote;

pub fn shown(quote: &Quote) -> ShownQuote {
    let pair = find(quote.currency, quote.network).expect("a quote is for a pair");
    ShownQuote {
        currency: quote.currency.into(),
        network: quote.network.into(),
        address: quote.address.clone(),
        destination_tag: quote.tag.clone(),
        amount: quote.terms.expected.to_text(pair.decimals).into(),
        rate: quote.terms.shown.display.normalize().to_string().into(),
        display_currency: quote.fiat.code().into(),
        display_amount: quote.fiat.text(quote.terms.display).into(),
        shown_at: quote.requested_at.into(),
    }
}
