import { expect, test } from "bun:test";
import { saidIn } from "../../src/apis/cloud/render/content.ts";
import { wireMessage } from "../../src/apis/shared/compatible/wire-messages.ts";
import type { InboundContent } from "../../src/contract/content/inbound-content.ts";
import { readableWords } from "../../src/core/ai/words.ts";
import { contactOf, type MessageReceived } from "../../src/core/domain-event.ts";
import type { ConversationId, MessageId } from "../../src/kernel/ids.ts";

const INVITATION = {
  type: "unsupported",
  content: { originalType: "groupInvite", title: "Equipe", text: "venha", url: "https://chat.whatsapp.com/AbC" },
} as const satisfies InboundContent;

const received = (content: InboundContent): MessageReceived => ({
  type: "message.received",
  messageId: "m" as MessageId,
  conversationId: "c" as ConversationId,
  at: 1,
  direction: "inbound",
  isHistory: false,
  media: null,
  from: contactOf({ pn: "5511911110001" }),
  chat: contactOf({ pn: "5511911110001" }),
  pushName: null,
  content,
  quotedMessageId: null,
  to: null,
});
const CONTEXT = {
  number: { numberId: "1", accountId: "1", displayNumber: "1" },
  phoneNumber: null,
  quotedType: null,
  sha256: null,
  sent: null,
  isTheirs: true,
};
const detailsOf = (content: InboundContent) => saidIn(received(content), CONTEXT);

test("G-611 the words of a message without a shape are in every API, and reach an agent", () => {
  expect(detailsOf(INVITATION)).toMatchObject({
    type: "unsupported",
    unsupported: { type: "groupInvite" },
    errors: [{ error_data: { details: "Equipe\nvenha\nhttps://chat.whatsapp.com/AbC" } }],
  });
  expect(wireMessage(INVITATION).message).toEqual({ unsupported: INVITATION.content });
  expect(readableWords(INVITATION)).toBe("venha");
});

test("a message without a word says so, and reaches no agent", () => {
  const call = { type: "unsupported", content: { originalType: "callLog", title: "voice, MISSED" } } as const;
  const bare = { type: "unsupported", content: { originalType: "x" } } as const;
  expect(detailsOf(bare)).toMatchObject({
    errors: [{ error_data: { details: "The network gave no content of this message." } }],
  });
  expect([readableWords(call), readableWords(bare)]).toEqual([undefined, undefined]);
});
