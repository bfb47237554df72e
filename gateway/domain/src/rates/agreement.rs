//! One price per asset from several feeds.
//!
//! | an asset is known by | its price | who is doubted about it |
//! |---|---|---|
//! | feeds of which more than half are within 2.5 % of their median | the median of those | the others |
//! | feeds without such a majority | none | all of them |
//! | one feed | its price; none if the feed is doubted | as before |
//!
//! A feed is doubted about an asset until it is among those that agree on it, and about everything while it is doubted
//! about half or more of the assets that others know too. So money is never quoted at a price that only a feed
//! knows which contradicts others, and one odd price does not cost a feed its others.

use checkout_core::Decimal;

use super::asset::Asset;
use super::fiat::Fiat;

/// A price agrees if it is within one part in this many of the median: 2.5 %.
const CLOSE: u8 = 40;

const EUR: Asset = Asset::Fiat(Fiat::EUR);

/// An asset and the price of one unit in euros.
pub type EuroPrice = (Asset, Decimal);

/// The feeds that contradicted others when both were last heard. A feed is its place in the list of feeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    pub prices: Vec<(usize, Asset)>,
    /// Those that are doubted about everything.
    pub feeds: Vec<usize>,
}

impl Doubts {
    fn covers(&self, feed: usize, asset: Asset) -> bool {
        self.feeds.contains(&feed) || self.prices.contains(&(feed, asset))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    pub prices: Vec<EuroPrice>,
    /// Assets without a price because feeds contradict each other.
    pub disputed: Vec<Asset>,
    pub doubts: Doubts,
}

/// `feeds` has the prices of each feed; those of one that failed are empty. `before` are the doubts of the last time.
pub fn agree(feeds: &[Vec<EuroPrice>], before: &Doubts) -> Agreement {
    let mut found = Agreement::default();
    let mut alone = Vec::new();
    let mut compared = vec![0_usize; feeds.len()];
    let mut contrary = vec![0_usize; feeds.len()];
    let mut doubts: Vec<(usize, Asset)> = Vec::new();
    let mut settled: Vec<(usize, Asset)> = Vec::new();
    for asset in assets(feeds) {
        let said: Vec<(usize, Decimal)> = feeds
            .iter()
            .enumerate()
            .filter_map(|(feed, prices)| Some((feed, price(prices, asset)?)))
            .collect();
        if let [(feed, price)] = said[..] {
            alone.push((feed, asset, price));
            continue;
        }
        let agreed = majority(&said);
        for (feed, _) in &said {
            compared[*feed] += 1;
            if agreed.as_ref().is_some_and(|(_, close)| close.contains(feed)) {
                settled.push((*feed, asset));
            } else {
                contrary[*feed] += 1;
                doubts.push((*feed, asset));
            }
        }
        match agreed {
            Some((price, _)) => found.prices.push((asset, price)),
            None => found.disputed.push(asset),
        }
    }
    let old = before.prices.iter().filter(|doubt| !settled.contains(doubt) && !doubts.contains(doubt));
    let old: Vec<_> = old.copied().collect();
    let is_doubted = |feed: &usize| match compared[*feed] {
        0 => before.feeds.contains(feed),
        compared => contrary[*feed] * 2 >= compared,
    };
    found.doubts = Doubts {
        prices: doubts.into_iter().chain(old).collect(),
        feeds: (0..feeds.len()).filter(is_doubted).collect(),
    };
    for (feed, asset, price) in alone {
        if found.doubts.covers(feed, asset) {
            found.disputed.push(asset);
        } else {
            found.prices.push((asset, price));
        }
    }
    found
}

/// Every asset that a feed knows, once.
fn assets(feeds: &[Vec<EuroPrice>]) -> Vec<Asset> {
    let mut assets: Vec<Asset> = Vec::new();
    for (asset, _) in feeds.iter().flatten() {
        if !assets.contains(asset) {
            assets.push(*asset);
        }
    }
    assets
}

fn price(prices: &[EuroPrice], asset: Asset) -> Option<Decimal> {
    prices.iter().find(|(known, _)| *known == asset).map(|(_, price)| *price)
}

/// The median of the prices close to the overall median, and their feeds; `None` unless they are more than half.
fn majority(said: &[(usize, Decimal)]) -> Option<(Decimal, Vec<usize>)> {
    let middle = median(said.iter().map(|(_, price)| *price).collect())?;
    let is_close = |price: Decimal| {
        (price - middle).abs().checked_mul(Decimal::from(CLOSE)).is_some_and(|distance| distance <= middle)
    };
    let close = || said.iter().filter(|(_, price)| is_close(*price));
    if close().count() * 2 <= said.len() {
        return None;
    }
    Some((median(close().map(|(_, price)| *price).collect())?, close().map(|(feed, _)| *feed).collect()))
}

fn median(mut prices: Vec<Decimal>) -> Option<Decimal> {
    prices.sort();
    let high = *prices.get(prices.len() / 2)?;
    let low = prices[(prices.len() - 1) / 2];
    Some(low + (high - low) / Decimal::TWO)
}

/// The prices of a feed in euros: its own where it has them, otherwise through another asset, whose price in euros is the
/// feed's or one of `crosses`.
pub fn in_euros(pairs: &[(Asset, Asset, Decimal)], crosses: &[EuroPrice]) -> Vec<EuroPrice> {
    let direct = with_more(Vec::new(), pairs, &[(EUR, Decimal::ONE)]);
    let through_own = with_more(direct.clone(), pairs, &direct);
    with_more(through_own, pairs, crosses)
}

/// Adds the assets that `pairs` exchange for an asset of `known`.
fn with_more(
    mut prices: Vec<EuroPrice>,
    pairs: &[(Asset, Asset, Decimal)],
    known: &[EuroPrice],
) -> Vec<EuroPrice> {
    for (from, to, rate) in pairs {
        let sold = price(known, *to).and_then(|to| Some((*from, rate.checked_mul(to)?)));
        let bought = price(known, *from).and_then(|from| Some((*to, from.checked_div(*rate)?)));
        for (asset, euros) in sold.into_iter().chain(bought) {
            if asset != EUR && price(&prices, asset).is_none() {
                prices.push((asset, euros));
            }
        }
    }
    prices
}

#[cfg(test)]
mod tests {
    use checkout_core::decimal;

    use super::*;

    fn asset(code: &str) -> Asset {
        Asset::quoted(code).unwrap()
    }

    fn number(text: &str) -> Decimal {
        decimal::parse(text, 24).unwrap()
    }

    /// `BTC 60000, ETH 3000`: what each feed says.
    fn said(texts: &[&str]) -> Vec<Vec<EuroPrice>> {
        let one = |text: &&str| {
            let words =
                text.split(", ").filter(|text| !text.is_empty()).map(|text| text.split_once(' ').unwrap());
            words.map(|(code, price)| (asset(code), number(price))).collect()
        };
        texts.iter().map(one).collect()
    }

    fn shown(prices: &[EuroPrice]) -> String {
        let mut prices: Vec<_> =
            prices.iter().map(|(asset, price)| format!("{} {}", asset.code(), price.normalize())).collect();
        prices.sort();
        prices.join(", ")
    }

    fn codes(assets: &[Asset]) -> String {
        let mut codes: Vec<_> = assets.iter().map(|asset| asset.code()).collect();
        codes.sort_unstable();
        codes.join(", ")
    }

    #[track_caller]
    fn check(feeds: &[&str], expected: &str, disputed: &str) {
        let found = agree(&said(feeds), &Doubts::default());
        assert_eq!(
            (shown(&found.prices), codes(&found.disputed)),
            (expected.into(), disputed.into()),
            "{feeds:?}"
        );
    }

    #[test]
    fn the_median_of_those_that_agree() {
        check(&[], "", "");
        check(&["BTC 60000, USD 0.9"], "BTC 60000, USD 0.9", "");
        check(&["BTC 60000", "BTC 60100"], "BTC 60050", "");
        check(&["BTC 60000", "BTC 60100", "BTC 60010"], "BTC 60010", "");
        check(&["BTC 60000", "BTC 60100", "BTC 60010", "BTC 60020"], "BTC 60015", "");
        check(&["BTC 60000", "ETH 3000", ""], "BTC 60000, ETH 3000", "");
        check(&["BTC 60000", "BTC 63000"], "BTC 61500", "");
    }

    /// A wrong factor, a price in another currency, a frozen market.
    #[test]
    fn an_outlier_moves_nothing() {
        for wrong in ["BTC 600", "BTC 60000000", "BTC 120000", "BTC 64800", "BTC 51000"] {
            check(&["BTC 60000", wrong, "BTC 60010"], "BTC 60005", "");
            check(&[wrong, "BTC 60000", "BTC 60010", "BTC 60020"], "BTC 60010", "");
        }
        check(&["BTC 60000", "BTC 66000", "BTC 54000"], "", "BTC");
        check(&["BTC 60000", "BTC 60000", "BTC 66000", "BTC 66000"], "", "BTC");
        check(&["BTC 60000", "BTC 63200"], "", "BTC");
    }

    #[test]
    fn what_only_a_contrary_feed_knows_is_no_price() {
        // It is unknown which of two is right, and so is what only one of them knows.
        check(&["BTC 60000, ETH 3000", "BTC 64000"], "", "BTC, ETH");
        check(&["BTC 60000, LTC 75, ETH 3000", "BTC 64000, LTC 75"], "LTC 75", "BTC, ETH");
        // Two against one: the one is not believed in anything, the others are.
        check(&["BTC 60000, RUB 0.01", "BTC 60000", "BTC 64800, ETH 3240"], "BTC 60000, RUB 0.01", "ETH");
        // One odd price of three costs that price only.
        let (other, odd) = ("BTC 60000, LTC 75, XLM 0.1", "BTC 60000, LTC 75, XLM 0.2, RUB 0.01");
        check(&[other, odd], "BTC 60000, LTC 75, RUB 0.01", "XLM");
        check(&[other, odd, other], "BTC 60000, LTC 75, RUB 0.01, XLM 0.1", "");
    }

    /// Each step: what is heard, and then the prices and disputes.
    #[test]
    fn a_doubt_lasts_until_the_feed_agrees() {
        #[track_caller]
        fn check(steps: &[(&[&str], &str, &str)]) {
            let mut doubts = Doubts::default();
            for (feeds, expected, disputed) in steps {
                let found = agree(&said(feeds), &doubts);
                let shown = (shown(&found.prices), codes(&found.disputed));
                assert_eq!(shown, ((*expected).to_owned(), (*disputed).to_owned()), "{feeds:?} of {steps:?}");
                doubts = found.doubts;
            }
        }
        // The others fail: the outlier alone is no source.
        let outlier = "BTC 70000, ETH 3000, LTC 75";
        let right = "BTC 60000, ETH 3000, LTC 75";
        check(&[
            (&[outlier, right, right], "BTC 60000, ETH 3000, LTC 75", ""),
            (&[outlier, "", ""], "ETH 3000, LTC 75", "BTC"),
            (&[outlier, "", ""], "ETH 3000, LTC 75", "BTC"),
            (&[right, right, ""], "BTC 60000, ETH 3000, LTC 75", ""),
            (&[right, "", ""], "BTC 60000, ETH 3000, LTC 75", ""),
        ]);
        // A feed that is wrong in everything, and then alone.
        check(&[
            (&["BTC 64800, RUB 0.0108", "BTC 60000", "BTC 60000"], "BTC 60000", "RUB"),
            (&["BTC 64800, RUB 0.0108", "", ""], "", "BTC, RUB"),
            (&["RUB 0.0108", "", ""], "", "RUB"),
            (&["BTC 60000, RUB 0.01", "BTC 60000", ""], "BTC 60000, RUB 0.01", ""),
        ]);
        // Nobody contradicted it before.
        check(&[(&[right, right], right, ""), (&["", right], right, "")]);
    }

    #[test]
    fn prices_in_euros() {
        #[track_caller]
        fn check(pairs: &[&str], crosses: &str, expected: &str) {
            let pair = |text: &&str| {
                let words: Vec<&str> = text.split(' ').collect();
                (asset(words[0]), asset(words[1]), number(words[2]))
            };
            let pairs: Vec<_> = pairs.iter().map(pair).collect();
            assert_eq!(shown(&in_euros(&pairs, &said(&[crosses])[0])), expected, "{pairs:?}");
        }
        check(&["BTC EUR 60000", "EUR USD 1.25"], "", "BTC 60000, USD 0.8");
        check(&["BTC USD 75000", "EUR USD 1.25"], "", "BTC 60000, USD 0.8");
        check(&["BTC USD 75000", "BTC EUR 60000"], "", "BTC 60000, USD 0.8");
        check(&["ETH BTC 0.05", "BTC EUR 60000"], "", "BTC 60000, ETH 3000");
        check(&["BTC USD 75000"], "", "");
        check(&["BTC USD 75000"], "USD 0.8", "BTC 60000");
        // Its own price in euros counts, whatever else it says.
        check(&["BTC USD 60000", "EUR USD 1.25", "BTC EUR 60000"], "USD 0.5", "BTC 60000, USD 0.8");
    }
}
