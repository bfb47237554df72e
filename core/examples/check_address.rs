//! Checks an address before money is sent to it: `cargo run --example check_address -- BTC BTC ADDRESS [TAG]`.
#![expect(clippy::print_stdout, reason = "the sentence on standard output is what the example is for")]

use std::ffi::OsString;
use std::process::ExitCode;

use crypto_checkout_core::validate;

fn main() -> ExitCode {
    let Some((address, tag)) = read(std::env::args_os().skip(1)) else {
        eprintln!("usage: check_address CURRENCY NETWORK ADDRESS [TAG]");
        return ExitCode::from(2);
    };
    let (valid, sentence) = check(address.each_ref(), tag.as_deref());
    println!("{sentence}");
    if valid { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The three texts and the tag; `None` if there are other arguments, or one is no text.
fn read(arguments: impl Iterator<Item = OsString>) -> Option<([String; 3], Option<String>)> {
    let mut texts = arguments.map(OsString::into_string).collect::<Result<Vec<_>, _>>().ok()?;
    let tag = if texts.len() == 4 { texts.pop() } else { None };
    Some((texts.try_into().ok()?, tag))
}

/// Whether money may be sent there, and a sentence for the person who typed it.
fn check([currency, network, address]: [&String; 3], tag: Option<&str>) -> (bool, String) {
    let verdict = validate(currency, network, address, tag);
    if !verdict.supported {
        return (false, format!("{currency} cannot be sent on {network}."));
    }
    let tag = verdict.destination_tag.map(|tag| format!(", tag {tag}")).unwrap_or_default();
    if verdict.valid {
        let normalized = verdict.normalized.unwrap_or_else(|| address.clone());
        return (true, format!("Send to {normalized}{tag}."));
    }
    let reason = verdict.reason.map(|reason| reason.to_string()).unwrap_or_default();
    let hint =
        verdict.suggestion.map(|suggestion| format!(" Did you mean {suggestion}{tag}?")).unwrap_or_default();
    (false, format!("Do not send: {reason}.{hint}"))
}

#[cfg(test)]
mod tests {
    use super::{check, read};

    #[cfg(unix)]
    #[test]
    fn arguments() {
        use std::ffi::OsString;
        use std::os::unix::ffi::OsStringExt as _;

        let expect = |arguments: &[&[u8]], expected: Option<([&str; 3], Option<&str>)>| {
            let given = arguments.iter().map(|text| OsString::from_vec(text.to_vec()));
            let expected = expected.map(|(texts, tag)| (texts.map(str::to_owned), tag.map(str::to_owned)));
            assert_eq!(read(given), expected, "{arguments:?}");
        };
        expect(&[b"BTC", b"BTC", b"1"], Some((["BTC", "BTC", "1"], None)));
        expect(&[b"XRP", b"XRP", b"r", b"7"], Some((["XRP", "XRP", "r"], Some("7"))));
        for wrong in [&[b"BTC", b"BTC"][..], &[b"BTC"; 5], &[b"BTC", b"BTC", b"BT\xff"]] {
            let wrong: Vec<&[u8]> = wrong.iter().map(|text| text.as_slice()).collect();
            expect(&wrong, None);
        }
    }

    #[test]
    fn sentences() {
        let expect = |question: [&str; 3], tag: Option<&str>, expected: (bool, &str)| {
            let question = question.map(str::to_owned);
            let (valid, sentence) = check(question.each_ref(), tag);
            assert_eq!((valid, sentence.as_str()), expected, "{question:?} {tag:?}");
        };
        let bitcoin = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
        expect(["BTC", "BTC", bitcoin], None, (true, "Send to 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2."));
        expect(["BTC", "ETH", bitcoin], None, (false, "BTC cannot be sent on ETH."));
        expect(
            ["BTC", "BTC", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3"],
            None,
            (false, "Do not send: the checksum does not match: there is a typing error."),
        );
        expect(
            ["XRP", "XRP", "XVLhHMPHU98es4dbozjVtdWzVrDjtV8xvjGQTYPiAx6gwDC"],
            None,
            (true, "Send to rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf, tag 1."),
        );
        expect(
            ["XRP", "XRP", "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY"],
            Some("007"),
            (false, "Do not send: the tag has leading zeros. Did you mean 7?"),
        );
        expect(
            ["XRP", "XRP", "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?tag=495"],
            None,
            (
                false,
                "Do not send: this is a payment link or has parameters, not a plain address. Did you mean rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY, tag 495?",
            ),
        );
    }
}
