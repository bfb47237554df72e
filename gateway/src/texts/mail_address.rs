//! The address of a mailbox, as a payer types it.

use lettre::Address;

/// The longest address of RFC 5321, in bytes.
const LONGEST: usize = 254;

/// Returns the address with its domain in small letters; `None` if it is none, or has others than the visible characters of ASCII:
/// no header takes a line break, and not every server takes Unicode.
pub fn read(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() > LONGEST || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    let address: Address = text.parse().ok()?;
    let domain = address.domain().to_ascii_lowercase();
    let is_host = domain.contains('.') || domain == "localhost";
    is_host.then(|| format!("{}@{domain}", address.user()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let check =
            |text: &str, expected: Option<&str>| assert_eq!(read(text).as_deref(), expected, "{text:?}");
        check("anna@shop.example", Some("anna@shop.example"));
        check(" Anna.B+tea@Shop.Example\n", Some("Anna.B+tea@shop.example"));
        check("anna@xn--mnchen-3ya.example", Some("anna@xn--mnchen-3ya.example"));
        check("anna@localhost", Some("anna@localhost"));
        for wrong in [
            "",
            "anna",
            "anna@",
            "@shop.example",
            "anna@shop",
            "anna@@shop.example",
            "anna @shop.example",
            "anna@shop.example, eva@shop.example",
            "Anna <anna@shop.example>",
            "<anna@shop.example>",
            "anna@shop.example\r\nBcc: eva@shop.example",
            "anna@shop.example%0d%0aBcc:eva@shop.example",
            "anna\0@shop.example",
            "anna\u{202e}@shop.example",
            "ännä@shop.example",
            "anna@shop..example",
        ] {
            check(wrong, None);
        }
        check(&format!("anna@{}.example", "a.".repeat(130)), None);
    }
}
