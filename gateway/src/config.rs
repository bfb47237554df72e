//! Every setting of `checkout serve`: flags win over the environment, which wins over the file.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use checkout_core::Network;
use serde::Deserialize;

/// Where the gateway listens unless told otherwise.
pub const DEFAULT_LISTEN: &str = "127.0.0.1:8080";

/// The file of `--config`, in TOML. Every key is optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct File {
    /// Address and port to listen on.
    pub listen: Option<SocketAddr>,
    /// `sqlite:PATH`
    pub database: Option<String>,
    /// Where browsers reach the gateway, such as `https://pay.example`.
    pub public_url: Option<String>,
    /// One extended public key per network, at account level (BIP-44); on XRP and XLM the account.
    pub deposit_keys: BTreeMap<String, String>,
}

impl File {
    /// Reads the file; the error is a sentence.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("The configuration file {} cannot be read: {error}.", path.display()))?;
        toml::from_str(&text).map_err(|error| {
            format!("The configuration file {} is wrong: {}", path.display(), error.to_string().trim_end())
        })
    }

    /// The deposit keys by network; the error is a sentence.
    pub fn keys(&self) -> Result<Vec<(Network, String)>, String> {
        let key = |(code, key): (&String, &String)| {
            let network =
                code.parse().map_err(|_| format!("[deposit_keys] names {code}, which is no network."))?;
            Ok((network, key.clone()))
        };
        self.deposit_keys.iter().map(key).collect()
    }
}

/// The database of who says nothing: a file in the platform's data folder.
pub fn default_database() -> Result<PathBuf, String> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || variable("HOME").or_else(|| variable("USERPROFILE"));
    let folder = if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else {
        variable("XDG_DATA_HOME").or_else(|| home().map(|home| home.join(".local/share")))
    };
    let folder = folder
        .ok_or("This system names no data folder. Say where the database is: --database sqlite:PATH")?;
    Ok(folder.join("crypto-checkout").join("checkout.db"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_is_wrong_with_it() {
        let file: File = toml::from_str("listen = \"0.0.0.0:80\"\n[deposit_keys]\nBTC = \"xpub…\"").unwrap();
        assert_eq!(file.listen.unwrap().port(), 80);
        assert_eq!(file.keys().unwrap()[0].0, Network::Btc);
        assert!(toml::from_str::<File>("listne = \"0.0.0.0:80\"").is_err());
        let file: File = toml::from_str("[deposit_keys]\nMAIN = \"xpub\"").unwrap();
        assert!(file.keys().unwrap_err().contains("MAIN"));
    }
}
