//! Hands mails to an SMTP server (RFC 5321), each over a connection of its own.

use std::time::Duration;

use async_trait::async_trait;
use checkout_domain::ports::mail::{Letter, Mailer, NotTaken};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, CertificateStore, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use tokio::time::timeout;

pub use settings::{Encryption, SmtpServer};

mod settings;

/// Of one mail.
const TIME_LIMIT: Duration = Duration::from_mins(1);

/// Answers that say something of the sender's account, not of the mail: another attempt may be answered otherwise (RFC 4954).
const OF_ACCOUNT: [u16; 4] = [530, 534, 535, 538];

pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    time_limit: Duration,
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
        let transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&server.host)
            .port(server.port)
            .hello_name(ClientId::Domain(from.email.domain().to_owned()))
            .timeout(Some(TIME_LIMIT))
            .tls(tls);
        let transport = match (server.user.clone(), password) {
            (Some(user), Some(password)) => transport.credentials(Credentials::new(user, password)),
            (None, None) => transport,
            (Some(user), None) => return Err(format!("the password of {user} is not set")),
            (None, Some(_)) => return Err("there is a password, but no user in its URL".to_owned()),
        };
        Ok(Self { transport: transport.build(), from, time_limit: TIME_LIMIT })
    }

    fn message(&self, letter: &Letter) -> Result<Message, String> {
        let mut message = Message::builder()
            .from(self.from.clone())
            .subject(&letter.subject)
            .message_id(Some(format!("<{}@{}>", letter.id, self.from.email.domain())))
            // No answering machine answers (RFC 3834).
            .raw_header(HeaderValue::new(
                HeaderName::new_from_ascii_str("Auto-Submitted"),
                "auto-generated".to_owned(),
            ));
        for address in &letter.to {
            let address = address.parse::<Address>().map_err(|error| format!("not an address: {error}"))?;
            message = message.to(Mailbox::new(None, address));
        }
        let body = MultiPart::alternative_plain_html(letter.text.clone(), letter.html.clone());
        message.multipart(body).map_err(|error| error.to_string())
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, letter: &Letter) -> Result<(), NotTaken> {
        let message = self.message(letter).map_err(|words| NotTaken { words, is_final: true })?;
        match timeout(self.time_limit, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => {
                let status = error.status().map(u16::from);
                let is_of_account = status.is_some_and(|status| OF_ACCOUNT.contains(&status));
                Err(NotTaken { words: error.to_string(), is_final: error.is_permanent() && !is_of_account })
            }
            Err(_) => Err(NotTaken { words: "no answer in time".to_owned(), is_final: false }),
        }
    }
}

#[cfg(test)]
mod tests;
