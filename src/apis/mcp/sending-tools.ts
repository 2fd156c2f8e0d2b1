import { Type } from "@sinclair/typebox";
import { Text, Time, Uuid } from "../../kernel/schema.ts";
import { at, type Tool, tool } from "./tool.ts";

const sending = { isSend: true } as const;
const To = Text(1, 256, "Number with country code, such as 5511988887777");
const Words = Text(1, 4096, "The text, as the person reads it");
const Key = Type.Optional(Text(8, 120, "The same key within 24 hours sends the message once"));
const textOf = (text: string) => ({ type: "text", content: { text } });

/** TABLE: the tools that write to people or change something. */
export const SENDING_TOOLS: readonly Tool[] = [
  tool({
    ...sending,
    name: "send_message",
    title: "Send a text",
    about: "Sends a text to a person. An official phone can do so only within 24 hours of the person's last message.",
    input: Type.Object({ phoneId: Uuid(), to: To, text: Words, idempotencyKey: Key }),
    run: (call, { text, ...rest }) => call("POST", "/v1/messages", { body: { ...rest, ...textOf(text) } }),
  }),
  tool({
    ...sending,
    name: "answer_chat",
    title: "Answer in a chat",
    about: "Sends a text in an existing chat.",
    input: Type.Object({ chatId: Uuid(), text: Words, idempotencyKey: Key }),
    run: (call, { chatId, text, ...rest }) =>
      call("POST", at`/v1/chats/${chatId}/messages`, { body: { ...rest, ...textOf(text) } }),
  }),
  tool({
    ...sending,
    name: "send_template",
    title: "Send a template",
    about: "Sends an approved template of an official phone. It may start a conversation, and may cost money.",
    input: Type.Object({
      phoneId: Uuid(),
      to: To,
      name: Text(1, 512, "Name of the template"),
      language: Text(2, 16, "Language of the template, such as pt_BR"),
      variables: Type.Array(Text(0, 4096), { maxItems: 100, description: "Values of the body's variables, in order" }),
      idempotencyKey: Key,
    }),
    run: (call, { name, language, variables, ...rest }) =>
      call("POST", "/v1/messages", {
        body: { ...rest, type: "template", content: { name, language, variables } },
      }),
  }),
  tool({
    ...sending,
    name: "schedule_message",
    title: "Schedule a text",
    about: "Sends a text to a person at a later time.",
    input: Type.Object({ phoneId: Uuid(), to: To, text: Words, scheduledAt: Time() }),
    run: (call, { text, scheduledAt, ...rest }) =>
      call("POST", "/v1/messages/scheduled", { body: { scheduledAt, payload: { ...rest, ...textOf(text) } } }),
  }),
  tool({
    ...sending,
    name: "cancel_scheduled",
    title: "Cancel a scheduled message",
    about: "Cancels a message that waits for its time.",
    input: Type.Object({ scheduledId: Uuid() }),
    run: (call, { scheduledId }) => call("DELETE", at`/v1/messages/scheduled/${scheduledId}`),
  }),
  tool({
    ...sending,
    name: "mark_chat_read",
    title: "Mark a chat as read",
    about: "Marks the messages of a chat as read; the person may see that.",
    input: Type.Object({ chatId: Uuid() }),
    run: (call, { chatId }) => call("POST", at`/v1/chats/${chatId}/read`),
  }),
  tool({
    ...sending,
    name: "retry_webhook",
    title: "Try a webhook again",
    about: "Tries all deliveries that wait for a webhook now.",
    input: Type.Object({ webhookId: Uuid() }),
    run: (call, { webhookId }) => call("POST", at`/v1/webhooks/${webhookId}/retry`),
  }),
];
