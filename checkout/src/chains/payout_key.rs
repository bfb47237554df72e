//! The key of a payout account: in a file, or with a signer elsewhere.

#[derive(Clone)]
pub(super) enum PayoutKey<F> {
    File(F),
    /// `account` is what identifies the key: the account, or its public key.
    Remote {
        url: String,
        account: String,
    },
}

impl<F> PayoutKey<F> {
    /// `names`: the settings of the file and of the account. Returns `None` if no key is configured; the network then has no
    /// payouts. Errors are messages for users.
    pub(super) fn read(
        names: (&str, &str),
        file: Option<F>,
        url: Option<String>,
        account: Option<String>,
    ) -> Result<Option<Self>, String> {
        match (file, url, account) {
            (None, None, None) => Ok(None),
            (Some(file), None, None) => Ok(Some(Self::File(file))),
            (None, Some(url), Some(account)) => Ok(Some(Self::Remote { url, account })),
            _ => Err(format!("set either {}, or signer_url and {}", names.0, names.1)),
        }
    }
}
