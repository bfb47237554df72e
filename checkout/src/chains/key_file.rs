//! The key of an account that payouts come from, in a file that age encrypted.

use std::path::PathBuf;

use checkout_core::Network;
use zeroize::Zeroizing;

#[derive(Clone)]
pub(super) struct KeyFile {
    path: PathBuf,
    passphrase_file: Option<PathBuf>,
}

impl KeyFile {
    /// `None` without a key: then nothing is sent on the network. Errors are messages for users.
    pub(super) fn read(
        path: Option<PathBuf>,
        passphrase_file: Option<PathBuf>,
    ) -> Result<Option<Self>, &'static str> {
        match (path, passphrase_file) {
            (Some(path), passphrase_file) => Ok(Some(Self { path, passphrase_file })),
            (None, None) => Ok(None),
            (None, Some(_)) => Err("passphrase_file is there without key_file"),
        }
    }

    /// It takes about a second by design. The passphrase comes from its file, or else from the environment.
    pub(super) fn open(&self, network: Network) -> Result<Zeroizing<String>, String> {
        let passphrase = if let Some(path) = &self.passphrase_file {
            let text = std::fs::read_to_string(path).map(Zeroizing::new);
            text.map_err(|error| format!("[chains.{network}] passphrase_file {}: {error}.", path.display()))?
        } else {
            let variable = format!("CHECKOUT_{network}_PASSPHRASE");
            std::env::var(&variable).map(Zeroizing::new).map_err(|_| {
                format!(
                    "[chains.{network}] key_file: its passphrase is neither in passphrase_file nor in {variable}."
                )
            })?
        };
        checkout_chain_keys::open(&self.path, passphrase.trim_end_matches(['\r', '\n']))
    }
}
