// A list with its states: loading, failed, empty, and a way to older rows and to a file.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { csv, gateway, get, query } from "../api";
import { tellFailure } from "../announce";
import { useLoad, words } from "../use";
import { Icon } from "./icon";
import { Empty, Loading } from "./panel";
import { Table } from "./table";

const PAGE = 25;

interface ListProps<T> {
  title: string;
  path: string;
  /** Not of the public API. */
  own?: boolean;
  /** Whether it can be saved as CSV. */
  hasFile?: boolean;
  filter: Record<string, string>;
  columns: string[];
  id: (row: T) => string;
  row: (row: T, reload: () => Promise<void>) => ComponentChildren[];
  part: string;
  /** Name of the list for journeys. */
  parts?: string;
  /** The value of a row for journeys; its id unless given. */
  value?: (row: T) => string;
  empty: string;
  icon?: string;
  /** Beside the title. */
  extra?: ComponentChildren;
}

export function List<T>(props: ListProps<T>) {
  const { title, path, own: isOwn = false, hasFile = !isOwn, filter, columns, id, row, part, parts = `${part}s`, value, empty } = props;
  const { icon = "list", extra } = props;
  const url = isOwn ? path : gateway(path);
  const from = query({ ...filter, limit: PAGE });
  const { data, error, reload } = useLoad<T[]>(`${url}?${from}`);
  const [older, setOlder] = useState<{ of: string; rows: T[]; hasMore: boolean }>({ of: from, rows: [], hasMore: true });
  const own = older.of === from ? older : { of: from, rows: [], hasMore: true };
  const known = new Set((data ?? []).map(id));
  const rows = data && [...data, ...own.rows.filter((one) => !known.has(id(one)))];
  const last = rows?.at(-1);
  const more = async () => {
    if (!last) return;
    try {
      const next = await get<T[]>(`${url}?${query({ ...filter, limit: PAGE, after: id(last) })}`);
      setOlder({ of: from, rows: [...own.rows, ...next], hasMore: next.length === PAGE });
    } catch (failure) {
      tellFailure(words(failure as Error));
    }
  };
  return (
    <section class="panel" aria-label={title} data-part={parts} data-value={rows?.length}>
      <div class="cell-line">
        <h2>{title}</h2>
        <span class="acts">
          {extra}
          {hasFile && (
            <a class="act plain" href={csv(`${path}?${query(filter)}`)} download data-part="csv" aria-label={`${title} as CSV`}>
              CSV
            </a>
          )}
        </span>
      </div>
      {error && <Failure error={error} />}
      {rows === null ? (
        !error && <Loading rows={3} />
      ) : rows.length === 0 ? (
        <Empty icon={icon} title="Nothing here" text={empty} />
      ) : (
        <Table title={title} columns={columns} rows={rows} id={id} cells={(one) => row(one, reload)} part={part} value={value} />
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
