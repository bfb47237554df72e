//! A server that says its lines one after another, whatever it hears.

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use uuid::Uuid;

use super::*;

/// What a server says first, and to EHLO, MAIL, RCPT, DATA and the mail; nothing more once they are over.
const TAKEN: [&str; 6] = ["220 shop", "250 shop", "250 ok", "250 ok", "354 go on", "250 taken"];

/// Sends a mail to a server with these answers; returns what the server heard and what became of the mail.
async fn sent(answers: &[&'static str], letter: &Letter) -> (String, Result<(), NotTaken>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = SmtpServer::read(&format!("smtp://{}", listener.local_addr().unwrap())).unwrap();
    let mailer = SmtpMailer::new(&server, None, "Kettle & Co <shop@kettle.example>", None).unwrap();
    let mailer = SmtpMailer { time_limit: Duration::from_millis(500), ..mailer };
    let answers = answers.to_vec();
    let heard = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut stream = BufReader::new(stream);
        let mut heard = String::new();
        for (place, answer) in answers.into_iter().enumerate() {
            if place == 0 {
                // It greets.
            } else if heard.lines().last() == Some("DATA") {
                while !heard.ends_with("\r\n.\r\n") && stream.read_line(&mut heard).await.unwrap() > 0 {}
            } else {
                stream.read_line(&mut heard).await.unwrap();
            }
            if answer.is_empty() {
                // It is silent, and the connection stays.
                let _ = stream.read_to_string(&mut heard).await;
                break;
            }
            stream.write_all(format!("{answer}\r\n").as_bytes()).await.unwrap();
        }
        heard
    });
    let result = mailer.send(letter).await;
    (heard.await.unwrap(), result)
}

fn letter() -> Letter {
    Letter {
        id: Uuid::from_u128(7),
        to: "anna@shop.example".to_owned(),
        subject: "Receipt".to_owned(),
        text: "Paid".to_owned(),
        html: "<p>Paid</p>".to_owned(),
    }
}

#[tokio::test]
async fn a_mail_is_taken() {
    let (heard, result) = sent(&TAKEN, &letter()).await;
    assert_eq!(result, Ok(()));
    for line in [
        "EHLO kettle.example",
        "MAIL FROM:<shop@kettle.example>",
        "RCPT TO:<anna@shop.example>",
        "From: =?utf-8?b?S2V0dGxlICYgQ28=?= <shop@kettle.example>",
        "To: anna@shop.example",
        "Message-ID: <00000000-0000-0000-0000-000000000007@kettle.example>",
        "Auto-Submitted: auto-generated",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Type: text/html; charset=utf-8",
    ] {
        assert!(heard.lines().any(|said| said == line), "{line} in\n{heard}");
    }
}

#[tokio::test]
async fn no_text_adds_a_header_or_an_end() {
    let text = "a\r\nBcc: eva@shop.example\r\n.\r\nMAIL FROM:<eva@shop.example>";
    let letter = Letter { subject: text.to_owned(), text: text.to_owned(), ..letter() };
    let (heard, result) = sent(&TAKEN, &letter).await;
    assert_eq!(result, Ok(()));
    let (headers, body) = heard.split_once("\r\n\r\n").unwrap();
    assert!(!headers.lines().any(|line| line.starts_with("Bcc")), "{headers}");
    assert!(body.contains("\r\n..\r\n"), "{body}");
    let other = Letter { to: "a@b.example\r\nBcc: eva@shop.example".to_owned(), ..letter };
    let mailer = SmtpMailer::new(&SmtpServer::read("smtp://127.0.0.1:9").unwrap(), None, "a@b.example", None);
    assert!(mailer.unwrap().send(&other).await.unwrap_err().is_final);
}

#[tokio::test]
async fn what_follows_of_each_answer() {
    let check = async |place: usize, answer: &'static str, is_final: bool, words: &str| {
        let mut answers = TAKEN[..place].to_vec();
        answers.push(answer);
        let (_, result) = sent(&answers, &letter()).await;
        let error = result.expect_err(answer);
        assert_eq!(error.is_final, is_final, "{answer}");
        assert!(error.words.contains(words), "{answer}: {}", error.words);
    };
    check(0, "421 too many", false, "too many").await;
    check(0, "554 5.7.1 your address is listed", false, "listed").await;
    check(1, "550 who are you", false, "who are you").await;
    check(2, "530 5.7.0 sign in", false, "sign in").await;
    check(2, "553 not your address", false, "not your address").await;
    check(2, "552 5.3.4 too big", false, "too big").await;
    check(3, "450 try later", false, "try later").await;
    check(3, "550 no such user", false, "no such user").await;
    check(3, "550 relay not permitted", false, "relay").await;
    check(3, "550 5.1.1 no such user", true, "no such user").await;
    check(3, "553 5.1.3 that is no address", true, "no address").await;
    check(3, "550 5.1.8 your domain is unknown", false, "unknown").await;
    check(3, "550 5.4.5 quota of today", false, "quota").await;
    check(3, "552 the mailbox is full", false, "full").await;
    check(3, "554 5.7.1 blocked by a list", false, "list").await;
    check(3, "530 sign in", false, "sign in").await;
    check(4, "451 not now", false, "not now").await;
    check(5, "452 full", false, "full").await;
    check(5, "554 spam", true, "spam").await;
    check(5, "552 too big", true, "too big").await;
    check(5, "552 5.3.4 too big", true, "too big").await;
    check(5, "550 5.4.5 quota of today", false, "quota").await;
    check(5, "", false, "no answer in time").await;
    check(3, "hello", false, "").await;
}

/// The mail was taken, whatever follows.
#[tokio::test]
async fn a_server_that_does_not_say_goodbye_has_the_mail() {
    for goodbye in ["", "421 gone", "hello"] {
        let answers = [&TAKEN[..], &[goodbye]].concat();
        assert_eq!(sent(&answers, &letter()).await.1, Ok(()), "{goodbye}");
    }
}

#[tokio::test]
async fn a_server_that_is_gone_is_asked_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = SmtpServer::read(&format!("smtp://{}", listener.local_addr().unwrap())).unwrap();
    drop(listener);
    let mailer = SmtpMailer::new(&server, None, "a@b.example", None).unwrap();
    assert!(!mailer.send(&letter()).await.unwrap_err().is_final);
}
