//! The settings of the feeds.

use std::collections::BTreeMap;
use std::path::PathBuf;

use reqwest::header::HeaderValue;
use serde::Deserialize;

use super::coingecko::CoingeckoPlan;
use super::fetch;
use super::public_feed::PublicFeed;

/// The table `[rates]` of the configuration file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FeedSettings {
    /// URL of the rates. Without it and without `feeds` there are no quotes outside the sandbox.
    pub url: Option<String>,
    /// Public sources to use as well.
    pub feeds: Vec<PublicFeed>,
    /// Other servers with the interface of a public source, such as a proxy.
    pub base_urls: BTreeMap<PublicFeed, String>,
    /// File with the key of CoinGecko. The program reads it into `coingecko_key`.
    pub coingecko_key_file: Option<PathBuf>,
    pub coingecko_plan: CoingeckoPlan,
    #[serde(skip)]
    pub coingecko_key: Option<HeaderValue>,
    pub refresh_seconds: u64,
    /// Maximum age of a rate for quotes.
    pub max_age_seconds: u64,
    /// Time limit of one fetch, from the DNS look-up to the end of the body.
    pub timeout_seconds: u64,
}

impl Default for FeedSettings {
    fn default() -> Self {
        Self {
            url: None,
            feeds: Vec::new(),
            base_urls: BTreeMap::new(),
            coingecko_key_file: None,
            coingecko_plan: CoingeckoPlan::default(),
            coingecko_key: None,
            refresh_seconds: 30,
            max_age_seconds: 120,
            timeout_seconds: 10,
        }
    }
}

impl FeedSettings {
    /// Returns the error in the settings, as a sentence.
    pub fn check(&self) -> Result<(), String> {
        let Self { refresh_seconds: refresh, max_age_seconds: age, timeout_seconds: timeout, .. } = *self;
        if refresh == 0 || timeout == 0 {
            return Err("[rates] refresh_seconds and timeout_seconds have to be at least 1.".to_owned());
        }
        if age <= refresh {
            return Err(format!(
                "[rates] max_age_seconds ({age}) has to be more than refresh_seconds ({refresh}), or every rate would be too old before the next."
            ));
        }
        if let Some(twice) = (1..self.feeds.len()).find(|at| self.feeds[..*at].contains(&self.feeds[*at])) {
            return Err(format!("[rates] feeds names {:?} twice.", self.feeds[twice]));
        }
        if self.coingecko_key_file.is_some() && !self.feeds.contains(&PublicFeed::Coingecko) {
            return Err("[rates] has a coingecko_key_file, but feeds does not name \"coingecko\".".to_owned());
        }
        for (feed, url) in &self.base_urls {
            fetch::read_url(url).map_err(|reason| format!("[rates.base_urls] {} {reason}.", feed.name()))?;
        }
        let Some(url) = &self.url else { return Ok(()) };
        fetch::read_url(url).map(|_| ()).map_err(|reason| format!("[rates] url {reason}."))
    }

    /// Takes CoinGecko's key. Line breaks around it are no part of it.
    pub fn with_coingecko_key(mut self, key: &str) -> Result<Self, String> {
        let mut key = HeaderValue::from_str(key.trim())
            .ok()
            .filter(|key| !key.is_empty())
            .ok_or("The key of CoinGecko is empty or has characters that no key has.")?;
        key.set_sensitive(true);
        self.coingecko_key = Some(key);
        Ok(self)
    }
}
