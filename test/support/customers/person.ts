import type { ProviderMessageId } from "../../../src/contract/events.ts";
import { openKeyStore } from "../../../src/core/channels/settings/vault.ts";
import { type ChannelId, type MessageId, newId, type TenantId } from "../../../src/kernel/ids.ts";
import { insertAiConversation, insertAiTurn } from "../../../src/store/tables/ai/ai-conversations.ts";
import { insertToolCall } from "../../../src/store/tables/ai/tools.ts";
import { putChatState } from "../../../src/store/tables/conversations/chat-states.ts";
import { findContactByNumber, updateContact } from "../../../src/store/tables/conversations/contacts.ts";
import { keepEarlyAct } from "../../../src/store/tables/messaging/early-acts.ts";
import { insertFallback } from "../../../src/store/tables/messaging/fallbacks.ts";
import { insertLookup } from "../../../src/store/tables/messaging/lookups.ts";
import { putMessageAct } from "../../../src/store/tables/messaging/message-acts.ts";
import { type Customer, connectedChannel, customer, gatewayKeyOf, made } from "../tenants/platform.ts";
import type { World } from "../world.ts";
import { messageWithFile } from "./media.ts";
import { knownTemplate } from "./templates.ts";

/** A person whose number has two spellings, with the id of another network. */
export const PERSON = { number: "5511987654321", otherSpelling: "551187654321", lid: "190000000012345" };
/** A word that every text, event and name of theirs contains. */
export const SENTINEL = "xylophonequartz";

export type Met = {
  who: Customer;
  gatewayKey: string;
  channel: { id: string; phoneNumberId: string };
  messageToAnother: string;
};

/** Lets a tenant and a person meet in every way that the product has. */
export const meet = async (w: World, word = SENTINEL): Promise<Met> => {
  const who = await customer(w);
  const key = await gatewayKeyOf(w, who);
  const channel = await connectedChannel(w, who);
  const hook = w.receiver();
  const gateway = async (path: string, status: number, body?: object, method?: string) =>
    made(await w.gateway(path, { key, ...(body ? { body } : {}), ...(method ? { method } : {}) }), status);
  await gateway(
    `/v1/phones/${channel.id}`,
    200,
    { webhook: { url: hook.url, secret: "a-secret-of-sixteen" } },
    "PATCH",
  );
  made(
    await w.platform("/v1/webhooks", {
      key: who.key,
      body: {
        name: "A webhook",
        url: `${hook.url}/p`,
        events: ["message.received", "message.sent"],
        secret: "a-secret-of-sixteen",
      },
    }),
    201,
  );
  const { number } = PERSON;
  const send = (to: string, text: string, more: object = {}) =>
    gateway("/v1/messages", 202, { phoneId: channel.id, to, type: "text", content: { text }, ...more });
  const { inbound } = w.graph;
  const toUs = { to: channel.phoneNumberId, from: number };

  await inbound.text({ ...toUs, text: `${word} inbound` });
  await w.settle();
  await send(number, `${word} outbound`, { idempotencyKey: `for-${number}` });
  const { messageId } = await send("5511999990002", `ask ${number} about it`);
  const template = { name: "offer", components: [{ type: "BODY", text: "Hello {{1}}" }] };
  await knownTemplate(w, channel.id, template);
  await gateway("/v1/messages", 202, {
    phoneId: channel.id,
    to: number,
    type: "template",
    content: { name: "offer", language: "pt_BR", variables: [`${word} template`] },
  });
  const later = { phoneId: channel.id, to: number, type: "text", content: { text: `${word} later` } };
  await gateway("/v1/messages/scheduled", 201, {
    scheduledAt: new Date(w.clock.now() + 86_400_000).toISOString(),
    payload: later,
  });
  await inbound.batch([
    {
      ...messageWithFile(
        w,
        { phone: channel },
        { kind: "document", filename: `${word}.png`, caption: `${word} caption` },
      ),
      from: number,
    },
  ]);
  await inbound.buttonReply({ ...toUs, id: "x", title: `${word} chosen` });
  await w.settle();
  await callOf(w, { key, channel, word });
  await batchOf(w, { who, channel, word });
  const group = await gateway("/v1/groups", 201, { phoneId: channel.id, subject: "a group" });
  const people = JSON.stringify([
    { waId: number, joinedAt: null },
    { waId: "5511999990002", joinedAt: null },
  ]);
  await run(
    w,
    "UPDATE groups SET participants = ?1, total_participant_count = 2, provider_updated_at = ?2 WHERE id = ?3",
    [people, JSON.stringify({ [number]: 1 }), group.id],
  );
  await storedRowsOf(w, { who, channel, word });
  await shownByPhone(w, channel.id as ChannelId);
  await w.settle();
  return { who, gatewayKey: key, channel, messageToAnother: messageId };
};

/** What the app of a session's phone shows of the person's chat. */
const shownByPhone = async (w: World, channelId: ChannelId): Promise<void> => {
  const chat = `pn:${PERSON.number}`;
  await w.app.env.db.write((tx) =>
    putChatState(tx, { channelId, chat, isArchived: true, isPinned: false, isMarkedUnread: false, mutedUntil: null }),
  );
  await run(w, "INSERT INTO chat_labels (channel_id, chat, label_id) VALUES (?1, ?2, '1')", [channelId, chat]);
  await run(
    w,
    `INSERT INTO chatwoot_chats (subscription_id, channel_id, chat, contact_id, conversation_id, is_named)
      VALUES (?1, ?1, ?2, 1, 1, 1)`,
    [channelId, chat],
  );
  await run(
    w,
    `INSERT INTO chatwoot_messages (id, subscription_id, channel_id, chat, conversation_id, chatwoot_id)
      VALUES (?1, ?1, ?1, ?2, 1, 1)`,
    [channelId, chat],
  );
  await run(w, "INSERT INTO history_import_items (channel_id, kind, ref, added_at) VALUES (?1, 'key', ?2, ?3)", [
    channelId,
    chat,
    w.clock.now(),
  ]);
};

const run = (w: World, sql: string, params: unknown[]) => w.app.env.db.write(async (tx) => tx.run(sql, params));

const callOf = async (w: World, { key, channel, word }: { key: string; channel: Met["channel"]; word: string }) => {
  const { id } = await w.graph.calls.offer({ to: channel.phoneNumberId, from: PERSON.number, sdp: `v=0 ${word}` });
  await w.settle();
  const call = made(
    await w.gateway(`/v1/calls/${encodeURIComponent(id)}/reject`, {
      key,
      method: "POST",
      headers: { "idempotency-key": "the-call" },
    }),
    200,
  );
  made(
    await w.gateway(`/v1/calls/${call.id}/recording`, {
      key,
      raw: `${word} recorded`,
      headers: { "content-type": "audio/ogg" },
    }),
    201,
  );
};

const batchOf = async (w: World, { who, channel, word }: { who: Customer; channel: Met["channel"]; word: string }) => {
  const recipients = [
    { to: "5511999990003", variables: { name: "somebody else" } },
    { to: PERSON.number, variables: { name: `${word} variable` } },
  ];
  made(
    await w.platform("/v1/bulk", {
      key: who.key,
      body: { channelId: channel.id, name: "A batch", text: "Hello {{name}}", recipients },
    }),
    202,
  );
  const alone = [PERSON.number];
  made(
    await w.platform("/v1/bulk", {
      key: who.key,
      body: { channelId: channel.id, name: "Another", text: `${word} alone`, recipients: alone },
    }),
    202,
  );
  await w.settle();
};

/** Stores the rows of agents, lookups, sessions and identities, as if they had met there. */
const storedRowsOf = async (
  w: World,
  { who, channel, word }: { who: Customer; channel: Met["channel"]; word: string },
) => {
  const { env } = w.app;
  const [tenantId, channelId] = [who.id as TenantId, channel.id as ChannelId];
  const { number, otherSpelling, lid } = PERSON;
  const at = env.clock.now();
  const conversationId = newId(env);
  await env.db.write(async (tx) => {
    const nothing = { handoffReason: null, handoffAt: null, closedAt: null, lastTurnAt: at, createdAt: at };
    await insertAiConversation(tx, {
      ...nothing,
      id: conversationId,
      tenantId,
      channelId,
      contactKey: `lid:${lid}`,
      status: "AI",
      turnCount: 1,
    });
    const ofTurn = {
      tokensEstimate: 1,
      chatMessageId: null,
      messageId: null,
      sentMessageId: null,
      retrievedChunkIds: null,
      createdAt: at,
    };
    const turnId = newId(env);
    await insertAiTurn(tx, {
      ...ofTurn,
      id: turnId,
      conversationId,
      role: "USER",
      content: `${word} to the agent`,
    });
    insertToolCall(tx, {
      id: newId(env),
      conversationId,
      turnId,
      callKey: "call_1",
      tool: "order_status",
      kind: "HTTP",
      arguments: `{"who":"${word} in the arguments"}`,
      outcome: "ANSWERED",
      answer: `${word} in the answer`,
      httpStatus: 200,
      durationMs: 1,
      createdAt: at,
    });
    await insertFallback(tx, {
      id: newId<MessageId>(env),
      tenantId,
      channelId,
      recipient: otherSpelling,
      afterMs: 1,
      reasons: ["lost"],
      mayArriveTwice: false,
      template: { name: "offer", variables: [`${word} in a fallback`] },
    });
    await putMessageAct(tx, {
      id: newId(env),
      tenantId,
      messageId: newId(env),
      kind: "edit",
      author: `pn:${number}`,
      chat: `pn:${number}`,
      text: `${word} edited`,
      at,
    });
    const results = [number, "5511999990002"].map((phoneNumber) => ({
      phoneNumber,
      exists: true,
      jid: `${phoneNumber}@s.whatsapp.net`,
    }));
    await insertLookup(tx, {
      id: newId(env),
      tenantId,
      channelId,
      numbers: results.map((one) => one.phoneNumber),
      results,
      expiresAt: at + 86_400_000,
    });
    tx.run("UPDATE identities SET lid = ?2, name = ?3 WHERE channel_id = ?1 AND pn IN (?4, ?5)", [
      channelId,
      lid,
      `${word} name`,
      number,
      otherSpelling,
    ]);
    const viewer = { tenantId, environment: "live" } as const;
    const contact = await findContactByNumber(tx, viewer, number);
    if (contact) await updateContact(tx, viewer, contact.id, { name: `${word} contact`, email: `${word}@example.com` });
    tx.run("INSERT INTO call_permissions (channel_id, peer, is_granted) VALUES (?1, ?2, 1) ON CONFLICT DO NOTHING", [
      channelId,
      `pn:${number}`,
    ]);
    tx.run(
      "INSERT INTO conversation_holders (channel_id, chat, is_held, since, at, last_user_at) VALUES (?1, ?2, 0, 1, 1700000000000, 1) " +
        "ON CONFLICT DO NOTHING",
      [channelId, `pn:${number}`],
    );
    const act = {
      kind: "edited",
      at,
      nativeId: "wamid.edit",
      key: "wamid.unknown" as ProviderMessageId,
      from: { pn: number },
      text: `${word} edited`,
    } as const;
    await keepEarlyAct(
      tx,
      { channelId, environment: "live", providerMessageId: act.key, actKey: "edited", expiresAt: at + 86_400_000, act },
      10,
    );
    const dead = JSON.stringify({ channelId, domainEvent: { from: { canonicalKey: `pn:${number}` }, text: word } });
    tx.run(
      "INSERT INTO discarded_jobs (kind, queue, payload, attempts, reason, discarded_at) VALUES ('x', 'x', ?1, " +
        "1, 'x', ?2)",
      [dead, at],
    );
  });
  const keyStore = await openKeyStore(env, channelId, async () => {});
  const message = Buffer.from(`${word} copied`).toString("base64");
  await keyStore.write({
    rows: [
      { kind: "creds", id: "creds", value: JSON.stringify({ me: { id: `${number}:1@s.whatsapp.net` } }) },
      { kind: "unlink", id: "old", value: JSON.stringify([{ me: { id: `${number}:1@s.whatsapp.net` } }]) },
      { kind: "session", id: `${number}.0`, value: "{}" },
      { kind: "session", id: "5511999990002.0", value: "{}" },
      { kind: "sender-key-memory", id: "1@g.us", value: JSON.stringify({ [`${lid}:3@lid`]: true }) },
      { kind: "address", id: number, value: JSON.stringify({ exists: true }) },
    ],
    messages: [
      {
        key: "3EB0AA" as ProviderMessageId,
        value: JSON.stringify({ key: { remoteJid: `${lid}@lid`, id: "3EB0AA" }, message, sender: `${lid}@lid` }),
      },
    ],
  });
};
