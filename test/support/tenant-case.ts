import type { Ids } from "./tenant.ts";
import { WEBHOOK_SECRET } from "./world.ts";

type Params = Record<string, string>;
export type Attempt = { params?: Params; query?: Params; body?: object; headers?: Params };
/**
 * How a route is called by another tenant. `own`: it names nothing that exists, so it is called normally and its answer
 * is searched. `foreign`: the ways to name something of another tenant in it. `admin`: only the administrator may.
 * `stream`: has a test of its own.
 */
export type Case =
  | { own: (foreign: Ids) => Attempt }
  | { foreign: (ids: Ids, own: Ids) => Attempt[] }
  | "admin"
  | "stream";

export const webhook = { url: "https://hooks.example.com/mine", secret: WEBHOOK_SECRET };
export const own = (attempt: Attempt = {}): Case => ({ own: () => attempt });
export const byId = (pick: (ids: Ids) => string, rest: Attempt = {}): Case => ({
  foreign: (ids) => [{ ...rest, params: { ...rest.params, id: pick(ids) } }],
});
