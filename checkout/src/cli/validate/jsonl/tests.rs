use std::io::{self, Read};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

use super::{BLOCK, LONGEST_LINE, stream};

/// Returns the answers as JSON, and whether the exit code reports wrong usage.
fn answers(input: impl Read) -> (Vec<Value>, bool) {
    let mut output = Vec::new();
    let code = stream(input, &mut output).unwrap();
    let lines = output.strip_suffix(b"\n").unwrap_or_default().split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty()).map(|line| serde_json::from_slice(line).unwrap());
    (lines.collect(), format!("{code:?}") == format!("{:?}", std::process::ExitCode::from(2)))
}

#[track_caller]
fn check(line: impl AsRef<[u8]>, expected: &str) {
    let (answers, misuse) = answers(line.as_ref());
    let expected: Value = serde_json::from_str(expected).unwrap();
    assert_eq!(answers, [expected], "{}", String::from_utf8_lossy(line.as_ref()));
    assert_eq!(misuse, answers[0]["error"].is_string());
}

#[test]
fn a_question_is_answered() {
    check(
        r#"{"currency":"BTC","network":"BTC","address":"BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"}"#,
        r#"{"valid":true,"supported":true,"kind":"p2wpkh","normalized":"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"}"#,
    );
    check(r#"{"currency":"BTC","network":"ETH","address":"x"}"#, r#"{"valid":false,"supported":false}"#);
    check(
        r#" {"currency":"XRP","network":"XRP","address":"rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY","destinationTag":"7"} "#,
        r#"{"valid":true,"supported":true,"kind":"classic","normalized":"rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY","destinationTag":"7"}"#,
    );
    check(
        r#"{"currency":"XLM","network":"XLM","address":"GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ","destinationTag":"12","memoType":"text"}"#,
        r#"{"valid":true,"supported":true,"kind":"account","normalized":"GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ","destinationTag":"12","memoType":"text"}"#,
    );
    for tag in [r#""tag":"7""#, r#""tag":7"#, r#""destinationTag":7"#] {
        check(
            format!(
                r#"{{"currency":"XRP","network":"XRP","address":"rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY",{tag}}}"#
            ),
            r#"{"valid":true,"supported":true,"kind":"classic","normalized":"rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY","destinationTag":"7"}"#,
        );
    }
    // Escape sequences and null values.
    check(
        r#"{"currency":"B\u0054C","network":"BTC","address":"","destinationTag":null,"memoType":null}"#,
        r#"{"valid":false,"supported":true,"reason":"empty"}"#,
    );
}

#[test]
fn each_invalid_question_has_its_own_error() {
    let error = |text: &str| format!(r#"{{"valid":false,"supported":false,"error":"{text}"}}"#);
    let with = |field: &str| {
        format!(r#"{{"currency":"BTC","network":"BTC","address":"x","destinationTag":"1",{field}}}"#)
    };
    check("nonsense", &error("not JSON: expected ident at column 2"));
    check(r#"{"currency":"BTC""#, &error("not JSON: EOF while parsing an object at column 17"));
    check(b"{\"currency\":\"\xff\"}", &error("not JSON: invalid unicode code point at column 14"));
    check("[\"BTC\",\"BTC\",\"x\"]", &error("not a JSON object"));
    check("\"BTC\"", &error("not a JSON object"));
    check("12", &error("not a JSON object"));
    check("{}", &error("currency is required"));
    check(r#"{"currency":"BTC","network":"BTC"}"#, &error("address is required"));
    check(r#"{"currency":"BTC","network":null,"address":"x"}"#, &error("network is required"));
    for value in ["1", "-1", "1.5", "true", "[]", "{\"a\":1}"] {
        check(
            format!(r#"{{"currency":"BTC","network":"BTC","address":{value}}}"#),
            &error("address must be a string"),
        );
    }
    check(with(r#""memoType":"return""#), &error("memoType must be text, id or hash"));
    check(with(r#""memoType":7"#), &error("memoType must be a string"));
    check(with(r#""tag":"1""#), &error("give either destinationTag or tag"));
    let unknown =
        error("unknown key; valid keys are currency, network, address, destinationTag (or tag) and memoType");
    for key in ["destinationtag", "memo", "Tag", "adress", "unknown"] {
        check(with(&format!(r#""{key}":"7""#)), &unknown);
    }
    check(with(r#""address":"y""#), &error("not JSON: duplicate field `address` at column 78"));
}

/// Errors never quote a secret in the wrong field.
#[test]
fn no_error_repeats_the_line() {
    let secret = "L2kZaexG69VSriMe9T2m1jkS86iPe3xNbjcdfakRC1PHe7ay78Ji";
    for line in [
        secret.to_owned(),
        format!("\"{secret}\""),
        format!("{{\"{secret}\":1}}"),
        format!("{{\"currency\":\"{secret}\",\"network\":\"BTC\",\"address\":\"x\"}}"),
        format!(
            "{{\"currency\":\"XLM\",\"network\":\"XLM\",\"address\":\"{secret}\",\"memoType\":\"{secret}\"}}"
        ),
        format!(
            "{{\"currency\":\"BTC\",\"network\":\"BTC\",\"address\":\"{secret}\",\"destinationTag\":\"{secret}\"}}"
        ),
    ] {
        let mut output = Vec::new();
        stream(line.as_bytes(), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        assert_eq!(output.lines().count(), 1, "{line}");
        assert!(!output.contains(secret), "{output}");
    }
}

#[test]
fn answers_and_blank_lines_keep_their_order() {
    let question = r#"{"currency":"BTC","network":"BTC","address":"x"}"#;
    for input in [
        format!("{question}\n\n{question}\n  \r\n{question}\n"),
        format!("\n\n{question}"),
        format!("{question}\n\n"),
        "\n".to_owned(),
        String::new(),
    ] {
        let mut output = Vec::new();
        stream(input.as_bytes(), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        let blank = |text: &str| text.lines().map(|line| line.trim().is_empty()).collect::<Vec<_>>();
        assert_eq!(blank(&output), blank(&input), "{input:?}");
    }
}

#[test]
fn a_bad_line_does_not_stop_the_rest() {
    let input = concat!(
        r#"{"currency":"BTC","network":"BTC","address":"1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"}"#,
        "\n\n  \r\n",
        "nonsense\n",
        r#"{"currency":"BTC","network":"BTC"}"#,
        "\r\n",
        r#"{"currency":"BTC","network":"ETH","address":"x"}"#,
    );
    let (answers, misuse) = answers(input.as_bytes());
    assert!(misuse);
    assert_eq!(answers.len(), 4, "blank lines have no answer");
    assert_eq!(answers[0]["valid"], true);
    assert!(answers[1]["error"].is_string());
    assert_eq!(answers[2]["error"], "address is required");
    assert_eq!(answers[3]["supported"], false);
}

/// Returns at most this many bytes per read.
struct Drops<'a>(&'a [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.1.min(self.0.len()).min(buffer.len());
        buffer[..length].copy_from_slice(&self.0[..length]);
        self.0 = &self.0[length..];
        Ok(length)
    }
}

const XRP: &str =
    r#"{"currency":"XRP","network":"XRP","address":"rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY","destinationTag":""#;

/// Lines with distinct tags, some of which are not valid questions.
fn numbered(count: usize) -> (String, Vec<Option<String>>) {
    let mut input = String::new();
    let mut expected = Vec::new();
    for number in 0..count {
        let tag = (number % 7 != 3).then(|| number.to_string());
        match &tag {
            Some(tag) => input.extend([XRP, tag, "\"}\n"]),
            None => input.push_str("{\n"),
        }
        expected.push(tag);
    }
    (input, expected)
}

#[test]
fn the_order_is_kept_for_any_read_size() {
    let (input, expected) = numbered(30_000);
    assert!(input.len() > 20 * BLOCK, "many blocks are in progress at once");
    for size in [usize::MAX, BLOCK - 1, 1_000] {
        let (answers, _) = answers(Drops(input.as_bytes(), size));
        let tags = answers.iter().map(|answer| answer["destinationTag"].as_str().map(str::to_owned));
        assert_eq!(tags.collect::<Vec<_>>(), expected, "{size} bytes at a time");
    }
    let (input, expected) = numbered(50);
    assert_eq!(answers(Drops(input.as_bytes(), 1)).0.len(), expected.len());
}

struct Lines(mpsc::Receiver<&'static [u8]>);

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let line = self.0.recv().unwrap_or_default();
        buffer[..line.len()].copy_from_slice(line);
        Ok(line.len())
    }
}

struct Answers(mpsc::Sender<Vec<u8>>);

impl io::Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_owned()).unwrap();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_answer_comes_before_the_next_question() {
    let (ask, questions) = mpsc::channel();
    let (answer, answers) = mpsc::channel();
    let stream = std::thread::spawn(move || stream(Lines(questions), Answers(answer)));
    for _ in 0..100 {
        ask.send(b"{\"currency\":\"BTC\",\"network\":\"BTC\",\"address\":\"x\"}\n").unwrap();
        let line =
            answers.recv_timeout(Duration::from_secs(30)).expect("no answer while the next question waits");
        assert!(line.ends_with(b"}\n"));
    }
    drop(ask);
    stream.join().unwrap().unwrap();
}

#[test]
fn a_line_over_the_limit_is_refused_and_skipped() {
    let question = "{\"currency\":\"BTC\",\"network\":\"BTC\",\"address\":\"x\"}";
    for length in [LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, LONGEST_LINE + BLOCK, 5 * LONGEST_LINE] {
        for end in ["\n", ""] {
            let long = format!("{question}{}{end}", " ".repeat(length - question.len()));
            for input in [long.clone(), format!("{question}\n{long}\n{question}\n")] {
                let (answers, misuse) = answers(input.as_bytes());
                assert_eq!(answers.len(), if input.len() > long.len() { 3 } else { 1 }, "{length}");
                let errors: Vec<bool> = answers.iter().map(|answer| answer["error"].is_string()).collect();
                let refused = length > LONGEST_LINE;
                assert_eq!(errors.iter().filter(|error| **error).count(), usize::from(refused), "{length}");
                assert_eq!(misuse, refused);
                assert_eq!(errors[errors.len() / 2], refused, "the long line's answer is at its position");
            }
        }
    }
}

/// A writer that fails with this error.
struct Shut(io::ErrorKind);

impl io::Write for Shut {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let (input, _) = numbered(20_000);
    assert!(stream(input.as_bytes(), Shut(io::ErrorKind::BrokenPipe)).is_ok());
    let full = stream(input.as_bytes(), Shut(io::ErrorKind::StorageFull));
    assert!(full.unwrap_err().starts_with("Standard output cannot be written"));
}
