//! Rows of text with aligned columns.

use comfy_table::{CellAlignment, Table, presets};

use super::answer;

/// Prints one line per row.
pub(super) fn print(rows: Vec<Vec<String>>, right_aligned: &[usize]) -> Result<(), String> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if right_aligned.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    answer(&table.trim_fmt())
}
