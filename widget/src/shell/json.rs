//! What `JSON.parse` built, for [`decode`](crate::decode).

use js_sys::{Array, JSON};
use wasm_bindgen::{JsCast, JsValue};

use super::{js, whole};
use crate::decode::Node;

#[derive(Default)]
pub(super) struct Json(JsValue);

impl Json {
    pub(super) fn parse(text: &str) -> Option<Self> {
        JSON::parse(text).ok().map(Self)
    }
}

/// Whole numbers above this are not exact in JavaScript.
const EXACT: f64 = 9_007_199_254_740_991.0;

impl Node for Json {
    fn field(&self, name: &str) -> Option<Self> {
        let value = js::get(&self.0, name);
        (!value.is_undefined() && !value.is_null()).then_some(Self(value))
    }

    fn text(&self) -> Option<String> {
        self.0.as_string()
    }

    fn whole(&self) -> Option<u64> {
        let number = self.0.as_f64()?;
        ((0.0..=EXACT).contains(&number) && number.fract() == 0.0).then(|| whole(number))
    }

    fn flag(&self) -> Option<bool> {
        self.0.as_bool()
    }

    fn list(&self) -> Option<Vec<Self>> {
        Array::is_array(&self.0).then(|| self.0.unchecked_ref::<Array>().iter().map(Json).collect())
    }
}
