import type { Http, QueryValue } from "./http.js";

const PAGE = 100;

/** All rows of a list, page by page; a page is asked for when the one before it was read. */
export async function* rows<Row extends object>(
  http: Http,
  path: string,
  id: keyof Row,
  filter: object,
): AsyncGenerator<Row, void, void> {
  const query: Record<string, QueryValue> = { limit: PAGE, ...filter };
  if ("before" in query) throw new TypeError("A list goes on from `after`; `before` is for single pages: use `request`.");
  for (;;) {
    const page = await http.request<Row[]>("GET", path, { query });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < Number(query["limit"])) return;
    query["after"] = String(last[id]);
  }
}
