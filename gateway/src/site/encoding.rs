//! Selects a stored encoding for a client (RFC 9110, section 12.5.3).

use axum::http::{HeaderMap, header};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Brotli,
    Gzip,
    Identity,
}

impl Encoding {
    /// As in `Content-Encoding`; the identity has no name there.
    pub(super) fn token(self) -> Option<&'static str> {
        match self {
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
            Self::Identity => None,
        }
    }
}

/// The best of the available encodings. The identity is always available, and is also sent to a client that
/// refuses everything, because a readable answer is more useful than an error.
pub(super) fn choose(headers: &HeaderMap, brotli: bool, gzip: bool) -> Encoding {
    let wishes = Wishes::read(headers);
    let available = [
        (Encoding::Brotli, brotli, wishes.of("br")),
        (Encoding::Gzip, gzip, wishes.of("gzip").max(wishes.of("x-gzip"))),
        (Encoding::Identity, true, wishes.of("identity")),
    ];
    let mut best = (Encoding::Identity, 0);
    for (encoding, available, quality) in available {
        if available && quality > best.1 {
            best = (encoding, quality);
        }
    }
    best.0
}

/// Encoding names and their weights in thousandths.
struct Wishes(Vec<(String, u16)>);

impl Wishes {
    fn read(headers: &HeaderMap) -> Self {
        let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
        Self(lines.flat_map(|line| line.split(',')).filter_map(wish).collect())
    }

    fn of(&self, name: &str) -> u16 {
        let named =
            |wanted: &str| self.0.iter().find(|(name, _)| name == wanted).map(|(_, quality)| *quality);
        named(name).or_else(|| named("*")).unwrap_or(u16::from(name == "identity"))
    }
}

fn wish(text: &str) -> Option<(String, u16)> {
    let mut parts = text.split(';').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty())?.to_ascii_lowercase();
    let quality = match parts.next() {
        Some(weight) => thousandths(weight)?,
        None => 1000,
    };
    Some((name, quality))
}

/// Parses `q=0.8` as 800; `None` if it is not a weight.
fn thousandths(weight: &str) -> Option<u16> {
    let (name, value) = weight.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let (whole, fraction) = value.trim().split_once('.').unwrap_or((value.trim(), ""));
    let digits = fraction.len() <= 3 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let fraction: u16 = if digits { format!("{fraction:0<3}").parse().ok()? } else { return None };
    match (whole, fraction) {
        ("0", fraction) => Some(fraction),
        ("1", 0) => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(accept: &[&str], expected: Encoding) {
        let mut headers = HeaderMap::new();
        for line in accept {
            headers.append(header::ACCEPT_ENCODING, line.parse().expect("a header value"));
        }
        assert_eq!(choose(&headers, true, true), expected, "{accept:?}");
    }

    #[test]
    fn the_best_stored_encoding_is_selected() {
        use Encoding::{Brotli, Gzip, Identity};
        check(&[], Identity);
        check(&[""], Identity);
        check(&["gzip, deflate, br, zstd"], Brotli);
        check(&["gzip, deflate"], Gzip);
        check(&["gzip", "br"], Brotli);
        check(&["x-gzip"], Gzip);
        check(&["BR"], Brotli);
        check(&["br;q=0.5, gzip;q=0.8"], Gzip);
        check(&["br;q=0.8, gzip;q=0.8"], Brotli);
        check(&["br ; q=0.001 , gzip;q=0"], Brotli);
        check(&["br;q=0, gzip;Q=1.000"], Gzip);
        check(&["*"], Brotli);
        check(&["*;q=0.5, br;q=0"], Gzip);
        check(&["*;q=0"], Identity);
        check(&["identity;q=0"], Identity);
        check(&["identity;q=1, br;q=0.5"], Identity);
        check(&["identity;q=0.5, gzip"], Gzip);
        check(&["deflate, zstd"], Identity);
    }

    #[test]
    fn an_invalid_weight_is_ignored() {
        for weight in ["q=", "q=2", "q=1.001", "q=0.0001", "q=-1", "q=.5", "q=nan", "v=1", "q"] {
            check(&[&format!("br;{weight}")], Encoding::Identity);
        }
    }

    #[test]
    fn only_stored_encodings_are_selected() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, "br, gzip".parse().expect("a header value"));
        assert_eq!(choose(&headers, false, true), Encoding::Gzip);
        assert_eq!(choose(&headers, true, false), Encoding::Brotli);
        assert_eq!(choose(&headers, false, false), Encoding::Identity);
    }
}
