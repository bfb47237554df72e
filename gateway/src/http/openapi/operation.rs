//! What a route says of itself, written beside its handler.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

/// Makes the schema of a wire type; what it is named by goes into the components.
pub(in crate::http) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// Whose `Authorization: Bearer …` is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Credential {
    Organisation,
    Business,
    Session,
}

/// For back ends.
pub(in crate::http) const MERCHANT: &[Credential] = &[Credential::Business, Credential::Organisation];
/// For payers' browsers, too.
pub(in crate::http) const ANYONE_WITH_A_TOKEN: &[Credential] =
    &[Credential::Business, Credential::Organisation, Credential::Session];

/// The chapters of the document, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Tag {
    Payments,
    Businesses,
    Withdrawals,
    Whitelist,
    Validation,
    Market,
    Checkout,
    Operations,
    Sandbox,
}

pub(in crate::http) enum Content {
    Nothing,
    Json(SchemaOf),
    /// Another media type.
    Text(&'static str),
    /// RFC 9457, with one of these codes.
    Problem(Vec<&'static str>),
}

pub(in crate::http) struct Answer {
    pub(super) status: u16,
    pub(super) about: &'static str,
    pub(super) content: Content,
    /// Name, meaning.
    pub(super) headers: Vec<(&'static str, &'static str)>,
}

pub(in crate::http) struct Parameter {
    pub(super) name: &'static str,
    /// `path`, `query` or `header`.
    pub(super) place: &'static str,
    pub(super) required: bool,
    /// Over what its word in the vocabulary says.
    pub(super) schema: Value,
    pub(super) about: &'static str,
    pub(super) example: Value,
}

/// A value of an answer that is a parameter of another operation.
pub(in crate::http) struct Link {
    pub(super) to: &'static str,
    pub(super) parameter: &'static str,
    pub(super) pointer: &'static str,
}

pub(in crate::http) struct Operation {
    pub(super) id: &'static str,
    pub(super) tag: Tag,
    pub(super) summary: &'static str,
    /// CommonMark.
    pub(super) about: &'static str,
    pub(super) credentials: &'static [Credential],
    pub(super) parameters: Vec<Parameter>,
    pub(super) request: Option<SchemaOf>,
    pub(super) answers: Vec<Answer>,
    pub(super) links: Vec<Link>,
    pub(super) deprecated: bool,
}

impl Operation {
    pub(in crate::http) fn new(
        id: &'static str,
        tag: Tag,
        summary: &'static str,
        about: &'static str,
    ) -> Self {
        Self {
            id,
            tag,
            summary,
            about,
            credentials: &[],
            parameters: Vec::new(),
            request: None,
            answers: Vec::new(),
            links: Vec::new(),
            deprecated: false,
        }
    }

    pub(in crate::http) fn deprecated(mut self) -> Self {
        self.deprecated = true;
        self
    }

    /// A token is needed, of one of these kinds.
    pub(in crate::http) fn needs(mut self, credentials: &'static [Credential]) -> Self {
        self.credentials = credentials;
        self.refuses(401, &["no_token", "bad_token"])
    }

    /// What a JSON body has to be, and how wrong ones are refused.
    pub(in crate::http) fn takes<T: JsonSchema>(mut self) -> Self {
        self.request = Some(SchemaGenerator::subschema_for::<T>);
        self.refuses(400, &["unreadable_body"])
            .refuses(413, &["body_too_large"])
            .refuses(415, &["wrong_media_type"])
            .refuses(422, &["validation_failed"])
    }

    pub(in crate::http) fn path(
        self,
        name: &'static str,
        about: &'static str,
        example: impl Into<Value>,
    ) -> Self {
        self.parameter(name, "path", json!({}), about, example.into())
    }

    /// The same with any text at all.
    pub(in crate::http) fn any_path(
        self,
        name: &'static str,
        about: &'static str,
        example: impl Into<Value>,
    ) -> Self {
        let any = json!({"type": "string", "enum": null, "format": null, "minLength": 1});
        self.parameter(name, "path", any, about, example.into())
    }

    /// `keywords` go over what the vocabulary says of the name; `{}` for nothing.
    pub(in crate::http) fn query(
        self,
        name: &'static str,
        keywords: Value,
        about: &'static str,
        example: impl Into<Value>,
    ) -> Self {
        self.parameter(name, "query", keywords, about, example.into())
    }

    /// The same, and it has to be there.
    pub(in crate::http) fn required_query(
        self,
        name: &'static str,
        keywords: Value,
        about: &'static str,
        example: impl Into<Value>,
    ) -> Self {
        let mut operation = self.parameter(name, "query", keywords, about, example.into());
        if let Some(parameter) = operation.parameters.last_mut() {
            parameter.required = true;
        }
        operation
    }

    pub(in crate::http) fn header(self, name: &'static str, about: &'static str) -> Self {
        self.parameter(name, "header", json!({"type": "string"}), about, Value::Null)
    }

    fn parameter(
        mut self,
        name: &'static str,
        place: &'static str,
        schema: Value,
        about: &'static str,
        example: Value,
    ) -> Self {
        self.parameters.push(Parameter { name, place, required: place == "path", schema, about, example });
        self
    }

    pub(in crate::http) fn answers<T: JsonSchema>(self, status: u16, about: &'static str) -> Self {
        self.answer(status, about, Content::Json(SchemaGenerator::subschema_for::<T>))
    }

    pub(in crate::http) fn answers_text(
        self,
        status: u16,
        about: &'static str,
        media_type: &'static str,
    ) -> Self {
        self.answer(status, about, Content::Text(media_type))
    }

    pub(in crate::http) fn answers_nothing(self, status: u16, about: &'static str) -> Self {
        self.answer(status, about, Content::Nothing)
    }

    fn answer(mut self, status: u16, about: &'static str, content: Content) -> Self {
        self.answers.push(Answer { status, about, content, headers: Vec::new() });
        self
    }

    /// Of the answer that was described last.
    pub(in crate::http) fn with_header(mut self, name: &'static str, about: &'static str) -> Self {
        if let Some(answer) = self.answers.last_mut() {
            answer.headers.push((name, about));
        }
        self
    }

    /// Problems with these codes, beside those that were named for the status before.
    pub(in crate::http) fn refuses(mut self, status: u16, codes: &[&'static str]) -> Self {
        for answer in &mut self.answers {
            if let Content::Problem(known) = &mut answer.content
                && answer.status == status
            {
                known.extend(codes);
                return self;
            }
        }
        self.answer(status, about(status), Content::Problem(codes.to_vec()))
    }

    /// `pointer` in this operation's sound answers is `parameter` of the operation `to`.
    pub(in crate::http) fn leads_to(
        mut self,
        to: &'static str,
        parameter: &'static str,
        pointer: &'static str,
    ) -> Self {
        self.links.push(Link { to, parameter, pointer });
        self
    }
}

/// What a status means everywhere.
fn about(status: u16) -> &'static str {
    match status {
        400 => "The request cannot be read.",
        401 => "There is no token, or it is unknown, revoked or over.",
        403 => "A page of another site asks, or the request is for a host that is not the gateway's.",
        404 => "There is no such thing for this token.",
        409 => "The state of things forbids it. Nothing was changed.",
        413 => "The body is longer than 64 KiB.",
        414 => "Path and query are longer than 8 KiB.",
        415 => "The body is not JSON by its `Content-Type`.",
        422 => "The request breaks a rule; `errors` has every fault at once. Nothing was changed.",
        429 => "Too many requests; `Retry-After` says how many seconds to wait.",
        500 => "A fault of the gateway. Quote the request id.",
        503 => {
            "What the request needs is not available at the moment. Try again after `Retry-After` seconds."
        }
        _ => "Refused.",
    }
}

impl Credential {
    /// The name of the security scheme, and what it is.
    pub(super) fn scheme(self) -> (&'static str, &'static str) {
        match self {
            Self::Organisation => (
                "organisationKey",
                "`org_…`: for every business of the gateway. Requests name the one they mean in `businessId`.",
            ),
            Self::Business => {
                ("businessToken", "`biz_…`: for one business; with it, `businessId` is optional.")
            }
            Self::Session => (
                "sessionToken",
                "From `paymentUrl`: for a payer's browser; reads and chooses for its own payment only, and ends \
                 a day after the payment can no longer change.",
            ),
        }
    }

    pub(super) const ALL: [Self; 3] = [Self::Business, Self::Organisation, Self::Session];
}

impl Tag {
    pub(super) const ALL: [Self; 9] = [
        Self::Payments,
        Self::Businesses,
        Self::Withdrawals,
        Self::Whitelist,
        Self::Validation,
        Self::Market,
        Self::Checkout,
        Self::Operations,
        Self::Sandbox,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Payments => "Payments",
            Self::Businesses => "Businesses",
            Self::Withdrawals => "Withdrawals",
            Self::Whitelist => "Whitelist",
            Self::Validation => "Address validation",
            Self::Market => "Currencies, rates and fees",
            Self::Checkout => "Hosted checkout",
            Self::Operations => "Operations",
            Self::Sandbox => "Sandbox",
        }
    }

    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Payments => "From a price to money that is confirmed on a chain.",
            Self::Businesses => "The settings under which a merchant is paid.",
            Self::Withdrawals => "Money out of a balance; the outcome comes with a callback.",
            Self::Whitelist => "Addresses that a merchant keeps for withdrawals.",
            Self::Validation => "Whether money can be sent to an address. Public.",
            Self::Market => "What can be paid and withdrawn, at what price. Public.",
            Self::Checkout => "What the hosted page is made of.",
            Self::Operations => "For supervisors and developers.",
            Self::Sandbox => {
                "Moves the simulated world: only in a gateway that was started with `--sandbox`. No credentials."
            }
        }
    }
}
