import type { Customer } from "../customers/customer.ts";
import { type Answer, answerOf, type World } from "../world.ts";

/** The settings of a world that has the API. */
export const WAHA_ENV = {
  RECADO_WAHA_URL: "on",
  RECADO_GATEWAY_RATE: "100000",
  RECADO_GATEWAY_SEND_RATE: "100000",
};

export type WahaCall = { method?: string; body?: unknown; headers?: Record<string, string>; key?: string | null };

/**
 * A client of WAHA's API. A body makes a request a POST. `key`: null for none; default the client's own. `{session}` in a
 * path, a query or a text of the body stands for the client's session.
 */
export type WahaClient = {
  key: string;
  session: string;
  ask(path: string, call?: WahaCall): Promise<Answer>;
  /** The answer as it came, for files. */
  raw(path: string, call?: WahaCall): Promise<Response>;
  /** A send: the body gets the client's session. */
  send(path: string, body: object): Promise<Answer>;
};

/** A client with a key, of the session with this name or id. */
export const wahaClient = (w: World, key: string, session: string): WahaClient => {
  const raw: WahaClient["raw"] = (path, { method, body, headers = {}, key: own = key } = {}) =>
    fetch(`${w.app.wahaUrl}${path.replaceAll("{session}", encodeURIComponent(session))}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(own === null ? {} : { "X-Api-Key": own }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body).replaceAll("{session}", session) }),
    });
  const ask: WahaClient["ask"] = async (path, call) => answerOf(await raw(path, call));
  return { key, session, raw, ask, send: (path, body) => ask(path, { body: { session, ...body } }) };
};

export const wahaClientOf = (w: World, { key, phone }: Pick<Customer, "key" | "phone">): WahaClient =>
  wahaClient(w, key, phone.id);

/** An answer as its status and its message. */
export const wahaSays = ({ status, body }: Answer): string => `${status} ${[body?.message].flat().join("; ")}`;
