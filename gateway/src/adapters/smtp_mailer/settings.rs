//! The URL of an SMTP server.

use std::net::IpAddr;

use url::{Host, Url};

/// Where mails go out. The password is no part of the URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmtpServer {
    pub host: String,
    pub port: u16,
    pub user: Option<String>,
    pub encryption: Encryption,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    Tls,
    /// The connection begins without TLS; nothing is said before it has it.
    StartTls,
    /// None: the server is on this machine.
    LoopbackOnly,
}

impl SmtpServer {
    /// Reads `smtps://USER@HOST[:PORT]`, `smtp://USER@HOST[:PORT]?tls=required`, or `smtp://LOOPBACK[:PORT]`. Errors are messages
    /// for users, without the URL.
    pub fn read(text: &str) -> Result<Self, String> {
        const EXAMPLE: &str = "such as smtps://user@mail.example or smtp://user@mail.example?tls=required";
        let url = Url::parse(text).map_err(|_| format!("must be a URL, {EXAMPLE}"))?;
        if url.password().is_some() {
            return Err("must not have a password: others on this machine can read it there".to_owned());
        }
        let host = url.host_str().filter(|host| !host.is_empty());
        let host = host.ok_or_else(|| format!("must name a host, {EXAMPLE}"))?;
        if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
            return Err(format!("must have no path, {EXAMPLE}"));
        }
        let (encryption, usual) = match (url.scheme(), url.query()) {
            ("smtps", None) => (Encryption::Tls, 465),
            ("smtp", Some("tls=required")) => (Encryption::StartTls, 587),
            ("smtp", None) if is_loopback(host) => (Encryption::LoopbackOnly, 25),
            ("smtp", None) => {
                return Err("must have TLS: smtps://, or ?tls=required for STARTTLS; only a server on this machine may do without".to_owned());
            }
            _ => {
                return Err(format!(
                    "must begin with smtps:// or smtp:// and have no other query, {EXAMPLE}"
                ));
            }
        };
        let user = percent_decoded(url.username())
            .ok_or_else(|| "has a user that cannot be read: an @ in it is %40".to_owned())?;
        Ok(Self {
            host: host.trim_matches(['[', ']']).to_owned(),
            port: url.port().unwrap_or(usual),
            user: (!user.is_empty()).then_some(user),
            encryption,
        })
    }
}

fn is_loopback(host: &str) -> bool {
    match Host::parse(host) {
        Ok(Host::Domain(name)) => {
            name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
        }
        Ok(Host::Ipv4(address)) => address.is_loopback(),
        Ok(Host::Ipv6(address)) => address.is_loopback(),
        Err(_) => false,
    }
}

fn percent_decoded(text: &str) -> Option<String> {
    // A form writes blanks as `+`, a URL does not.
    let pair = text.replace('+', "%2B");
    let (decoded, _) = url::form_urlencoded::parse(pair.as_bytes()).next().unwrap_or_default();
    (!decoded.contains(char::is_control)).then(|| decoded.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls() {
        let check = |text: &str, expected: Option<(&str, u16, Option<&str>, Encryption)>| {
            let read = SmtpServer::read(text).ok();
            let read = read
                .as_ref()
                .map(|server| (&*server.host, server.port, server.user.as_deref(), server.encryption));
            assert_eq!(read, expected, "{text}");
        };
        check("smtps://mail.example", Some(("mail.example", 465, None, Encryption::Tls)));
        check(
            "smtps://a%40b.example@mail.example:2465/",
            Some(("mail.example", 2465, Some("a@b.example"), Encryption::Tls)),
        );
        check("smtps://a+b@mail.example", Some(("mail.example", 465, Some("a+b"), Encryption::Tls)));
        check(
            "smtp://me@mail.example?tls=required",
            Some(("mail.example", 587, Some("me"), Encryption::StartTls)),
        );
        for (host, name) in [("127.0.0.1", "127.0.0.1"), ("localhost", "localhost"), ("[::1]", "::1")] {
            check(&format!("smtp://{host}:2525"), Some((name, 2525, None, Encryption::LoopbackOnly)));
        }
        for wrong in [
            "mail.example",
            "smtp://mail.example",
            "smtp://127.0.0.1.mail.example",
            "smtp://mail.example?tls=opportunistic",
            "smtps://mail.example?tls=required",
            "smtps://me:secret@mail.example",
            "smtps://",
            "smtps://mail.example/ehlo",
            "https://mail.example",
            "smtps://a%0d%0ab@mail.example",
        ] {
            check(wrong, None);
        }
    }
}
