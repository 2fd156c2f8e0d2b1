import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  changeLabel,
  labelsOfChannel,
  makeLabel,
  removeLabel,
  resyncChats,
} from "../../../core/messaging/chats/chat-acts.ts";
import { described, Text } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route, routeOptions } from "../route-options.ts";
import { Nothing, OptionalBody, PHONE_IN_PATH, REFUSALS, UPSTREAM_REFUSALS } from "../schemas.ts";

const Name = described(Text(1, 100), "The name of the label", "Novo cliente");
const Color = Type.Integer({
  minimum: 0,
  maximum: 19,
  description: "The place in the palette of the app, from 0 to 19",
  examples: [3],
});
export const LabelView = Type.Object(
  {
    id: Type.String({ description: "The label's id, which the phone's app chose", examples: ["1"] }),
    name: Type.String({ description: "The name of the label", examples: ["Novo cliente"] }),
    color: Type.Integer({ description: "The place in the palette of the app, from 0 to 19", examples: [3] }),
  },
  { title: "ChatLabel" },
);
const LabelsView = Type.Object(
  { items: Type.Array(LabelView, { description: "Every label that is known here" }) },
  { title: "ChatLabels" },
);
const MakeBody = Type.Object({ name: Name, color: Type.Optional(Color) }, { title: "MakeLabel" });
const ChangeBody = Type.Object({ name: Type.Optional(Name), color: Type.Optional(Color) }, { title: "ChangeLabel" });

const link = routeOptions({ link: "required" });
const ofPhone = { acts: "none: daily work", isolation: { id: "channel" } } as const;
const ofLabel = { acts: "none: daily work", isolation: { id: "channel", label: "text" } } as const;

/** The labels of WhatsApp Business on a phone, and what the phone shares of its chats. */
export const labels = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/phones",
    tags: ["phones"],
    detail: inPath({ ...PHONE_IN_PATH, label: Type.String({ description: "The label, by its id" }) }),
  })
    .use(auth)
    .get(
      "/:id/labels",
      async ({ principal, params }) => ({ items: await labelsOfChannel(env, principal, params.id) }),
      {
        response: { 200: LabelsView, ...REFUSALS },
        detail: {
          ...route({ operationId: "listLabels", isolation: { id: "channel" } }),
          summary: "List the labels of WhatsApp Business on a phone",
          description: "The phone shares them after it is linked. Only SESSION has any.",
        },
      },
    )
    .post(
      "/:id/labels",
      async ({ principal, params, body: { name, color = 0 }, status }) =>
        status(201, await makeLabel(env, principal, params.id, { name, color })),
      {
        body: MakeBody,
        response: { 201: LabelView, ...UPSTREAM_REFUSALS },
        detail: {
          ...link,
          ...route({ operationId: "makeLabel", ...ofPhone }),
          summary: "Make a label on a phone",
          description: "At most 100 are kept here; the app takes fewer. SESSION only.",
        },
      },
    )
    .patch(
      "/:id/labels/:label",
      ({ principal, params: { id, label: labelId }, body }) =>
        changeLabel(env, principal, { id, labelId, changes: body }),
      {
        body: ChangeBody,
        response: { 200: LabelView, ...UPSTREAM_REFUSALS },
        detail: {
          ...link,
          ...route({ operationId: "changeLabel", ...ofLabel }),
          summary: "Rename or recolour a label",
          description: "An absent field stays. SESSION only.",
        },
      },
    )
    .delete(
      "/:id/labels/:label",
      async ({ principal, params: { id, label: labelId }, status }) => {
        await removeLabel(env, principal, { id, labelId });
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...UPSTREAM_REFUSALS },
        detail: {
          ...link,
          ...route({ operationId: "deleteLabel", ...ofLabel }),
          summary: "Delete a label",
          description: "No chat has it any more. SESSION only.",
        },
      },
    )
    .post(
      "/:id/chats/resync",
      async ({ principal, params, status }) => {
        await resyncChats(env, principal, params.id);
        return status(204, undefined);
      },
      {
        body: OptionalBody({}),
        response: { 204: Nothing, ...UPSTREAM_REFUSALS },
        detail: {
          ...link,
          ...route({ operationId: "resyncChats", ...ofPhone }),
          summary: "Read again how the phone's app shows its chats",
          description:
            "For chats and labels that differ from the app. What is read this way is no event. SESSION only.",
        },
      },
    );
