import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { NewChatQuota } from "../../../contract/abilities/quota.ts";
import { newChatQuota } from "../../../core/channels/quota.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { described, Nullable } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, InstantOrNull, PHONE_IN_PATH, UPSTREAM_REFUSALS } from "../schemas.ts";

const NumberOrNull = Nullable(Type.Number());
const QuotaView = Type.Object(
  {
    network: described(
      Nullable(
        Type.Object(
          {
            status: Type.String({
              description:
                "How near the limit is: NONE, FIRST_WARNING, SECOND_WARNING, CAPPED or another word of the network",
              examples: ["CONNECTED"],
            }),
            total: described(
              NumberOrNull,
              "How many new people may be written to in the cycle; null if the network does not say",
              250,
            ),
            used: described(NumberOrNull, "Null if the network does not say", 12),
            cycleStartsAt: described(
              InstantOrNull,
              "When the cycle began; null if the network does not say",
              "2026-11-01T00:00:00.000Z",
            ),
            cycleEndsAt: described(
              InstantOrNull,
              "When the cycle ends; null if the network does not say",
              "2026-12-01T00:00:00.000Z",
            ),
            askedAt: described(Instant, "When the network was asked"),
          },
          { description: "The network's quota of new chats; null if it has none or did not report it" },
        ),
      ),
      "The network's own limit of new people in a cycle; null if it has none or did not report it",
    ),
    own: described(
      Nullable(
        Type.Object(
          {
            limit: Type.Integer({ description: "Chats with new people a day", examples: [50] }),
            used: Type.Integer({ description: "Chats begun since the count began", examples: [12] }),
            resetsAt: described(
              InstantOrNull,
              "When the count begins anew; null while nothing is counted",
              "2026-11-23T00:00:00.000Z",
            ),
          },
          { description: "The limit of RECADO_SESSION_NEW_CHATS_A_DAY and RECADO_SESSION_WARM_UP; null without one" },
        ),
      ),
      "The limit of the operator's settings for a day; null without one",
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

/** The number of chats that a phone may begin. */
export const quota = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .get("/:id/quota", async ({ principal, params }) => quotaView(await newChatQuota(env, principal, params.id)), {
      response: { 200: QuotaView, ...UPSTREAM_REFUSALS },
      detail: {
        ...route({ operationId: "getQuota", isolation: { id: "channel" }, link: "required" }),
        summary: "Get how many chats with new people the phone may begin",
        description: "The network's own limit and the server's limit are separate: the lower limit applies.",
      },
    });
