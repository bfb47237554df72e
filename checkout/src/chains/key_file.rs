//! The key of a payout account, in a file encrypted with age.

use std::path::PathBuf;

use checkout_core::Network;
use zeroize::Zeroizing;

#[derive(Clone)]
pub(super) struct KeyFile {
    path: PathBuf,
    passphrase_file: Option<PathBuf>,
}

impl KeyFile {
    /// Returns `None` if no key is configured; the network then has no payouts. Errors are messages for
    /// users.
    pub(super) fn read(
        path: Option<PathBuf>,
        passphrase_file: Option<PathBuf>,
    ) -> Result<Option<Self>, &'static str> {
        match (path, passphrase_file) {
            (Some(path), passphrase_file) => Ok(Some(Self { path, passphrase_file })),
            (None, None) => Ok(None),
            (None, Some(_)) => Err("passphrase_file is set without key_file"),
        }
    }

    /// Takes about a second by design. The passphrase comes from its file, or else from the environment.
    pub(super) fn open(&self, network: Network) -> Result<Zeroizing<String>, String> {
        let passphrase = if let Some(path) = &self.passphrase_file {
            let text = std::fs::read_to_string(path).map(Zeroizing::new);
            text.map_err(|error| format!("[chains.{network}] passphrase_file {}: {error}.", path.display()))?
        } else {
            let variable = format!("CHECKOUT_{network}_PASSPHRASE");
            std::env::var(&variable).map(Zeroizing::new).map_err(|_| {
                format!("[chains.{network}] key_file: set its passphrase in passphrase_file or {variable}.")
            })?
        };
        checkout_chain_keys::open(&self.path, passphrase.trim_end_matches(['\r', '\n']))
    }
}
