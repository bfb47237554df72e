//! The settings of `checkout serve`. Flags override the environment, which overrides the file.
//!
//! `clap` merges flags and environment. `toml` and serde parse the file and report the line and key of an
//! error. A merging library such as `figment` would not improve either.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use checkout_core::{Decimal, Network, decimal};
use checkout_domain::access::rate_limits::{Quota, RateLimits};
use checkout_domain::business::service_fees::ServiceFees;
use checkout_domain::chain::finality::Finality;
use checkout_domain::payment::confirmations::Confirmations;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_gateway::adapters::http_rates::{FeedSettings, HttpRates};
use checkout_gateway::adapters::rule_screening::Rule;
use checkout_gateway::service::app::Policy;
use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};
use serde::Deserialize;

use crate::chains::{Sources, confirmations};
use crate::desk::DeskFile;
use crate::mail::MailFile;
use crate::serve::public_url;

/// Default listen address.
pub(crate) const DEFAULT_LISTEN: &str = "127.0.0.1:8080";

/// The file of `--config`, in TOML. Every key is optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ConfigFile {
    /// Address and port to listen on.
    pub(crate) listen: Option<SocketAddr>,
    /// `sqlite:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`.
    pub(crate) database: Option<String>,
    /// File with the keys that seal the secrets in the database.
    pub(crate) secret_keys: Option<PathBuf>,
    /// URL of the gateway for browsers, such as `https://pay.example`.
    pub(crate) public_url: Option<String>,
    /// One extended public key per network at account level (BIP-44); on XRP and XLM the account address.
    pub(crate) deposit_keys: BTreeMap<String, String>,
    /// `[service_fees] deposit = "0.005"`, `withdrawal = "0.001"`: shares from 0 to 1.
    pub(crate) service_fees: BTreeMap<String, String>,
    /// `[finality] BTC = 6`: confirmations by network, which override those of `domain/chain/finality.rs`.
    pub(crate) finality: BTreeMap<String, u32>,
    /// `[confirmations] TRX = 19`: what a deposit of the sandbox needs. Real networks have the same key in their section.
    pub(crate) confirmations: BTreeMap<String, toml::Value>,
    /// `[refunds] automatic_per_day = 5`: how many of one payment are sent automatically in a day.
    pub(crate) refunds: RefundsFile,
    /// `[payouts] hourly_limit = "20000"`: EUR that may leave of one business in an hour.
    pub(crate) payouts: PayoutsFile,
    /// `[[screening]]`: owners of addresses.
    pub(crate) screening: Vec<Rule>,
    /// Format of the callbacks.
    pub(crate) callbacks: Callbacks,
    /// Rate limits.
    pub(crate) limits: LimitsFile,
    /// `[chains.LTC]`, …: the source of each network. The keys depend on the network: see `chains.rs`.
    pub(crate) chains: BTreeMap<String, toml::Table>,
    /// Address and port of `/metrics`.
    pub(crate) metrics: Option<SocketAddr>,
    /// The feed of exchange rates.
    pub(crate) rates: FeedSettings,
    /// The page of operators.
    pub(crate) desk: DeskFile,
    /// The server that takes mails.
    pub(crate) mail: MailFile,
}

/// The table `[callbacks]`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Callbacks {
    /// Adds `deductedSettlementAmount` to withdrawal callbacks, next to `deducedSettlementAmount`.
    pub(crate) both_spellings: bool,
    /// Also delivers to private addresses, such as an internal back end. Enable only if you trust all
    /// businesses.
    pub(crate) private_addresses: bool,
}

/// The table `[refunds]`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RefundsFile {
    pub(crate) automatic_per_day: u32,
}

impl Default for RefundsFile {
    fn default() -> Self {
        Self { automatic_per_day: checkout_gateway::service::app::REFUNDS_PER_DAY }
    }
}

/// The table `[payouts]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PayoutsFile {
    hourly_limit: Option<String>,
}

impl PayoutsFile {
    fn hourly_limit(&self) -> Result<Option<Decimal>, String> {
        let Some(text) = &self.hourly_limit else { return Ok(None) };
        let limit = decimal::parse(text, 2).ok().filter(|limit| *limit > Decimal::ZERO);
        limit.map(Some).ok_or_else(|| {
            format!(
                "[payouts] hourly_limit = \"{text}\" must be an amount of EUR above zero, such as \"20000\""
            )
        })
    }
}

/// The table `[limits]`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LimitsFile {
    /// Default: on, except in the sandbox.
    pub(crate) enabled: Option<bool>,
    /// Number of trusted proxies in front of the gateway. Each adds an entry to `X-Forwarded-For`.
    pub(crate) trusted_proxies: Option<usize>,
    pub(crate) merchant: Option<Quota>,
    pub(crate) session: Option<Quota>,
    pub(crate) session_changes: Option<Quota>,
    pub(crate) client: Option<Quota>,
    pub(crate) refused: Option<Quota>,
    /// Maximum number of connections.
    pub(crate) connections: Option<usize>,
    /// Maximum number of connections of one client address.
    pub(crate) connections_per_client: Option<usize>,
}

impl LimitsFile {
    pub(crate) fn limits(self, sandbox: bool) -> RateLimits {
        let standard = RateLimits::standard(self.enabled.unwrap_or(!sandbox));
        RateLimits {
            enabled: standard.enabled,
            trusted_proxies: self.trusted_proxies.unwrap_or(standard.trusted_proxies),
            merchant: self.merchant.unwrap_or(standard.merchant),
            session: self.session.unwrap_or(standard.session),
            session_changes: self.session_changes.unwrap_or(standard.session_changes),
            client: self.client.unwrap_or(standard.client),
            refused: self.refused.unwrap_or(standard.refused),
            connections: self.connections,
            connections_per_client: self.connections_per_client,
        }
    }
}

impl ConfigFile {
    /// Reads the file. Errors are messages for users.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("The configuration file {} cannot be read: {error}.", path.display()))?;
        toml::from_str(&text).map_err(|error| {
            format!("The configuration file {} is wrong: {}", path.display(), error.to_string().trim_end())
        })
    }

    /// Returns the settings of the rate feeds, with the keys. `url` overrides that of the file. Errors are messages for users.
    pub(crate) fn rates(&self, url: Option<String>) -> Result<FeedSettings, String> {
        let rates = FeedSettings { url: url.or(self.rates.url.clone()), ..self.rates.clone() };
        rates.check()?;
        let key = match &rates.coingecko_key_file {
            Some(path) => Some(std::fs::read_to_string(path).map_err(|error| {
                format!("[rates] coingecko_key_file {} cannot be read: {error}.", path.display())
            })?),
            None => std::env::var("CHECKOUT_COINGECKO_KEY").ok(),
        };
        match key {
            Some(key) => rates.with_coingecko_key(&key),
            None => Ok(rates),
        }
    }

    /// Returns the service fees; missing keys are 0 outside the sandbox. Errors are messages for users.
    pub(crate) fn fees(&self, sandbox: bool) -> Result<ServiceFees, String> {
        let mut fees = if sandbox { ServiceFees::sandbox() } else { ServiceFees::NONE };
        for (name, text) in &self.service_fees {
            let share = decimal::parse(text, 8).ok().filter(|share| *share <= Decimal::ONE);
            let share = share.ok_or_else(|| {
                format!("[service_fees] {name} must be a share from 0 to 1, such as \"0.005\".")
            })?;
            match name.as_str() {
                "deposit" => fees.deposit = share,
                "withdrawal" => fees.withdrawal = share,
                _ => {
                    return Err(format!(
                        "[service_fees] has an unknown key {name}; valid keys are deposit and withdrawal."
                    ));
                }
            }
        }
        Ok(fees)
    }

    /// Returns the confirmations required for finality, by network. Errors are messages for users.
    pub(crate) fn finality(&self, sandbox: bool) -> Result<Finality, String> {
        let depth = |(code, depth): (&String, &u32)| {
            let network = Network::served(code)
                .ok_or_else(|| format!("[finality] names {code}, which is not a network."))?;
            if *depth == 0 {
                return Err(format!(
                    "[finality] {code} must be at least 1: an unconfirmed transaction is not final."
                ));
            }
            Ok((network, *depth))
        };
        let named = self.finality.iter().map(depth).collect::<Result<BTreeMap<_, _>, String>>()?;
        let usual = if sandbox { Finality::one_block() } else { Finality::default() };
        Ok(usual.but(Finality::with(named)))
    }

    /// Returns the confirmations that every deposit of the sandbox needs, by network. Errors are messages for users.
    pub(crate) fn confirmations(&self, sandbox: bool) -> Result<BTreeMap<Network, u32>, String> {
        if !sandbox && !self.confirmations.is_empty() {
            return Err("[confirmations] is for --sandbox: a real network has this setting in its [chains] section, if it has a choice.".to_owned());
        }
        let confirmations = self.sandbox_confirmations()?;
        let of_all = |(network, rules)| Some((network, confirmations::of_all(rules)?));
        Ok(confirmations.all().filter_map(of_all).collect())
    }

    fn sandbox_confirmations(&self) -> Result<Confirmations, String> {
        let mut confirmations = Confirmations::default();
        for (code, value) in &self.confirmations {
            let network = Network::served(code)
                .ok_or_else(|| format!("[confirmations] names {code}, which is not a network."))?;
            let wrong = |why: String| format!("[confirmations] {code}: {why}.");
            let rules = confirmations::rules(value).map_err(wrong)?;
            confirmations.set(network, rules).map_err(|why| wrong(why.to_string()))?;
        }
        Ok(confirmations)
    }

    /// Returns what the gateway does by this file. Errors are messages for users.
    pub(crate) fn policy(&self, sandbox: bool, sources: &Sources) -> Result<Policy, String> {
        Ok(Policy {
            both_spellings: self.callbacks.both_spellings,
            fees: self.fees(sandbox)?,
            confirmations: if sandbox {
                self.sandbox_confirmations()?
            } else {
                sources.confirmations().clone()
            },
            finality: self.finality(sandbox)?,
            polling: sources.polling(),
            environments: sources.environments(),
            limits: self.limits.limits(sandbox),
            refunds_per_day: self.refunds.automatic_per_day,
            hourly_limit: self.payouts.hourly_limit()?,
            sandbox,
        })
    }

    /// Checks what `serve` reads besides sources and keys. Errors are messages for users.
    pub(crate) fn check(&self, sources: &Sources) -> Result<(), String> {
        self.policy(false, sources)?;
        self.confirmations(false)?;
        self.desk.settings(false)?;
        self.public_url.as_deref().map_or(Ok(()), |url| public_url(url, false).map(|_| ()))?;
        self.rates.check()?;
        HttpRates::new(&self.rates, Arc::new(SystemClock)).map(|_| ())
    }

    /// Returns the configured networks. Errors are messages for users.
    pub(crate) fn sources(&self) -> Result<Sources, String> {
        Sources::read(self.chains()?, &self.finality(false)?)
    }

    /// Returns the sections of `[chains]` by network. Errors are messages for users.
    fn chains(&self) -> Result<Vec<(Network, toml::Table)>, String> {
        let section = |(code, section): (&String, &toml::Table)| {
            let network =
                Network::served(code).ok_or_else(|| format!("[chains.{code}] does not name a network."))?;
            Ok((network, section.clone()))
        };
        self.chains.iter().map(section).collect()
    }

    /// Returns the deposit keys by network. A configured network without one uses the key of a network that shares its accounts:
    /// one key serves all EVM networks. Errors are messages for users.
    pub(crate) fn keys(&self) -> Result<Vec<(Network, String)>, String> {
        let key = |(code, key): (&String, &String)| {
            let network = Network::served(code)
                .ok_or_else(|| format!("[deposit_keys] names {code}, which is not a network."))?;
            Ok((network, key.clone()))
        };
        let mut keys = self.deposit_keys.iter().map(key).collect::<Result<Vec<_>, String>>()?;
        for (network, _) in self.chains()? {
            let of = |network: &Network| keys.iter().find(|(known, _)| known == network);
            if let Some((_, key)) = network.spec().shared_accounts.iter().find_map(of).cloned()
                && of(&network).is_none()
            {
                keys.push((network, key));
            }
        }
        Ok(keys)
    }
}

/// Default database path: a file in the platform's data folder.
pub(crate) fn default_database() -> Result<PathBuf, String> {
    let folders = choose_native_strategy()
        .map_err(|_| "This system has no data folder. Set the database path: --database sqlite:PATH")?;
    Ok(folders.data_dir().join("crypto-checkout").join("checkout.db"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_file_is_explained() {
        let file: ConfigFile =
            toml::from_str("listen = \"0.0.0.0:80\"\n[deposit_keys]\nBTC = \"xpub…\"").unwrap();
        assert_eq!(file.listen.unwrap().port(), 80);
        assert_eq!(file.keys().unwrap()[0].0, Network::Btc);
        assert!(toml::from_str::<ConfigFile>("listne = \"0.0.0.0:80\"").is_err());
        let file: ConfigFile = toml::from_str("[service_fees]\ndeposit = \"0.01\"").unwrap();
        for (sandbox, withdrawal) in [(true, "0.001"), (false, "0")] {
            let fees = file.fees(sandbox).unwrap();
            let expected = ("0.01".into(), withdrawal.into());
            assert_eq!((fees.deposit.to_string(), fees.withdrawal.to_string()), expected);
        }
        for wrong in ["deposit = \"1.01\"", "deposit = \"-1\"", "deposits = \"0\""] {
            let file: ConfigFile = toml::from_str(&format!("[service_fees]\n{wrong}")).unwrap();
            assert!(file.fees(true).is_err(), "{wrong}");
        }
        let limit = |text: &str| {
            let file: ConfigFile = toml::from_str(&format!("[payouts]\nhourly_limit = \"{text}\"")).unwrap();
            file.payouts.hourly_limit()
        };
        assert_eq!(limit("20000.50"), Ok(Some("20000.5".parse().unwrap())));
        for wrong in ["0", "-1", "1.001", "1000 EUR", ""] {
            assert!(limit(wrong).unwrap_err().contains("[payouts] hourly_limit"), "{wrong}");
        }
        let file: ConfigFile = toml::from_str("[finality]\nBTC = 2").unwrap();
        for (sandbox, ltc) in [(false, 24), (true, 1)] {
            let finality = file.finality(sandbox).unwrap();
            assert_eq!((finality.depth(Network::Btc), finality.depth(Network::Ltc)), (2, ltc), "{sandbox}");
        }
        for wrong in ["BTC = 0", "MAIN = 2"] {
            let file: ConfigFile = toml::from_str(&format!("[finality]\n{wrong}")).unwrap();
            assert!(file.finality(true).unwrap_err().contains("[finality]"), "{wrong}");
        }
        let file: ConfigFile = toml::from_str("[confirmations]\nTRX = 19").unwrap();
        assert_eq!(file.confirmations(true), Ok(BTreeMap::from([(Network::Trx, 19)])));
        assert!(file.confirmations(false).unwrap_err().contains("--sandbox"));
        let file: ConfigFile = toml::from_str("[confirmations]\nTRX = 0").unwrap();
        assert!(file.confirmations(true).unwrap_err().contains("[confirmations] TRX"));
        let rows = "[[confirmations.BTC]]\nabove = \"1000 EUR\"\nrequired = 3";
        let file: ConfigFile = toml::from_str(rows).unwrap();
        assert_eq!(file.confirmations(true), Ok(BTreeMap::new()));
        let policy = file.policy(true, &Sources::default()).unwrap();
        assert_eq!(policy.confirmations.required(Network::Btc, |_| None), 3);
        let two = "[deposit_keys]\nETH = \"xpub1\"\n[chains.BASE]\nurl = \"\"\n[chains.LTC]\nurl = \"\"";
        let file: ConfigFile = toml::from_str(two).unwrap();
        let key = "xpub1".to_owned();
        assert_eq!(file.keys(), Ok(vec![(Network::Eth, key.clone()), (Network::Base, key)]));
        let file: ConfigFile = toml::from_str("[deposit_keys]\nMAIN = \"xpub\"").unwrap();
        assert!(file.keys().unwrap_err().contains("MAIN"));
    }

    #[test]
    fn rate_limits_are_on_outside_the_sandbox_unless_configured() {
        let check = |enabled, sandbox, expected| {
            let file = LimitsFile { enabled, ..LimitsFile::default() };
            assert_eq!(file.limits(sandbox).enabled, expected);
        };
        check(None, false, true);
        check(None, true, false);
        check(Some(true), true, true);
        check(Some(false), false, false);
    }
}
