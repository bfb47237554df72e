// Hooks: the view in the address, and data that is loaded again and again.
import { createContext } from "preact";
import { useCallback, useContext, useEffect, useState } from "preact/hooks";
import { get } from "./api";
import type { Operator } from "./api";
import { NoAnswer, Problem } from "./problem";

/** Milliseconds between two loads. */
const INTERVAL = 5_000;

export interface Desk {
  operator: Operator;
  /** The business whose lists are shown. */
  business: string;
  /** Loads who is signed in again, with the businesses. */
  refresh: () => Promise<void>;
  /** The session is over. */
  signedOut: () => void;
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error("nobody is signed in");
  return desk;
}

/** May decide what only an organisation key may. */
export function useIsHead(): boolean {
  const { operator } = useDesk();
  return operator.role === "manager" && operator.isOrganisation;
}

/** `#/{view}/{id}` */
export function useRoute(): { view: string; id: string } {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const [view = "", id = ""] = hash.replace(/^#\/?/, "").split("/");
  return { view, id: decodeURIComponent(id) };
}

/** Loads everything that is shown. */
export const reloadAll = (): void => shown.forEach((reload) => void reload());

const shown = new Set<() => Promise<void>>();

export interface Loaded<T> {
  data: T | null;
  error: Error | null;
  reload: () => Promise<void>;
}

/** The answer to a GET, or to several; loaded again while the page is visible. Without a path nothing is loaded. */
export function useLoad<T>(path: string | null): Loaded<T> {
  const { signedOut } = useDesk();
  const [loaded, setLoaded] = useState<{ path: string | null; data: T | null; error: Error | null }>({ path, data: null, error: null });
  const reload = useCallback(async () => {
    if (path === null) return;
    try {
      const data = await get<T>(path);
      setLoaded({ path, data, error: null });
    } catch (error) {
      if (error instanceof Problem && error.status === 401) signedOut();
      // What was loaded before stays beside the message.
      setLoaded((before) => ({ path, data: before.path === path ? before.data : null, error: error as Error }));
    }
  }, [path]);
  useEffect(() => {
    void reload();
    shown.add(reload);
    const timer = setInterval(() => {
      if (!document.hidden) void reload();
    }, INTERVAL);
    return () => {
      shown.delete(reload);
      clearInterval(timer);
    };
  }, [reload]);
  const isCurrent = loaded.path === path;
  return { data: isCurrent ? loaded.data : null, error: isCurrent ? loaded.error : null, reload };
}

export const words = (error: Error): string =>
  error instanceof NoAnswer ? "The gateway does not answer. This page keeps trying." : error.message;
