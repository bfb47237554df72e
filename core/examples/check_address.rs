//! Checks an address before money is sent to it: `cargo run -p checkout-core --example check_address -- BTC BTC ADDRESS [TAG]`.
#![expect(clippy::print_stdout, reason = "the sentence on standard output is what the example is for")]

use std::process::ExitCode;

use crypto_checkout_core::validate;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (address, tag) = match arguments.as_slice() {
        [currency, network, address] => ([currency, network, address], None),
        [currency, network, address, tag] => ([currency, network, address], Some(tag.as_str())),
        _ => {
            eprintln!("usage: check_address CURRENCY NETWORK ADDRESS [TAG]");
            return ExitCode::from(2);
        }
    };
    let (valid, sentence) = check(address, tag);
    println!("{sentence}");
    if valid { ExitCode::SUCCESS } else { ExitCode::FAILURE }
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
    use super::check;

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
