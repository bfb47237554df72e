// The view in the address: `#/payments/{id}`, `#/inbox/{id}`, `#/money`, `#/world`.

export const VIEWS = {
  payments: { label: "Payments", icon: "list" },
  inbox: { label: "Inbox", icon: "inbox" },
  money: { label: "Money", icon: "wallet" },
  world: { label: "World", icon: "world" },
};

export type View = keyof typeof VIEWS;

export interface Route {
  view: View;
  id: string | null;
}

export function routeOf(hash: string): Route {
  const [view = "", id] = hash.replace(/^#\/?/, "").split("/");
  return Object.hasOwn(VIEWS, view) ? { view: view as View, id: id || null } : { view: "payments", id: null };
}
