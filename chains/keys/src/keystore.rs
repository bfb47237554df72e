//! A key in an encrypted file of the Web3 Secret Storage form, as geth, foundry and most wallets write it.

use std::path::Path;

use eth_keystore::KeystoreError;
use zeroize::Zeroizing;

/// The secret of an account of Ethereum, BNB Smart Chain or TRON. It takes a second or two by design. Errors are messages for
/// users.
pub fn open(path: &Path, password: &str) -> Result<Zeroizing<Vec<u8>>, String> {
    let shown = path.display();
    eth_keystore::decrypt_key(path, password).map(Zeroizing::new).map_err(|error| match error {
        KeystoreError::MacMismatch => format!("The keystore {shown} does not open with this password."),
        error => format!("The keystore {shown} cannot be read: {error}."),
    })
}
