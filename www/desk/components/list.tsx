// A table with its states: loading, failed, empty, and a way to older rows and to a file.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { csv, gateway, get, query } from "../api";
import { tellFailure } from "../announce";
import { useLoad, words } from "../use";
import { Icon } from "./icon";
import { Empty, Loading } from "./panel";

const PAGE = 25;

interface ListProps<T> {
  title: string;
  /** Of the public API. */
  path: string;
  filter: Record<string, string>;
  columns: string[];
  id: (row: T) => string;
  row: (row: T, reload: () => Promise<void>) => ComponentChildren[];
  part: string;
  empty: string;
  icon?: string;
}

export function List<T>({ title, path, filter, columns, id, row, part, empty, icon = "list" }: ListProps<T>) {
  const from = query({ ...filter, limit: PAGE });
  const { data, error, reload } = useLoad<T[]>(gateway(`${path}?${from}`));
  const [older, setOlder] = useState<{ of: string; rows: T[]; hasMore: boolean }>({ of: from, rows: [], hasMore: true });
  const own = older.of === from ? older : { of: from, rows: [], hasMore: true };
  const known = new Set((data ?? []).map(id));
  const rows = data && [...data, ...own.rows.filter((one) => !known.has(id(one)))];
  const last = rows?.at(-1);
  const more = async () => {
    if (!last) return;
    try {
      const next = await get<T[]>(gateway(`${path}?${query({ ...filter, limit: PAGE, after: id(last) })}`));
      setOlder({ of: from, rows: [...own.rows, ...next], hasMore: next.length === PAGE });
    } catch (failure) {
      tellFailure(words(failure as Error));
    }
  };
  return (
    <section class="panel" aria-label={title} data-part={`${part}s`} data-value={rows?.length}>
      <div class="cell-line">
        <h2>{title}</h2>
        <a class="act plain" href={csv(`${path}?${query(filter)}`)} download data-part="csv">
          CSV
        </a>
      </div>
      {error && <Failure error={error} />}
      {rows === null ? (
        !error && <Loading rows={3} />
      ) : rows.length === 0 ? (
        <Empty icon={icon} title="Nothing here" text={empty} />
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label={`${title}, table`}>
          <table class="table">
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((one) => (
                <tr key={id(one)} data-part={part} data-value={id(one)}>
                  {row(one, reload).map((cell, place) => (
                    <td key={columns[place]} data-label={columns[place]}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows !== null && (data?.length ?? 0) === PAGE && own.hasMore && (
        <button type="button" class="act plain" onClick={() => void more()} data-part="older">
          Show older
        </button>
      )}
    </section>
  );
}

export const Failure = ({ error }: { error: Error }) => (
  <p class="lost" role="alert" data-part="failure">
    <Icon name="warning" />
    <span>{words(error)}</span>
  </p>
);
