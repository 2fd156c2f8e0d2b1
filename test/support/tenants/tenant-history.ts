import type { World } from "../world.ts";
import { type Customer, made } from "./platform.ts";

/** The things that an institution has only through the platform. */
export type HistoryIds = {
  contactId: string;
  conversationId: string;
  receivedId: string;
  batchId: string;
  simulatedChannelId: string;
  simulatedMessageId: string;
};

const CONTACT = "5511999990003";
let counter = 0;

/**
 * A contact and the conversation with them, a message of theirs, an unfinished batch, and a channel of the sandbox with
 * a message. All contain the tenant's name.
 */
export const newHistory = async (
  w: World,
  who: Customer,
  channel: { id: string; phoneNumberId: string },
  name: string,
): Promise<{ ids: HistoryIds; words: string[] }> => {
  const { key, testKey } = who;
  const call = async (path: string, status: number, body?: object, as = key) =>
    made(await w.platform(path, { key: as, ...(body ? { body } : {}) }), status);
  const contact = await call("/v1/contacts", 201, {
    phoneNumber: CONTACT,
    name: `${name} contact`,
    email: `${name}.contact@example.com`,
    tags: [`${name} tag`],
    metadata: { of: `${name} data` },
  });
  await w.graph.inbound.text({ to: channel.phoneNumberId, from: CONTACT, text: `${name} inbound` });
  await w.settle();
  const [conversation] = (await call(`/v1/conversations?contactId=${contact.id}`, 200)).data;
  await call(`/v1/conversations/${conversation.id}/transfer`, 200, { userId: who.userId, note: `${name} note` });
  const [received] = (await call(`/v1/conversations/${conversation.id}/messages`, 200)).data;
  const toMany = {
    channelId: channel.id,
    name: `${name} batch`,
    text: `${name} to many`,
    recipients: [CONTACT, "5511999990005", "5511999990006"],
  };
  const { batchId } = await call("/v1/bulk", 202, toMany);

  const simulated = await call("/v1/channels", 201, { name: `${name} sandbox`, type: "CHAT_SESSION" });
  const simulatedNumber = `55219${String(++counter).padStart(8, "0")}`;
  const sandbox = (path: string, status: number, body: object) =>
    call(`/v1/sandbox/channels/${simulated.id}/${path}`, status, body, testKey);
  await sandbox("connect", 200, { phoneNumber: simulatedNumber });
  await sandbox("messages", 202, { from: CONTACT, text: `${name} simulated` });
  const { messageId } = await call(
    `/v1/channels/${simulated.id}/messages/text`,
    202,
    { to: CONTACT, text: `${name} of a test key` },
    testKey,
  );
  await w.settle();
  return {
    ids: {
      contactId: contact.id,
      conversationId: conversation.id,
      receivedId: received.id,
      batchId,
      simulatedChannelId: simulated.id,
      simulatedMessageId: messageId,
    },
    words: ["contact", "tag", "data", "inbound", "note", "sandbox", "simulated", "of a test key", "batch", "to many"]
      .map((word) => `${name} ${word}`)
      .concat(`${name}.contact@`, simulatedNumber),
  };
};
