// The table of every list. On a phone a row is a card, with the name of the column before each value.
import type { ComponentChildren } from "preact";

interface TableProps<T> {
  /** Of the region, for screen readers. */
  title: string;
  columns: string[];
  /** The columns whose values are aligned as numbers. */
  numbers?: string[];
  rows: T[];
  id: (row: T) => string;
  cells: (row: T) => ComponentChildren[];
  /** Name of a row for journeys; its value is the id unless there is another. */
  part: string;
  value?: (row: T) => string;
}

/** A row opens what its first link opens. A text can still be selected, and a button pressed. */
function open({ target, currentTarget }: MouseEvent) {
  const isOther = (target as Element).closest("a, button, input, select, summary, pre");
  if (isOther || String(getSelection())) return;
  (currentTarget as Element).querySelector<HTMLAnchorElement>("a[href^='#/']")?.click();
}

export function Table<T>({ title, columns, numbers = [], rows, id, cells, part, value = id }: TableProps<T>) {
  const kind = (column: string) => (numbers.includes(column) ? "number" : undefined);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`${title}, table`}>
      <table class="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={kind(column)}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={id(row)} data-part={part} data-value={value(row)} onClick={open}>
              {cells(row).map((cell, place) => (
                <td key={columns[place]} data-label={columns[place]} class={kind(columns[place] ?? "")}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
