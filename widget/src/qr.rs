//! The QR code as the path of an SVG.

use qrcodegen_no_heap::{QrCode, QrCodeEcc, Version};

/// Modules of white around the code, as ISO/IEC 18004 asks.
pub const QUIET_ZONE: i32 = 4;

/// A QR code as one path of dark modules, in units of modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrPath {
    /// The side of the whole square with its quiet zone.
    pub side: i32,
    pub path: String,
}

impl QrPath {
    /// The drawing, as a hidden SVG: what stands around it says what it is.
    pub fn to_svg(&self) -> String {
        let side = self.side.to_string();
        let open = "<svg xmlns=\"http://www.w3.org/2000/svg\" shape-rendering=\"crispEdges\" aria-hidden=\"true\" viewBox=\"0 0 ";
        [open, &side, " ", &side, "\"><path fill=\"#000\" d=\"", &self.path, "\"/></svg>"].concat()
    }
}

/// No payment link needs a larger code.
const LARGEST: Version = Version::new(20);

/// The code of `payload` at error correction level M; `None` when it is too long for [`LARGEST`].
pub fn draw(payload: &str) -> Option<QrPath> {
    let (mut scratch, mut out) = ([0; LARGEST.buffer_len()], [0; LARGEST.buffer_len()]);
    let level = QrCodeEcc::Medium;
    let code = QrCode::encode_text(payload, &mut scratch, &mut out, level, Version::MIN, LARGEST, None, false);
    let code = code.ok()?;
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

fn append(path: &mut String, command: &str, value: i32) {
    path.push_str(command);
    path.push_str(&value.to_string());
}
