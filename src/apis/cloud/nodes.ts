import { Elysia } from "elysia";
import { type CloudAuth, unknownObject } from "./auth.ts";
import type { CloudEnv } from "./env.ts";

/** The objects of the Cloud API that an id stands for: a phone number, an account. */
export const nodes = (_env: CloudEnv, auth: CloudAuth) =>
  new Elysia().use(auth).get("/:version/:id", ({ principal: { number }, params: { id } }) => {
    if (id === number.numberId) return { id };
    if (id === number.accountId) return { id };
    throw unknownObject(id);
  });
