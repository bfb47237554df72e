//! The description of a route beyond its handler's types.

use aide::generate::GenContext;
use aide::openapi::{
    self, Header, HeaderStyle, Link, LinkOperation, MediaType, ParameterSchemaOrContent, ReferenceOr,
    RequestBody, Response, SchemaObject, StatusCode,
};
use aide::operation::{ParamLocation, add_parameters, parameters_from_schema};
use aide::transform::TransformOperation;
use checkout_domain::access::scope::Scope;
use schemars::{JsonSchema, Schema, json_schema};

use super::status;

/// The extension with the scopes, one of which the token needs.
pub(super) const SCOPES: &str = "x-scopes";

pub trait Describe: Sized {
    /// A header parameter for each field of `T`.
    #[must_use]
    fn takes_headers<T: JsonSchema>(self) -> Self;
    #[must_use]
    fn answers<T: JsonSchema>(self, status: u16, description: &str) -> Self;
    /// Another media type than JSON.
    #[must_use]
    fn answers_text(self, status: u16, description: &str, media_type: &str) -> Self;
    #[must_use]
    fn answers_nothing(self, status: u16, description: &str) -> Self;
    /// A header of the answer with this status.
    #[must_use]
    fn answers_header(self, status: u16, name: &str, description: &str) -> Self;
    /// A problem with one of these codes, in addition to those already named for the status.
    #[must_use]
    fn refuses(self, status: u16, codes: &[&str]) -> Self;
    #[must_use]
    fn deprecated_operation(self) -> Self;
    /// A link: `pointer` in successful answers is the `parameter` of the operation `to`.
    #[must_use]
    fn leads_to(self, to: &str, parameter: &str, pointer: &str) -> Self;
}

impl Describe for TransformOperation<'_> {
    fn takes_headers<T: JsonSchema>(mut self) -> Self {
        aide::generate::in_context(|context| takes::<T>(context, self.inner_mut(), ParamLocation::Header));
        self
    }

    fn answers<T: JsonSchema>(mut self, status: u16, description: &str) -> Self {
        let schema = schema_of::<T>();
        let answer = answer(self.inner_mut(), status, description);
        answer.content.insert("application/json".to_owned(), json_content(schema));
        self
    }

    fn answers_text(mut self, status: u16, description: &str, media_type: &str) -> Self {
        let answer = answer(self.inner_mut(), status, description);
        answer.content.insert(media_type.to_owned(), MediaType::default());
        self
    }

    fn answers_nothing(mut self, status: u16, description: &str) -> Self {
        answer(self.inner_mut(), status, description);
        self
    }

    fn answers_header(mut self, status: u16, name: &str, description: &str) -> Self {
        let header = Header {
            description: Some(description.to_owned()),
            style: HeaderStyle::Simple,
            required: true,
            deprecated: None,
            format: ParameterSchemaOrContent::Schema(schema_object(json_schema!({"type": "string"}))),
            example: None,
            examples: none(),
            extensions: none(),
        };
        let answer = answer(self.inner_mut(), status, "");
        answer.headers.insert(name.to_owned(), ReferenceOr::Item(header));
        self
    }

    fn refuses(mut self, status: u16, codes: &[&str]) -> Self {
        refuse(self.inner_mut(), status, codes);
        self
    }

    fn deprecated_operation(mut self) -> Self {
        self.inner_mut().deprecated = true;
        self
    }

    fn leads_to(mut self, to: &str, parameter: &str, pointer: &str) -> Self {
        let link = Link {
            description: None,
            operation: LinkOperation::OperationId(to.to_owned()),
            request_body: None,
            parameters: [(parameter.to_owned(), format!("$response.body#{pointer}").into())].into(),
            server: None,
            extensions: none(),
        };
        for (status, answer) in &mut self.inner_mut().responses.get_or_insert_default().responses {
            if let (StatusCode::Code(200..300), ReferenceOr::Item(answer)) = (status, answer) {
                answer.links.insert(to.to_owned(), ReferenceOr::Item(link.clone()));
            }
        }
        self
    }
}

/// A token of one of these kinds is required, with one of these scopes.
pub fn needs(operation: &mut openapi::Operation, schemes: &[&str], scopes: &[Scope]) {
    let words: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
    operation.extensions.insert(SCOPES.to_owned(), words.into());
    refuse(operation, 403, &["scope"]);
    operation.security = schemes.iter().map(|scheme| [((*scheme).to_owned(), Vec::new())].into()).collect();
    refuse(operation, 401, &["no_token", "bad_token"]);
    refuse(operation, 404, &["not_found"]);
    refuse(operation, 503, &["store_unavailable"]);
}

/// The JSON body, and the errors of an invalid one.
pub fn takes_body<T: JsonSchema>(context: &mut GenContext, operation: &mut openapi::Operation) {
    let schema = context.schema.subschema_for::<T>();
    let body = RequestBody {
        content: [("application/json".to_owned(), json_content(schema))].into(),
        required: true,
        ..RequestBody::default()
    };
    operation.request_body = Some(ReferenceOr::Item(body));
    refuse(operation, 400, &["unreadable_body"]);
    refuse(operation, 408, &["body_timeout"]);
    refuse(operation, 413, &["body_too_large"]);
    refuse(operation, 415, &["wrong_media_type", "unsupported_encoding"]);
    refuse(operation, 422, &["validation_failed"]);
}

/// A parameter for each field of `T`.
pub fn takes<T: JsonSchema>(
    context: &mut GenContext,
    operation: &mut openapi::Operation,
    location: ParamLocation,
) {
    let schema = context.schema.subschema_for::<T>();
    let parameters = parameters_from_schema(context, schema, location);
    add_parameters(context, operation, parameters);
}

/// Adds that a person, who opens the address in a browser, gets a page instead of the problem.
pub fn page_of_person(operation: &mut openapi::Operation, status: u16) {
    answer(operation, status, "").content.insert("text/html; charset=utf-8".to_owned(), MediaType::default());
}

/// Adds the problem with these codes. The description of the answer lists all codes.
pub fn refuse(operation: &mut openapi::Operation, status: u16, codes: &[&str]) {
    let answer = answer(operation, status, "");
    if answer.description.is_empty() {
        answer.description = format!("{} Code:", status::description(status));
        let problem = json_schema!({"$ref": "#/components/schemas/Problem"});
        answer.content.insert("application/problem+json".to_owned(), json_content(problem));
    }
    for code in codes.iter().map(|code| format!("`{code}`")) {
        if !answer.description.contains(&code) {
            let end = if answer.description.ends_with(':') { " " } else { ", " };
            let listed = answer.description.trim_end_matches('.').len();
            answer.description.truncate(listed);
            answer.description.push_str(end);
            answer.description.push_str(&code);
            answer.description.push('.');
        }
    }
}

/// The answer with this status, new if there is none.
fn answer<'a>(operation: &'a mut openapi::Operation, status: u16, description: &str) -> &'a mut Response {
    let answers = &mut operation.responses.get_or_insert_default().responses;
    let new = Response { description: description.to_owned(), ..Response::default() };
    match answers.entry(StatusCode::Code(status)).or_insert_with(|| ReferenceOr::Item(new)) {
        ReferenceOr::Item(answer) => answer,
        ReferenceOr::Reference { .. } => unreachable!("answers are written in place"),
    }
}

fn schema_of<T: JsonSchema>() -> Schema {
    aide::generate::in_context(|context| context.schema.subschema_for::<T>())
}

fn json_content(schema: Schema) -> MediaType {
    MediaType { schema: Some(schema_object(schema)), ..MediaType::default() }
}

fn schema_object(json_schema: Schema) -> SchemaObject {
    SchemaObject { json_schema, example: None, external_docs: None }
}

/// No examples, no extensions.
fn none<T: Default>() -> T {
    T::default()
}
