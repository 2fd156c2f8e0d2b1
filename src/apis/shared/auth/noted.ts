import { Elysia } from "elysia";

/** What an API has found out about requests before their handlers run. */
export type Noted<Value> = {
  note(request: Request, value: Value): void;
  find(request: Request): Value | undefined;
  /** Throws where nothing was noted: a protected route was reached unprotected, which is a bug in the server. */
  of(request: Request): Value;
};

export const createNoted = <Value>(what: string): Noted<Value> => {
  const values = new WeakMap<Request, Value>();
  return {
    note: (request, value) => void values.set(request, value),
    find: (request) => values.get(request),
    of(request) {
      const value = values.get(request);
      if (!value) throw new Error(`a protected route was reached without ${what}`);
      return value;
    },
  };
};

/** Gives handlers the request's principal. */
export const withPrincipal = <Principal>(name: string, principals: Noted<Principal>) =>
  new Elysia({ name }).derive({ as: "scoped" }, ({ request }) => ({ principal: principals.of(request) }));
