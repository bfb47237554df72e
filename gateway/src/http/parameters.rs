//! The query of a request as fields.

use std::marker::PhantomData;

use aide::OperationInput;
use aide::generate::GenContext;
use aide::operation::ParamLocation;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use checkout_domain::chain::opt_ins::OptIns;
use schemars::JsonSchema;

use super::openapi::operation::{refuse, takes};
use super::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::http::requests::names::Names;

/// The parameters that `T` describes.
pub struct Parameters<T>(pub(super) Fields, pub(super) PhantomData<T>);

impl<T> Parameters<T> {
    /// The result of `read`, unless there are errors.
    pub fn read<R>(self, read: impl FnOnce(&mut Fields) -> Option<R>) -> Result<R, Refusal> {
        self.0.read(read).map_err(Refusal::invalid)
    }
}

impl<S: Send + Sync, T: JsonSchema + 'static> FromRequestParts<S> for Parameters<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let query = Query::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        let Query(query) = query.map_err(|_| Refusal::unreadable("The query cannot be read."))?;
        let opt_ins = parts.extensions.get::<OptIns>().cloned().unwrap_or_default();
        Ok(Self(Fields::of_texts(query, Names::of::<T>()).knowing(opt_ins), PhantomData))
    }
}

impl<T: JsonSchema> OperationInput for Parameters<T> {
    fn operation_input(context: &mut GenContext, operation: &mut aide::openapi::Operation) {
        takes::<T>(context, operation, ParamLocation::Query);
        refuse(operation, 422, &["validation_failed"]);
    }
}
