//! Hands mails to an SMTP server (RFC 5321), each over a connection of its own.

use std::error::Error as _;
use std::time::Duration;

use async_trait::async_trait;
use checkout_domain::ports::mail::{Letter, Mailer, NotTaken};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{
    AsyncSmtpConnection, Certificate, CertificateStore, Tls, TlsParameters,
};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, Message};
use tokio::time::timeout;

pub use settings::{Encryption, SmtpServer};

mod settings;

/// Of one mail.
const TIME_LIMIT: Duration = Duration::from_mins(1);

/// Of the server's goodbye.
const GOODBYE: Duration = Duration::from_secs(1);

/// Details that say of the mailbox or of the mail that it is wrong (RFC 3463, RFC 7505). All others can pass: quotas, lists of
/// senders, what a server does not know of ours.
const OF_MAIL: [&str; 9] = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1", "5.2.3", "5.3.4", "5.6.0"];

pub struct SmtpMailer {
    server: SmtpServer,
    tls: Tls,
    hello: ClientId,
    credentials: Option<Credentials>,
    from: Mailbox,
    time_limit: Duration,
}

/// What a server answered.
#[derive(Clone, Copy, Debug)]
enum To {
    Sender,
    Mailbox,
    Mail,
}

impl SmtpMailer {
    /// `authorities`: certificates in PEM that are trusted, in place of those that browsers trust. Errors are messages for users.
    pub fn new(
        server: &SmtpServer,
        password: Option<String>,
        from: &str,
        authorities: Option<&[u8]>,
    ) -> Result<Self, String> {
        let from =
            from.parse::<Mailbox>().map_err(|error| format!("{from} is no sender of mails: {error}"))?;
        let tls = || {
            let parameters = TlsParameters::builder(server.host.clone());
            let parameters = match authorities {
                None => parameters.certificate_store(CertificateStore::WebpkiRoots),
                Some(pem) => parameters
                    .certificate_store(CertificateStore::None)
                    .add_root_certificate(Certificate::from_pem(pem).map_err(|error| error.to_string())?),
            };
            parameters.build_rustls().map_err(|error| error.to_string())
        };
        let tls = match server.encryption {
            Encryption::Tls => Tls::Wrapper(tls()?),
            Encryption::StartTls => Tls::Required(tls()?),
            Encryption::LoopbackOnly => Tls::None,
        };
        let credentials = match (server.user.clone(), password) {
            (Some(user), Some(password)) => Some(Credentials::new(user, password)),
            (None, None) => None,
            (Some(user), None) => return Err(format!("the password of {user} is not set")),
            (None, Some(_)) => return Err("there is a password, but no user in its URL".to_owned()),
        };
        let hello = ClientId::Domain(from.email.domain().to_owned());
        Ok(Self { server: server.clone(), tls, hello, credentials, from, time_limit: TIME_LIMIT })
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Error> {
        let (wrapped, required) = match self.tls.clone() {
            Tls::Wrapper(parameters) => (Some(parameters), None),
            Tls::Required(parameters) => (None, Some(parameters)),
            _ => (None, None),
        };
        let server = (self.server.host.as_str(), self.server.port);
        let limit = Some(TIME_LIMIT);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, limit, &self.hello, wrapped, None).await?;
        if let Some(parameters) = required {
            connection.starttls(parameters, &self.hello).await?;
        }
        if let Some(credentials) = &self.credentials {
            connection.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        Ok(connection)
    }

    /// Returns the connection once the server has the mail.
    async fn deliver(&self, to: Address, message: &[u8]) -> Result<AsyncSmtpConnection, NotTaken> {
        let refused = |of: To| move |error: Error| not_taken(of, &error);
        let mut connection = self.connect().await.map_err(refused(To::Sender))?;
        let from = Some(self.from.email.clone());
        connection.command(Mail::new(from, Vec::new())).await.map_err(refused(To::Sender))?;
        connection.command(Rcpt::new(to, Vec::new())).await.map_err(refused(To::Mailbox))?;
        connection.command(Data).await.map_err(refused(To::Mail))?;
        connection.message(message).await.map_err(refused(To::Mail))?;
        Ok(connection)
    }

    fn message(&self, letter: &Letter, to: Address) -> Result<Vec<u8>, String> {
        let body = MultiPart::alternative_plain_html(letter.text.clone(), letter.html.clone());
        let message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(&letter.subject)
            .message_id(Some(format!("<{}@{}>", letter.id, self.from.email.domain())))
            // No answering machine answers (RFC 3834).
            .raw_header(HeaderValue::new(
                HeaderName::new_from_ascii_str("Auto-Submitted"),
                "auto-generated".to_owned(),
            ))
            .multipart(body);
        message.map(|message| message.formatted()).map_err(|error| error.to_string())
    }
}

/// Only what a server says of the mailbox or the mail is final.
fn not_taken(of: To, error: &Error) -> NotTaken {
    let words = error.source().map_or_else(String::new, ToString::to_string);
    let detail = words.split_whitespace().next().filter(|word| is_detail(word));
    let status = error.status().map_or(0, u16::from);
    let is_final = error.is_permanent()
        && match (of, detail) {
            // Without a detail, 550 to the mailbox can mean the sender: "relay not permitted".
            (To::Sender, _) | (To::Mailbox, None) => false,
            (To::Mailbox | To::Mail, Some(detail)) => OF_MAIL.contains(&detail),
            (To::Mail, None) => [550, 552, 554].contains(&status),
        };
    NotTaken { words: error.to_string(), is_final }
}

/// Three numbers with points, behind the status of an answer.
fn is_detail(word: &str) -> bool {
    let numbers = word.split('.').filter(|number| number.parse::<u16>().is_ok());
    (numbers.count(), word.matches('.').count()) == (3, 2)
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, letter: &Letter) -> Result<(), NotTaken> {
        let never = |words: String| NotTaken { words, is_final: true };
        let to = letter.to.parse::<Address>().map_err(|error| never(format!("not an address: {error}")))?;
        let message = self.message(letter, to.clone()).map_err(never)?;
        match timeout(self.time_limit, self.deliver(to, &message)).await {
            Ok(Ok(mut connection)) => {
                // The mail is taken, whether or not the server says goodbye.
                let _ = timeout(GOODBYE, connection.quit()).await;
                Ok(())
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Err(NotTaken { words: "no answer in time".to_owned(), is_final: false }),
        }
    }
}

#[cfg(test)]
mod tests;
