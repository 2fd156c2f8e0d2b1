import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { listNewsletters } from "../../core/messaging/newsletters.ts";
import { type EvolutionAuth, instanceOf } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { routeOptions } from "./route-options.ts";

const Count = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }));
const PER_PAGE = 50;

/** The channels (newsletters) that an instance follows or owns. Evolution knows those that wrote to it. */
export const channels = (env: EvolutionEnv, auth: EvolutionAuth) =>
  new Elysia({ prefix: "/chat" }).use(auth).post(
    "/findChannels/:instance",
    async ({ principal, request, body: { page = 1, limit = PER_PAGE } }) => {
      const found = await listNewsletters(env, principal, instanceOf(request).id);
      const records = found.slice((page - 1) * limit, page * limit).map(({ newsletterId, name }) => ({
        remoteJid: `${newsletterId}@newsletter`,
        pushName: name,
        lastMessageTimestamp: null,
      }));
      return { total: found.length, pages: Math.ceil(found.length / limit), currentPage: page, limit, records };
    },
    {
      body: Type.Object({ page: Count, limit: Count }),
      detail: { ...routeOptions({ scope: "groups.read", link: "required" }) },
    },
  );
