//! The table `[mail]` of the configuration file: the server that takes mails, the sender, and who gets notices.

use std::path::PathBuf;
use std::sync::Arc;

use checkout_gateway::adapters::smtp_mailer::{SmtpMailer, SmtpServer};
use checkout_gateway::service::mail::Mail;
use checkout_gateway::texts::mail_address;
use serde::Deserialize;

/// The password of the mail server, if there is no `password_file`.
const PASSWORD: &str = "CHECKOUT_SMTP_PASSWORD";

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct MailFile {
    /// `smtps://USER@HOST[:PORT]`, or `smtp://USER@HOST[:PORT]?tls=required` for STARTTLS. Without it there are no mails.
    pub(crate) smtp: Option<String>,
    /// File with the password of USER. Default: `CHECKOUT_SMTP_PASSWORD`.
    pub(crate) password_file: Option<PathBuf>,
    /// File with the certificates, in PEM, of the authorities that are trusted. Default: those that browsers trust.
    pub(crate) authorities: Option<PathBuf>,
    /// Sender, such as `Kettle & Co <shop@kettle.example>`.
    pub(crate) from: Option<String>,
    /// Operators who are told what waits for a person.
    pub(crate) notices_to: Vec<String>,
}

impl MailFile {
    /// Errors are messages for users.
    pub(crate) fn settings(&self) -> Result<Option<Mail>, String> {
        let Some(smtp) = &self.smtp else {
            return if self.from.is_some() || !self.notices_to.is_empty() {
                Err("[mail] needs smtp (--smtp), such as \"smtps://user@mail.example\".".to_owned())
            } else {
                Ok(None)
            };
        };
        let server = SmtpServer::read(smtp).map_err(|error| format!("[mail] smtp (--smtp) {error}."))?;
        let from = self
            .from
            .as_deref()
            .ok_or("[mail] needs from (--mail-from), such as \"Kettle & Co <shop@kettle.example>\".")?;
        let read = |name: &str, path: &PathBuf| {
            std::fs::read(path).map_err(|error| format!("[mail] {name} {}: {error}.", path.display()))
        };
        let password = match &self.password_file {
            Some(path) => {
                let text = String::from_utf8(read("password_file", path)?);
                let text = text.map_err(|_| "[mail] password_file is not UTF-8.".to_owned())?;
                Some(text.trim_end_matches(['\r', '\n']).to_owned())
            }
            None => std::env::var(PASSWORD).ok(),
        };
        let authorities = self.authorities.as_ref().map(|path| read("authorities", path)).transpose()?;
        let notices_to = self.notices_to.iter().map(|address| {
            mail_address::read(address)
                .ok_or_else(|| format!("[mail] notices_to (--notices-to) {address} is no e-mail address."))
        });
        let notices_to = notices_to.collect::<Result<_, String>>()?;
        let mailer = SmtpMailer::new(&server, password, from, authorities.as_deref());
        let mailer = mailer
            .map_err(|error| format!("[mail] {error}. The password is in password_file or {PASSWORD}."))?;
        Ok(Some(Mail { mailer: Arc::new(mailer), notices_to, desk_url: None }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_mail_unless_it_is_asked_for() {
        const LOCAL: &str = "smtp = \"smtp://127.0.0.1:2525\"\n";
        const FROM: &str = "from = \"Kettle & Co <shop@kettle.example>\"\n";
        let check = |text: &str, expected: Result<bool, &str>| {
            let read = toml::from_str::<MailFile>(text).unwrap().settings();
            match (read.map(|mail| mail.is_some()), expected) {
                (Err(error), Err(expected)) => assert!(error.contains(expected), "{text}: {error}"),
                (read, expected) => assert_eq!(read, expected.map_err(str::to_owned), "{text}"),
            }
        };
        check("", Ok(false));
        check(&format!("{LOCAL}{FROM}"), Ok(true));
        check(&format!("{LOCAL}{FROM}notices_to = [\"ada@kettle.example\"]"), Ok(true));
        check("notices_to = [\"ada@kettle.example\"]", Err("needs smtp"));
        check(FROM, Err("needs smtp"));
        check(LOCAL, Err("needs from"));
        check(&format!("{LOCAL}from = \"shop\""), Err("no sender"));
        check(&format!("{LOCAL}{FROM}notices_to = [\"ada\"]"), Err("ada is no e-mail address"));
        check(&format!("smtp = \"smtp://mail.example\"\n{FROM}"), Err("must have TLS"));
        check(&format!("smtp = \"smtps://me:secret@mail.example\"\n{FROM}"), Err("must not have a password"));
        check(&format!("smtp = \"smtps://me@mail.example\"\n{FROM}"), Err("password of me is not set"));
        check(
            &format!("smtp = \"smtps://me@mail.example\"\n{FROM}password_file = \"/nowhere/password\""),
            Err("[mail] password_file /nowhere/password"),
        );
        check(&format!("{LOCAL}{FROM}authorities = \"/nowhere/ca.pem\""), Err("[mail] authorities"));
    }
}
