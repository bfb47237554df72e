//! Fields that an answer can lack, or have in another form, without being useless.

use serde::de::DeserializeOwned;
use serde::{Deserialize as _, Deserializer};
use serde_json::Value;

/// `None` if it is missing, null or cannot be read.
pub(super) fn lenient<'de, D, T>(field: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    Ok(serde_json::from_value(Value::deserialize(field)?).ok())
}

/// Those of a list that can be read, each in its place.
pub(super) fn each<'de, D, T>(field: D) -> Result<Vec<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let all = Option::<Vec<Value>>::deserialize(field)?.unwrap_or_default();
    Ok(all.into_iter().map(|one| serde_json::from_value(one).ok()).collect())
}
