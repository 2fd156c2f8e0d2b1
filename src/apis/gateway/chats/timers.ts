import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type ChatTimerView, TIMERS } from "../../../contract/abilities/timers.ts";
import { readTimer, setTimer } from "../../../core/channels/timers.ts";
import { described } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route, routeOptions } from "../route-options.ts";
import { InstantOrNull, PHONE_IN_PATH, UPSTREAM_REFUSALS } from "../schemas.ts";

const SECONDS_TEXT = "After how many seconds messages disappear: a day, 7 days or 90 days; 0: they stay";
const TimerBody = Type.Object(
  {
    seconds: Type.Union(
      TIMERS.map((seconds) => Type.Literal(seconds)),
      { description: SECONDS_TEXT, examples: [604_800] },
    ),
  },
  { title: "SetChatTimer" },
);
const TimerView = Type.Object(
  {
    seconds: Type.Integer({ minimum: 0, description: SECONDS_TEXT, examples: [604_800] }),
    setAt: described(InstantOrNull, "When it was set; null if messages stay", "2026-11-22T12:00:00.000Z"),
  },
  { title: "ChatTimer" },
);

const view = (timer: ChatTimerView) => toView(TimerView, timer);
const link = routeOptions({ link: "required" });

/** After which time the messages of a chat disappear. */
export const chatTimers = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/phones",
    tags: ["phones"],
    detail: inPath({
      ...PHONE_IN_PATH,
      to: Type.String({ description: "A number, canonical key, or chat address of a person or group" }),
    }),
  })
    .use(auth)
    .get(
      "/:id/chats/:to/timer",
      async ({ principal, params: { id, to } }) => view(await readTimer(env, principal, { id, to })),
      {
        response: { 200: TimerView, ...UPSTREAM_REFUSALS },
        detail: {
          ...link,
          ...route({ operationId: "getChatTimer", isolation: { id: "channel" } }),
          summary: "Get the time after which the messages of a chat disappear",
          description: "As far as it is known: the network is not asked. SESSION only.",
        },
      },
    )
    .put(
      "/:id/chats/:to/timer",
      async ({ principal, params: { id, to }, body: { seconds } }) =>
        view(await setTimer(env, principal, { id, to, seconds })),
      {
        body: TimerBody,
        response: { 200: TimerView, ...UPSTREAM_REFUSALS },
        detail: {
          ...link,
          ...route({ operationId: "setChatTimer", acts: "none: daily work", isolation: { id: "channel" } }),
          summary: "Set the time after which the messages of a chat disappear",
          description:
            "It holds for both sides, and for messages from then on. In a group, the phone has to be an administrator " +
            "unless all members may edit the group. SESSION only.",
        },
      },
    );
