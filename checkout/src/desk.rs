//! The table `[desk]` of the configuration file.

use std::net::{IpAddr, SocketAddr};

use checkout_core::{Decimal, decimal};
use checkout_gateway::http::desk::{DeskPolicy, Proxy};
use checkout_gateway::texts::origin::check_link;
use serde::Deserialize;

/// The default limit of refunds by support: small sums.
const SUPPORT_REFUND_LIMIT: Decimal = Decimal::ONE_HUNDRED;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct DeskFile {
    /// Address and port of the desk. Without it there is no desk.
    listen: Option<SocketAddr>,
    /// URL of the desk for browsers, such as `https://desk.example`. Default: the listen address.
    public_url: Option<String>,
    /// The header in which the merchant's own sign-on proxy names the operator, such as `X-Forwarded-User`.
    trusted_header: Option<String>,
    /// Addresses of that proxy. From others the header is not believed.
    trusted_proxies: Vec<IpAddr>,
    /// Whether operators sign in with password and one-time code. Default: unless there is a `trusted_header`.
    passwords: Option<bool>,
    /// EUR: `support` refunds payments that received at most this. Default: 100.
    support_refund_limit: Option<String>,
}

/// The desk of a gateway, before its listener has an address.
#[derive(Clone, Debug)]
pub(crate) struct DeskSettings {
    pub(crate) listen: SocketAddr,
    public_url: Option<String>,
    proxy: Option<Proxy>,
    takes_passwords: bool,
    support_refund_limit: Decimal,
}

impl DeskFile {
    /// Errors are messages for users.
    pub(crate) fn settings(&self, sandbox: bool) -> Result<Option<DeskSettings>, String> {
        let Some(listen) = self.listen else {
            let is_set =
                self.public_url.is_some() || self.trusted_header.is_some() || self.passwords.is_some();
            return if is_set {
                Err("[desk] needs listen, such as \"127.0.0.1:9090\".".to_owned())
            } else {
                Ok(None)
            };
        };
        let proxy = match (&self.trusted_header, self.trusted_proxies.is_empty()) {
            (None, true) => None,
            (None, false) => return Err("[desk] trusted_proxies needs trusted_header.".to_owned()),
            (Some(_), true) => {
                return Err(
                    "[desk] trusted_header needs trusted_proxies: anybody else could send the header."
                        .to_owned(),
                );
            }
            (Some(header), false) => {
                let header =
                    header.parse().map_err(|_| format!("[desk] trusted_header {header} is no header."))?;
                let addresses = self.trusted_proxies.iter().map(IpAddr::to_canonical).collect();
                Some(Proxy { header, addresses })
            }
        };
        let takes_passwords = self.passwords.unwrap_or(proxy.is_none());
        if !takes_passwords && proxy.is_none() {
            return Err("[desk] passwords = false needs trusted_header: nobody could sign in.".to_owned());
        }
        if let Some(url) = &self.public_url {
            let is_local =
                ["http://localhost", "http://127.0.0.1"].iter().any(|local| url.starts_with(local));
            check_link(url, sandbox || is_local)
                .map_err(|error| format!("[desk] public_url {}.", error.detail()))?;
        }
        let limit = self.support_refund_limit.as_deref().map(|text| {
            let limit = decimal::parse(text, 2).ok();
            limit.ok_or_else(|| format!("[desk] support_refund_limit {text} is not an amount in EUR."))
        });
        Ok(Some(DeskSettings {
            listen,
            public_url: self.public_url.as_ref().map(|url| url.trim_end_matches('/').to_owned()),
            proxy,
            takes_passwords,
            support_refund_limit: limit.transpose()?.unwrap_or(SUPPORT_REFUND_LIMIT),
        }))
    }
}

impl DeskSettings {
    /// `local` is the URL of the listener.
    pub(crate) fn at(self, local: String) -> DeskPolicy {
        DeskPolicy {
            public_url: self.public_url.unwrap_or(local),
            takes_passwords: self.takes_passwords,
            proxy: self.proxy,
            support_refund_limit: self.support_refund_limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Result<Option<DeskSettings>, String> {
        toml::from_str::<DeskFile>(text).unwrap().settings(false)
    }

    #[test]
    fn there_is_no_desk_unless_it_is_asked_for() {
        assert!(settings("").unwrap().is_none());
        assert!(settings("passwords = true").is_err());
    }

    #[test]
    fn a_header_is_believed_from_named_proxies_only() {
        const LISTEN: &str = "listen = \"127.0.0.1:9090\"\n";
        const PROXY: &str = "trusted_header = \"X-User\"\ntrusted_proxies = [\"10.0.0.1\"]\n";
        let check = |text: &str, expected: Option<(bool, bool)>| {
            let found = settings(&format!("{LISTEN}{text}")).ok().flatten();
            let found = found.map(|desk| (desk.takes_passwords, desk.proxy.is_some()));
            assert_eq!(found, expected, "{text}");
        };
        check("", Some((true, false)));
        check(PROXY, Some((false, true)));
        check(&format!("{PROXY}passwords = true"), Some((true, true)));
        check(&format!("{PROXY}passwords = false"), Some((false, true)));
        check("passwords = false", None);
        check("trusted_header = \"X-User\"", None);
        check("trusted_proxies = [\"10.0.0.1\"]", None);
        check("trusted_header = \"X User\"\ntrusted_proxies = [\"10.0.0.1\"]", None);
        check("public_url = \"http://desk.example\"", None);
        check("public_url = \"https://desk.example/\"", Some((true, false)));
        check("support_refund_limit = \"-1\"", None);
        check("support_refund_limit = \"250.00\"", Some((true, false)));
        assert!(toml::from_str::<DeskFile>("trusted_headers = \"X\"").is_err());
    }
}
