//! The checkout widget.
