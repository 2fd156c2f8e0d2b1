import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Channel } from "../../../core/channels/channel.ts";
import { countKnownPairs, listKnownPairs } from "../../../core/channels/hidden-ids.ts";
import { type KnownIdentity, resolveIdentity } from "../../../core/channels/identity.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import { numberOf } from "../../shared/compatible/addresses.ts";
import { chatIdOfNumber } from "../addresses.ts";
import { type Principal, sessionOf, type WahaAuth } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { PAGING, pageIn } from "../pages.ts";
import { routeOptions } from "../route-options.ts";

const USUALLY_LISTED = 100;
const read = { ...routeOptions({ scope: "phones.read" }) };

/** The hidden id of a person beside the number. */
const pairView = (lid: string | null, pn: string | null) => ({
  lid: lid === null ? null : `${lid}@lid`,
  pn: pn === null ? null : chatIdOfNumber(pn),
});

/** The hidden ids of people whom a session has met, and their numbers. */
export const lids = (env: WahaEnv, auth: WahaAuth) => {
  /** Undefined for a person whom the session never met. */
  const find = async (principal: Principal, { id }: Channel, key: string): Promise<KnownIdentity | undefined> => {
    try {
      return await resolveIdentity(env, principal, id, key);
    } catch (error) {
      if (error instanceof AppError && error.code === "IDENTITY_NOT_FOUND") return undefined;
      throw error;
    }
  };
  return new Elysia({ prefix: "/api/:session/lids" })
    .use(auth)
    .get(
      "/",
      async ({ principal, request, query }) => {
        const { limit, offset } = pageIn(query, USUALLY_LISTED);
        const pairs = await listKnownPairs(env, principal, { channelId: sessionOf(request).id, limit, offset });
        return pairs.map(({ lid, pn }) => pairView(lid, pn));
      },
      { query: Type.Object(PAGING), detail: read },
    )
    .get(
      "/count",
      async ({ principal, request }) => ({ count: await countKnownPairs(env, principal, sessionOf(request).id) }),
      { detail: read },
    )
    .get(
      "/:lid",
      async ({ principal, request, params }) => {
        const [, lid] = /^(\d+)(?:@lid)?$/.exec(params.lid) ?? [];
        if (lid === undefined) throw invalid(issue("lid", "format", "must end with @lid"));
        const found = await find(principal, sessionOf(request), `lid:${lid}`);
        return pairView(lid, found?.pn ?? null);
      },
      { detail: read },
    )
    .get(
      "/pn/:phoneNumber",
      async ({ principal, request, params: { phoneNumber } }) => {
        const [, lid] = /^(\d+)@lid$/.exec(phoneNumber) ?? [];
        if (lid !== undefined) return pairView(lid, null);
        const digits = numberOf(phoneNumber);
        if (!/^\d+$/.test(digits)) throw invalid(issue("phoneNumber", "format", "must be a number or end with @c.us"));
        const found = await find(principal, sessionOf(request), `pn:${digits}`);
        return pairView(found?.lid ?? null, digits);
      },
      { detail: read },
    );
};
