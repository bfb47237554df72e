//! What `JSON.parse` built, for [`decode`](crate::decode).

use js_sys::{Array, JSON, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use super::whole;
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
        // An error: this is not an object.
        let value = Reflect::get(&self.0, &name.into()).ok()?;
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
        let list: &Array = self.0.dyn_ref()?;
        Some(list.iter().map(Json).collect())
    }
}
