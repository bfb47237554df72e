//! Shared by `[chains.XRP]` and `[chains.XLM]`: one account pays, and its key is in a file or with a signer elsewhere.

use std::fmt::Display;
use std::path::PathBuf;

use checkout_core::Network;

use super::key_file::KeyFile;
use super::payout_key::PayoutKey;
use super::requests::Requests;

#[derive(Clone)]
pub(super) struct Account {
    network: Network,
    pub(super) url: String,
    key: Option<PayoutKey<KeyFile>>,
    pub(super) requests: Requests,
}

impl Account {
    /// `signer`: the URL of the signer, with the name and the value of the setting that identifies its key; `requests`:
    /// `poll_seconds`, `requests_per_hour` and `requests_per_day`. Errors are messages for users.
    pub(super) fn read(
        network: Network,
        url: String,
        (key_file, passphrase_file): (Option<PathBuf>, Option<PathBuf>),
        (signer_url, name, signer): (Option<String>, &str, Option<String>),
        (poll, hour, day): (Option<u64>, Option<u32>, Option<u32>),
    ) -> Result<Self, String> {
        let wrong = |why: &str| format!("[chains.{network}] {why}.");
        let file = KeyFile::read(key_file, passphrase_file).map_err(wrong)?;
        let key = PayoutKey::read(("key_file", name), file, signer_url, signer).map_err(|why| wrong(&why))?;
        let requests = Requests::read(network, &url, poll, hour, day).map_err(wrong)?;
        Ok(Self { network, url, key, requests })
    }

    /// Without a key, the network has no payouts.
    pub(super) fn signer<S, K: Display, R: Display>(
        &self,
        of_seed: impl FnOnce(&str) -> Result<S, K>,
        remote: impl FnOnce(&str, &str) -> Result<S, R>,
    ) -> Result<Option<S>, String> {
        let network = self.network;
        match &self.key {
            None => Ok(None),
            Some(PayoutKey::File(file)) => of_seed(&file.open(network)?)
                .map(Some)
                .map_err(|why| format!("[chains.{network}] key_file: {why}.")),
            Some(PayoutKey::Remote { url, account }) => {
                remote(url, account).map(Some).map_err(|why| format!("[chains.{network}] {why}."))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use checkout_domain::chain::environment::TestEnvironment;

    use super::super::{stellar, xrp};

    type Read = fn(&str) -> Result<Option<TestEnvironment>, String>;

    fn xrp(text: &str) -> Result<Option<TestEnvironment>, String> {
        xrp::Source::read(toml::from_str(text).unwrap()).map(|source| source.test_environment())
    }

    fn xlm(text: &str) -> Result<Option<TestEnvironment>, String> {
        stellar::Source::read(toml::from_str(text).unwrap()).map(|source| source.test_environment())
    }

    #[test]
    fn a_wrong_section_is_explained() {
        let check_all = |network: &str, read: Read, signer: &str| {
            let check = |text: &str, part: &str| {
                let error = read(text).err().unwrap_or_default();
                assert!(error.starts_with(network) && error.contains(part), "{text}: {error}");
            };
            check("", "url");
            check("url = \"ftp://127.0.0.1\"", "http://");
            check("url = \"http://127.0.0.1\"\nurls = 1", "urls");
            check("url = \"http://127.0.0.1\"\npassphrase_file = \"x\"", "without key_file");
            let alone = "url = \"http://127.0.0.1\"\nsigner_url = \"http://127.0.0.1\"";
            check(alone, &format!("signer_url and {signer}"));
        };
        check_all("[chains.XRP] ", xrp, "signer_public_key");
        check_all("[chains.XLM] ", xlm, "signer_account");
    }

    #[test]
    fn a_test_network_has_a_name() {
        let check = |read: Read, text: &str, expected: Option<&str>| {
            let test = read(&format!("url = \"http://127.0.0.1\"\n{text}")).unwrap();
            assert_eq!(test.map(|test| test.name).as_deref(), expected, "{text}");
        };
        check(xrp, "", None);
        check(xrp, "name = \"unused\"", None);
        check(xrp, "network_id = 1", Some("testnet"));
        check(xrp, "network_id = 1\nname = \"ours\"", Some("ours"));
        check(xlm, "", None);
        check(xlm, "name = \"unused\"", None);
        check(xlm, "network_passphrase = \"Test SDF Network ; September 2015\"", Some("testnet"));
        check(
            xlm,
            "network_passphrase = \"Test SDF Network ; September 2015\"\nname = \"ours\"",
            Some("ours"),
        );
    }
}
