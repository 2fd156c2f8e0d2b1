import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { readChatStates } from "../../../core/conversations/chats.ts";
import {
  acceptChatLabels,
  changeLabel,
  labelsOfChannel,
  makeLabel,
  removeLabel,
} from "../../../core/messaging/chats/chat-acts.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue, Text } from "../../../kernel/schema.ts";
import { type Principal, sessionOf, type WahaAuth } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { chatViews, chatWithPerson, labelledChats } from "./chat-views.ts";
import { COLOURS, labelView } from "./label-views.ts";

const LabelBody = Type.Object({
  name: Text(1, 100),
  color: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: COLOURS.length - 1 }), Type.Null()])),
  colorHex: Type.Optional(Type.Union([Text(0, 7), Type.Null()])),
});
const ChatLabels = Type.Object({
  labels: Type.Array(Type.Object({ id: Text(1, 200) }), { maxItems: 100 }),
});

/** @throws AppError VALIDATION unless a colour is named once, and is one of the palette */
const colorIn = ({ color, colorHex }: Static<typeof LabelBody>): number => {
  const isNumbered = typeof color === "number";
  if (isNumbered && colorHex) throw invalid(issue("colorHex", "forbidden", "must not stand beside color"));
  if (isNumbered) return color;
  if (!colorHex) throw invalid(issue("color", "required", "is required, or colorHex"));
  const found = COLOURS.indexOf(colorHex.toLowerCase());
  if (found < 0) throw invalid(issue("colorHex", "enum", `must be one of ${COLOURS.join(", ")}`));
  return found;
};

const read = { ...routeOptions({ scope: "phones.read" }) };
const readChats = { ...routeOptions({ scope: "chats.read" }) };
const write = { ...routeOptions({ scope: "phones.write", link: "required" }) };
const writeChats = { ...routeOptions({ scope: "chats.write", link: "required" }) };

/** The labels of WhatsApp Business. */
export const labels = (env: WahaEnv, auth: WahaAuth) => {
  /** @throws AppError VALIDATION if another label has the name */
  const refuseSecondName = async (principal: Principal, channelId: string, name: string, own?: string) => {
    const known = await labelsOfChannel(env, principal, channelId);
    if (known.some((label) => label.name === name && label.id !== own))
      throw invalid(issue("name", "enum", "is the name of another label"));
  };
  return new Elysia({ prefix: "/api/:session/labels" })
    .use(auth)
    .get(
      "/",
      async ({ principal, request }) => (await labelsOfChannel(env, principal, sessionOf(request).id)).map(labelView),
      { detail: read },
    )
    .post(
      "/",
      async ({ principal, request, body }) => {
        const { id } = sessionOf(request);
        const wanted = { name: body.name, color: colorIn(body) };
        await refuseSecondName(principal, id, wanted.name);
        return status(201, labelView(await makeLabel(env, principal, id, wanted)));
      },
      { body: LabelBody, detail: write },
    )
    .put(
      "/:labelId",
      async ({ principal, request, params: { labelId }, body }) => {
        const { id } = sessionOf(request);
        const changes = { name: body.name, color: colorIn(body) };
        await refuseSecondName(principal, id, changes.name, labelId);
        return labelView(await changeLabel(env, principal, { id, labelId, changes }));
      },
      { body: LabelBody, detail: write },
    )
    .delete(
      "/:labelId",
      async ({ principal, request, params: { labelId } }) => {
        await removeLabel(env, principal, { id: sessionOf(request).id, labelId });
        return { result: true };
      },
      { detail: write },
    )
    .get(
      "/chats/:chatId",
      async ({ principal, request, params: { chatId } }) => {
        const chat = await chatWithPerson(env, principal, { session: sessionOf(request), chatId });
        const [state] = await readChatStates(env, [chat]);
        return (state?.labels ?? []).map(labelView);
      },
      { detail: readChats },
    )
    .put(
      "/chats/:chatId",
      async ({ principal, request, params: { chatId }, body }) => {
        const { conversation } = await chatWithPerson(env, principal, { session: sessionOf(request), chatId });
        const ids = [...new Set(body.labels.map(({ id }) => id))];
        await acceptChatLabels(env, principal, conversation.id, ids);
        return "";
      },
      { body: ChatLabels, detail: writeChats },
    )
    .get(
      "/:labelId/chats",
      async ({ principal, request, params: { labelId } }) => {
        const chats = await labelledChats(env, principal, { session: sessionOf(request), labelId });
        return chatViews(env, chats);
      },
      { detail: readChats },
    );
};
