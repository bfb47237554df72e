//! The QR code as the path of an SVG.

use qrcodegen_no_heap::{BitBuffer, QrCode, QrCodeEcc, QrSegment, QrSegmentMode, Version};

/// The width of the white border in modules, as ISO/IEC 18004 requires.
pub const QUIET_ZONE: i32 = 4;

/// A QR code as one path of dark modules, in units of modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrPath {
    /// The side of the square, with its quiet zone.
    pub side: i32,
    pub path: String,
}

impl QrPath {
    /// The code as an SVG that is hidden from assistive technology: the element around it has the label.
    pub fn to_svg(&self) -> String {
        let side = self.side.to_string();
        let open = "<svg xmlns=\"http://www.w3.org/2000/svg\" shape-rendering=\"crispEdges\" aria-hidden=\"true\" viewBox=\"0 0 ";
        // A white background in the SVG itself: neither a theme nor forced colours can darken the background
        // of the modules.
        let ground = "\"><path fill=\"#fff\" d=\"M0 0h";
        let ground = [ground, &side, "v", &side, "H0z\"/><path fill=\"#000\" d=\""].concat();
        [open, &side, " ", &side, &ground, &self.path, "\"/></svg>"].concat()
    }
}

/// Large enough for every payment URI.
const LARGEST: Version = Version::new(20);

/// The code of `payload` at error correction level M; `None` if it is too long for [`LARGEST`].
pub fn draw(payload: &str) -> Option<QrPath> {
    let payload = payload.as_bytes();
    let dense = dense_run(payload);
    let (head, rest) = payload.split_at_checked(dense.start)?;
    let (middle, tail) = rest.split_at_checked(dense.len())?;
    let mut packed = [0; LARGEST.buffer_len()];
    let segments = [QrSegment::make_bytes(head), pack(middle, &mut packed)?, QrSegment::make_bytes(tail)];
    // An empty segment would add its header.
    let segments = if middle.is_empty() { &segments[2..] } else { &segments[usize::from(head.is_empty())..] };
    let segments =
        if tail.is_empty() && segments.len() > 1 { &segments[..segments.len() - 1] } else { segments };

    let (mut scratch, mut out) = ([0; LARGEST.buffer_len()], [0; LARGEST.buffer_len()]);
    let (min, max) = (Version::MIN, LARGEST);
    let words =
        QrCode::encode_segments_to_codewords(segments, &mut out, QrCodeEcc::Medium, min, max, false).ok()?;
    let code = QrCode::encode_codewords(&mut out, words.0, &mut scratch, words.1, words.2, None);
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        let mut x = 0;
        while x < size {
            let run = (x..size).take_while(|x| code.get_module(*x, y)).fold(0, |run, _| run + 1);
            if run > 0 {
                append(&mut path, "M", x + QUIET_ZONE);
                append(&mut path, " ", y + QUIET_ZONE);
                append(&mut path, "h", run);
                append(&mut path, "v1h-", run);
                path.push('z');
            }
            x += run.max(1);
        }
    }
    Some(QrPath { side: size + 2 * QUIET_ZONE, path })
}

/// Shorter runs save less than their segment's header takes.
const LEAST_RUN: usize = 16;

/// The longest run for the alphanumeric mode (5.5 bits per character instead of 8): an upper-case address.
/// Empty if no run is long enough.
fn dense_run(payload: &[u8]) -> core::ops::Range<usize> {
    let (mut best, mut start) = (0..0, 0);
    for at in 0..=payload.len() {
        if payload.get(at).copied().and_then(dense).is_none() {
            if at - start > best.len() {
                best = start..at;
            }
            start = at + 1;
        }
    }
    if best.len() < LEAST_RUN { 0..0 } else { best }
}

/// The value of a character in the alphanumeric mode.
fn dense(byte: u8) -> Option<u32> {
    Some(match byte {
        b'0'..=b'9' => u32::from(byte - b'0'),
        b'A'..=b'Z' => u32::from(byte - b'A') + 10,
        b' ' => 36,
        b'$' => 37,
        b'%' => 38,
        b'*' => 39,
        b'+' => 40,
        b'-' => 41,
        b'.' => 42,
        b'/' => 43,
        b':' => 44,
        _ => return None,
    })
}

/// Encodes two characters in 11 bits, a single last one in 6.
fn pack<'a>(text: &[u8], buffer: &'a mut [u8]) -> Option<QrSegment<'a>> {
    // The buffer has the size of the largest code.
    if text.len() > buffer.len() {
        return None;
    }
    let mut bits = BitBuffer::new(buffer);
    for pair in text.chunks(2) {
        match pair {
            [a, b] => bits.append_bits(dense(*a)? * 45 + dense(*b)?, 11),
            [a] => bits.append_bits(dense(*a)?, 6),
            _ => {}
        }
    }
    let length = bits.len();
    Some(QrSegment::new(QrSegmentMode::Alphanumeric, text.len(), buffer, length))
}

fn append(path: &mut String, command: &str, value: i32) {
    path.push_str(command);
    path.push_str(&value.to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alphanumeric_run_is_found() {
        let check = |payload: &str, expected: &str| {
            assert_eq!(&payload[dense_run(payload.as_bytes())], expected);
        };
        check("", "");
        check("bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=1", "");
        check(
            "bitcoin:BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ?amount=1",
            ":BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ",
        );
        check("BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ", "BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ");
        check("?a=123456789012345&b=1", "");
        check("x1234567890ABCDEF", "1234567890ABCDEF");
    }

    #[test]
    fn upper_case_makes_a_smaller_code() {
        let side = |payload: &str| draw(payload).unwrap().side - 2 * QUIET_ZONE;
        assert_eq!(side("bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=0.002"), 37);
        assert_eq!(side("bitcoin:BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ?amount=0.002"), 33);
        assert_eq!(side(""), 21);
        assert!(draw(&"A".repeat(5_000)).is_none());
        assert!(draw(&"a".repeat(5_000)).is_none());
    }
}
