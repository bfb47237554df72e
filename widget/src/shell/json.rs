//! What `JSON.parse` built, as a tree for [`decode`](crate::decode).

use js_sys::{Array, JSON, Object};
use wasm_bindgen::{JsCast, JsValue};

use super::whole;
use crate::decode::{Node, Shape};

pub(super) struct Json(JsValue);

impl Json {
    pub(super) fn parse(text: &str) -> Option<Self> {
        JSON::parse(text).ok().map(Self)
    }
}

/// Whole numbers above this are not exact in JavaScript.
const EXACT: f64 = 9_007_199_254_740_991.0;

impl Node for Json {
    fn read(self) -> Shape<Self> {
        let value = self.0;
        if value.is_null() {
            return Shape::Null;
        }
        if let Some(text) = value.as_string() {
            return Shape::Text(text);
        }
        if let Some(number) = value.as_f64() {
            let exact = (0.0..=EXACT).contains(&number) && number.fract() == 0.0;
            return if exact { Shape::Whole(whole(number)) } else { Shape::Other };
        }
        if let Some(value) = value.as_bool() {
            return Shape::Bool(value);
        }
        if Array::is_array(&value) {
            return Shape::List(Array::from(&value).iter().map(Json).collect());
        }
        let Some(object) = value.dyn_ref::<Object>() else { return Shape::Other };
        let entry = |pair: JsValue| {
            let pair: Array = pair.unchecked_into();
            (pair.get(0).as_string().unwrap_or_default(), Json(pair.get(1)))
        };
        Shape::Map(Object::entries(object).iter().map(|pair| entry(pair.into())).collect())
    }
}
