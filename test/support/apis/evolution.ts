import type { Customer } from "../customers/customer.ts";
import { type Answer, answerOf, type World } from "../world.ts";

/** The settings of a world that has the API. */
export const EVOLUTION_ENV = {
  RECADO_EVOLUTION_URL: "on",
  RECADO_GATEWAY_RATE: "100000",
  RECADO_GATEWAY_SEND_RATE: "100000",
};

export type EvolutionCall = { method?: string; body?: unknown; headers?: Record<string, string>; key?: string | null };

/** A client of Evolution's API. A body makes a request a POST. `key`: null for none; default the client's own. */
export type EvolutionClient = {
  key: string;
  ask(path: string, call?: EvolutionCall): Promise<Answer>;
  /** A path that ends with the instance. */
  on(path: string, call?: EvolutionCall): Promise<Answer>;
};

/** A client with a key, of the instance with this name or id. */
export const evolutionClient = (w: World, key: string, instance: string): EvolutionClient => {
  const ask: EvolutionClient["ask"] = async (path, { method, body, headers = {}, key: own = key } = {}) => {
    const response = await fetch(`${w.app.evolutionUrl}${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(own === null ? {} : { apikey: own }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answerOf(response);
  };
  return {
    key,
    ask,
    on(path, call) {
      const [before = "", query] = path.split("?", 2);
      return ask(`${before}/${encodeURIComponent(instance)}${query === undefined ? "" : `?${query}`}`, call);
    },
  };
};

export const clientOf = (w: World, { key, phone }: Pick<Customer, "key" | "phone">): EvolutionClient =>
  evolutionClient(w, key, phone.id);

/** An answer as its status and its message. */
export const evolutionSays = ({ status, body }: Answer): string =>
  `${status} ${[body.response?.message].flat().join("; ")}`;
