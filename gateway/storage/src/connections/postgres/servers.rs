//! The servers of a database URL, in libpq's notation: `postgres://a:1,b:2/db`, or `?host=a,b&port=1,2`.

use std::str::FromStr as _;

use checkout_domain::ports::{StoreError, Stored};
use sqlx::postgres::PgConnectOptions;

use crate::failed;

/// A server with its connection options.
#[derive(Clone, Debug)]
pub(super) struct Server {
    /// Host and port as they are in the URL.
    pub(super) name: String,
    pub(super) options: PgConnectOptions,
}

/// Parses the servers of a URL; sqlx parses URLs with one server.
pub(super) fn of_url(url: &str) -> Stored<Vec<Server>> {
    let each = split(url).map_err(|error| StoreError(error.into()))?;
    let server = |(name, url): (String, String)| {
        let options = PgConnectOptions::from_str(&url).map_err(failed)?.application_name("checkout");
        Ok(Server { name, options })
    };
    each.into_iter().map(server).collect()
}

/// The name and the URL of each server.
fn split(url: &str) -> Result<Vec<(String, String)>, String> {
    let (before, query) = url.split_once('?').unwrap_or((url, ""));
    let start = before.find("://").map_or(0, |at| at + 3);
    let end = before[start..].find('/').map_or(before.len(), |at| start + at);
    let authority = &before[start..end];
    let (user, hosts) = authority.rsplit_once('@').map_or(("", authority), |(user, hosts)| (user, hosts));
    let hosts: Vec<&str> = hosts.split(',').collect();

    let (mut sockets, mut ports, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("host", list)) => sockets = values(list),
            Some(("port", list)) => ports = values(list),
            Some(("target_session_attrs", "read-write" | "primary")) => {}
            Some(("target_session_attrs", other)) => {
                return Err(format!("target_session_attrs={other}: the gateway needs read-write"));
            }
            _ => rest.push(pair.to_owned()),
        }
    }
    let count = hosts.len().max(sockets.len()).max(ports.len());
    if [hosts.len(), sockets.len(), ports.len()].iter().any(|length| *length > 1 && *length != count) {
        return Err("the URL has different numbers of hosts and ports".to_owned());
    }
    let of = |list: &[String], index: usize| list.get(index).or(list.first()).cloned();
    let server = |index: usize| {
        let host = hosts.get(index).or(hosts.first()).copied().unwrap_or_default();
        let (socket, port) = (of(&sockets, index), of(&ports, index));
        let mut query = rest.clone();
        query.extend(socket.iter().map(|socket| format!("host={socket}")));
        query.extend(port.iter().map(|port| format!("port={port}")));
        let user = if user.is_empty() { String::new() } else { format!("{user}@") };
        let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
        let name = socket.unwrap_or_else(|| host.to_owned());
        let name = port.map_or(name.clone(), |port| format!("{name}:{port}"));
        (name, format!("{}{user}{host}{}{query}", &before[..start], &before[end..]))
    };
    Ok((0..count).map(server).collect())
}

fn values(list: &str) -> Vec<String> {
    list.replace("%2C", ",").replace("%2c", ",").split(',').map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_can_have_several_servers() {
        let check = |url: &str, expected: &[(&str, &str)]| {
            let found = split(url).unwrap();
            let found: Vec<_> = found.iter().map(|(name, url)| (name.as_str(), url.as_str())).collect();
            assert_eq!(found, expected, "{url}");
        };
        check("postgres://u:p@a/db", &[("a", "postgres://u:p@a/db")]);
        check("postgres://", &[("", "postgres://")]);
        check(
            "postgres://u:p,q@a:1,b:2/db?sslmode=require&target_session_attrs=read-write",
            &[
                ("a:1", "postgres://u:p,q@a:1/db?sslmode=require"),
                ("b:2", "postgres://u:p,q@b:2/db?sslmode=require"),
            ],
        );
        check("postgres://a,[::1]:2", &[("a", "postgres://a"), ("[::1]:2", "postgres://[::1]:2")]);
        check(
            "postgres://u@localhost/db?host=/run/a,/run/b",
            &[
                ("/run/a", "postgres://u@localhost/db?host=/run/a"),
                ("/run/b", "postgres://u@localhost/db?host=/run/b"),
            ],
        );
        check(
            "postgres://a,b/db?port=1%2C2",
            &[("a:1", "postgres://a/db?port=1"), ("b:2", "postgres://b/db?port=2")],
        );
    }

    #[test]
    fn a_url_for_a_standby_is_refused() {
        for (url, said) in [
            ("postgres://a,b/db?target_session_attrs=any", "needs read-write"),
            ("postgres://a,b/db?target_session_attrs=standby", "needs read-write"),
            ("postgres://a,b,c/db?port=1,2", "different numbers"),
        ] {
            let error = split(url).unwrap_err();
            assert!(error.contains(said), "{url}: {error}");
        }
    }
}
