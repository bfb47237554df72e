//! Screen `choose`: a currency, and a network if there are several.

use checkout_core::chain::Fees;
use checkout_core::{Amount, Currency, Network, Pair};

use super::seen::usual_time;
use super::{Figure, Scene, counted, network_name};
use crate::opened::Offer;
use crate::state::{Choosing, Request};
use crate::words::fill;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choose {
    pub title: String,
    pub hint: String,
    /// The hint warns of a loss of money.
    pub warns: bool,
    pub choices: Vec<Choice>,
    pub notice: Option<&'static str>,
    pub back: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub pick: Pick,
    pub code: &'static str,
    /// The form value: `USDT.TRX`, or `USDT` if the network is chosen next.
    pub value: String,
    pub name: String,
    /// The current price in this currency, or the code. Of a network also its usual time and fee, on a line of their own.
    pub note: String,
    /// The networks to choose from next, if there are several.
    pub networks: Option<Networks>,
    /// A quote for this choice has been requested.
    pub asking: bool,
    pub disabled: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Networks {
    pub codes: Vec<&'static str>,
    pub label: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    Currency(Currency),
    Network(Network),
}

pub(super) fn choose(scene: Scene<'_>, choosing: &Choosing) -> Choose {
    let words = &scene.words.choose;
    let Scene { opened, .. } = scene;
    let request = &choosing.request;
    let choices = match choosing.currency {
        Some(currency) => opened.offers_of(currency).map(|offer| network(scene, request, offer)).collect(),
        None => opened.currencies().into_iter().map(|code| currency(scene, request, code)).collect(),
    };
    let asset = choosing.currency.map(Currency::code);
    let text = |plain: &str, template| match asset {
        Some(asset) => fill(template, &[("asset", asset)]),
        None => plain.to_owned(),
    };
    Choose {
        title: text(words.title, words.network_title),
        hint: text(words.hint, words.network_hint),
        warns: asset.is_some(),
        choices,
        notice: scene.notice(request),
        back: (asset.is_some() || choosing.again).then_some(words.back),
    }
}

fn currency(scene: Scene<'_>, request: &Request, currency: Currency) -> Choice {
    let codes: Vec<_> = scene.opened.offers_of(currency).map(|offer| offer.pair.network.code()).collect();
    let spec = currency.spec();
    let label = counted(&scene.words.choose.networks, codes.len() as u64, scene.format);
    let asking = request.asking.is_some_and(|pair| pair.currency == currency);
    Choice {
        pick: Pick::Currency(currency),
        code: spec.code,
        value: match codes.as_slice() {
            [network] => form_value(spec.code, network),
            _ => spec.code.to_owned(),
        },
        name: spec.name.to_owned(),
        note: note(scene, scene.opened.offers_of(currency).next(), asking, spec.code),
        networks: (codes.len() > 1).then_some(Networks { codes, label }),
        asking,
        disabled: request.asking.is_some(),
    }
}

fn network(scene: Scene<'_>, request: &Request, offer: &Offer) -> Choice {
    let code = offer.pair.network.code();
    let asking = request.asking.is_some_and(|pair| pair.network == offer.pair.network);
    Choice {
        pick: Pick::Network(offer.pair.network),
        code,
        value: form_value(offer.pair.currency.code(), code),
        name: match scene.opened.test_network(offer.pair.network) {
            Some(test) => [&network_name(offer.pair), " · ", &test.name].concat(),
            None => network_name(offer.pair),
        },
        note: match note(scene, Some(offer), asking, code) {
            note if asking => note,
            note => [&note, "\n", &usual(scene, offer)].concat(),
        },
        networks: None,
        asking,
        disabled: request.asking.is_some(),
    }
}

/// How long a transfer usually takes, and what it costs: as the business's deposits say, or else the network.
fn usual(scene: Scene<'_>, offer: &Offer) -> String {
    let words = &scene.words.choose;
    let fee = match offer.fee.as_deref() {
        Some(fee) => {
            let amount = scene.format.money(fee, &scene.opened.payment.display_currency);
            fill(words.fee, &[("amount", &amount)])
        }
        None if offer.pair.network.spec().fees == Fees::Varying => words.fee_varies.to_owned(),
        None => words.fee_low.to_owned(),
    };
    match offer.confirmations {
        Some(blocks) => [&usual_time(offer.pair, blocks, scene), " ", &fee].concat(),
        None => fee,
    }
}

/// The value of a pair in a form.
pub(super) fn form_value(currency: &str, network: &str) -> String {
    [currency, ".", network].concat()
}

fn note(scene: Scene<'_>, offer: Option<&Offer>, asking: bool, code: &str) -> String {
    let words = &scene.words.choose;
    if asking {
        return words.asking.to_owned();
    }
    // With a space where a narrow page may wrap.
    let text = |amount: Amount, pair: &Pair| {
        let number = estimate(amount, pair.decimals).to_text(pair.decimals);
        [&Figure::Read(scene.words).show(&number), " ", pair.currency.code()].concat()
    };
    let about = |offer: &Offer| {
        offer.estimate.map(|amount| fill(words.about, &[("amount", &text(amount, offer.pair))]))
    };
    offer.and_then(about).unwrap_or_else(|| code.to_owned())
}

/// The amount with five significant digits, rounded up as quotes are; all digits before the decimal point stay.
fn estimate(amount: Amount, decimals: u8) -> Amount {
    let digits = amount.atoms().checked_ilog10().map_or(0, |log| log + 1);
    let step = 10_u128.pow(digits.saturating_sub(5).min(decimals.into()));
    let rounded = amount.atoms().div_ceil(step).checked_mul(step);
    rounded.and_then(|atoms| Amount::from_atoms(atoms).ok()).unwrap_or(amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_have_five_digits() {
        let check = |text, decimals, expected: &str| {
            let amount = Amount::parse(text, decimals).unwrap();
            assert_eq!(estimate(amount, decimals).to_text(decimals), expected);
        };
        check("0.00412345", 8, "0.0041235");
        check("268.523401", 6, "268.53");
        check("0.123456789012345678", 18, "0.12346");
        check("1234567.891", 6, "1234568");
        check("12", 8, "12");
        check("0.00000001", 8, "0.00000001");
        check("0", 8, "0");
    }
}
