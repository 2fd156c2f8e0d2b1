import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { NewChatQuota } from "../../../contract/abilities/quota.ts";
import { newChatQuota } from "../../../core/channels/quota.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { Nullable } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { Instant, InstantOrNull, UPSTREAM_REFUSALS } from "../schemas.ts";

const NumberOrNull = Nullable(Type.Number());
const QuotaView = Type.Object(
  {
    network: Nullable(
      Type.Object(
        {
          status: Type.String({ description: "NONE, FIRST_WARNING, SECOND_WARNING, CAPPED or another word" }),
          total: NumberOrNull,
          used: NumberOrNull,
          cycleStartsAt: InstantOrNull,
          cycleEndsAt: InstantOrNull,
          askedAt: Instant,
        },
        { description: "The network's quota of new chats; null where it has none, or did not say" },
      ),
    ),
    own: Nullable(
      Type.Object(
        { limit: Type.Integer(), used: Type.Integer(), resetsAt: InstantOrNull },
        { description: "The limit of RECADO_SESSION_NEW_CHATS_A_DAY and RECADO_SESSION_WARM_UP; null without one" },
      ),
    ),
  },
  { title: "Quota" },
);

const quotaView = ({ network, own }: NewChatQuota): Static<typeof QuotaView> => ({
  network: network && {
    ...network,
    cycleStartsAt: isoOrNull(network.cycleStartsAt),
    cycleEndsAt: isoOrNull(network.cycleEndsAt),
    askedAt: iso(network.askedAt),
  },
  own: own && { ...own, resetsAt: isoOrNull(own.resetsAt) },
});

/** How many chats a phone may begin. */
export const quota = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"] })
    .use(auth)
    .get("/:id/quota", async ({ principal, params }) => quotaView(await newChatQuota(env, principal, params.id)), {
      response: { 200: QuotaView, ...UPSTREAM_REFUSALS },
      detail: {
        ...routeOptions({ link: "required" }),
        operationId: "getQuota",
        summary: "Get how many chats with new people the phone may begin",
        description: "The network's own limit and the server's limit count apart: the lower one holds.",
      },
    });
