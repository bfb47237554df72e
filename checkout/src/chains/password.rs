//! The password of a keystore.

use std::path::PathBuf;

use checkout_core::Network;

/// Reads from the file, or else from the environment.
pub(super) fn password(network: Network, file: Option<&PathBuf>) -> Result<String, String> {
    let variable = format!("CHECKOUT_{network}_PASSWORD");
    match file {
        Some(path) => {
            let text = std::fs::read_to_string(path);
            let text = text
                .map_err(|error| format!("[chains.{network}] password_file {}: {error}.", path.display()))?;
            Ok(text.trim_end_matches(['\r', '\n']).to_owned())
        }
        None => std::env::var(&variable).map_err(|_| {
            format!("[chains.{network}] keystore: set its password in password_file or {variable}.")
        }),
    }
}
