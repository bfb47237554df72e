//! The C interface.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use crypto_checkout_answers::validate;

/// Checks an address and its tag. Returns JSON, which the caller gives back to `crypto_checkout_free`; NULL if `currency`, `network`
/// or `address` is NULL.
///
/// `tag` may be NULL. `options` is NULL or names of options separated by commas, such as "allow_test_networks,memo_type=id"; an
/// unknown one gives {"error":"unknown_option","supported":false,"valid":false}. Texts are UTF-8; one that is not is refused.
/// Both functions may be called by several threads at once.
///
/// # Safety
///
/// Each argument is NULL or a text that ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_checkout_validate(
    currency: *const c_char,
    network: *const c_char,
    address: *const c_char,
    tag: *const c_char,
    options: *const c_char,
) -> *mut c_char {
    // SAFETY: the caller's promise.
    let [currency, network, address, tag, options] =
        [currency, network, address, tag, options].map(|text| unsafe { read(text) });
    let (Some(currency), Some(network), Some(address)) = (currency, network, address) else {
        return ptr::null_mut();
    };
    let options = options.unwrap_or_default().split(|byte| *byte == b',');
    let answer = validate(currency, network, address, tag, options);
    CString::new(answer).map_or(ptr::null_mut(), CString::into_raw)
}

/// Frees an answer of `crypto_checkout_validate`. NULL is ignored.
///
/// # Safety
///
/// `answer` is NULL or an answer that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_checkout_free(answer: *mut c_char) {
    if !answer.is_null() {
        // SAFETY: the caller's promise: `CString::into_raw` made it.
        drop(unsafe { CString::from_raw(answer) });
    }
}

/// # Safety
///
/// `text` is NULL or ends with a zero byte, and stays as it is for `'a`.
unsafe fn read<'a>(text: *const c_char) -> Option<&'a [u8]> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    Some(unsafe { CStr::from_ptr(text) }.to_bytes())
}
