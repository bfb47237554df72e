//! Signatures by Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// The prefix of secrets, before the key in base64.
pub const SECRET_PREFIX: &str = "whsec_";

/// Creates a secret from 32 random bytes.
pub fn new_secret(random: [u8; 32]) -> String {
    format!("{SECRET_PREFIX}{}", STANDARD.encode(random))
}

/// The value of `webhook-signature`: one signature per secret, separated by spaces.
///
/// There are several secrets during a rotation. Timestamps are UNIX seconds.
pub fn header<'a>(
    secrets: impl IntoIterator<Item = &'a str>,
    id: &str,
    timestamp: u64,
    body: &str,
) -> String {
    let signatures: Vec<String> =
        secrets.into_iter().map(|secret| sign(secret, id, timestamp, body)).collect();
    signatures.join(" ")
}

/// The value of `BTCPay-Sig`, by which shops know a delivery.
pub fn btcpay(secret: &str, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes keys of any length");
    mac.update(body.as_bytes());
    format!("sha256={}", hex::encode(mac.finalize().into_bytes()))
}

/// Whether the value of `webhook-signature` contains a signature with this secret.
pub fn verify(secret: &str, id: &str, timestamp: u64, body: &str, header: &str) -> bool {
    header.split(' ').filter_map(|signature| signature.strip_prefix("v1,")).any(|signature| {
        let signature = STANDARD.decode(signature);
        signature.is_ok_and(|bytes| mac(secret, id, timestamp, body).verify_slice(&bytes).is_ok())
    })
}

fn sign(secret: &str, id: &str, timestamp: u64, body: &str) -> String {
    format!("v1,{}", STANDARD.encode(mac(secret, id, timestamp, body).finalize().into_bytes()))
}

fn mac(secret: &str, id: &str, timestamp: u64, body: &str) -> Hmac<Sha256> {
    let encoded = secret.strip_prefix(SECRET_PREFIX).unwrap_or(secret);
    // A secret that is not base64 was not created by the gateway; its bytes are used as the key.
    let key = STANDARD.decode(encoded).unwrap_or_else(|_| encoded.as_bytes().to_vec());
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("HMAC takes keys of any length");
    for part in [id, ".", &timestamp.to_string(), ".", body] {
        mac.update(part.as_bytes());
    }
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    const TIME: u64 = 1_614_265_330;
    const BODY: &str = r#"{"test": 2432232314}"#;

    /// The test vector of the Standard Webhooks libraries.
    #[test]
    fn the_published_vector() {
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(header([SECRET], ID, TIME, BODY), expected);
        let check = |header: &str, time, expected| {
            assert_eq!(verify(SECRET, ID, time, BODY, header), expected, "{header}");
        };
        check(expected, TIME, true);
        check(&format!("v1,AAAA v2,x {expected}"), TIME, true);
        check(expected, TIME + 1, false);
        for other in ["", "v1,", "v1,%%%", &expected[3..], &expected.replace("v1", "v2")] {
            check(other, TIME, false);
        }
    }

    /// RFC 4231, test case 2.
    #[test]
    fn the_signature_for_shops() {
        let expected = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(btcpay("Jefe", "what do ya want for nothing?"), expected);
    }

    #[test]
    fn the_signature_depends_on_each_part_and_secret() {
        let one = header([SECRET], ID, TIME, BODY);
        for other in [
            header([SECRET], "msg_other", TIME, BODY),
            header([SECRET], ID, TIME + 1, BODY),
            header([SECRET], ID, TIME, "{}"),
            header([new_secret([1; 32]).as_str()], ID, TIME, BODY),
        ] {
            assert_ne!(one, other);
        }
        let new = new_secret([1; 32]);
        let both = header([new.as_str(), SECRET], ID, TIME, BODY);
        assert_eq!(both, format!("{} {one}", header([new.as_str()], ID, TIME, BODY)));
    }
}
