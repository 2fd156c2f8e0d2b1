import { EVENT_NAMES } from "../../../src/apis/platform/events/definitions.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { type ChannelId, newId, type TenantId } from "../../../src/kernel/ids.ts";
import { insertLookup } from "../../../src/store/tables/messaging/lookups.ts";
import { invoice } from "../billing/invoicing.ts";
import { aiConversation, trialRun } from "../customers/agents/ai-chat.ts";
import { rowsOf } from "../customers/customer.ts";
import { arrives } from "../customers/media.ts";
import { storedPairingLink } from "../customers/pairing-link.ts";
import { knownTemplate } from "../customers/templates.ts";
import type { Receiver } from "../servers/receiver.ts";
import { type Answer, WEBHOOK_SECRET, type World } from "../world.ts";
import { claimsOf, connectedChannel, customer, gatewayKeyOf, made, tokenIn } from "./platform.ts";
import { type HistoryIds, newHistory } from "./tenant-history.ts";

/** The id of one thing of every sort that a tenant has. */
export type Ids = {
  tenantId: string;
  userId: string;
  email: string;
  sessionId: string;
  invitationId: string;
  invitationToken: string;
  phoneId: string;
  phoneNumberId: string;
  messageId: string;
  scheduledId: string;
  eventId: string;
  deliveryId: string;
  sharedId: string;
  flowId: string;
  cannedReplyId: string;
  groupId: string;
  taskId: string;
  webhookId: string;
  keyId: string;
  gatewayKeyId: string;
  pairingLinkId: string;
  cloudTokenId: string;
  templateId: string;
  mediaId: string;
  invoiceId: string;
  aiConversationId: string;
  docId: string;
  trialRunId: string;
  toolId: string;
  aiTurnId: string;
  callId: string;
  upstreamCallId: string;
} & HistoryIds;

/** A tenant of both APIs with one of everything, and all words that could identify it. */
export type Tenant = {
  ids: Ids;
  gatewayKey: string;
  token: string;
  key: string;
  testKey: string;
  hook: Receiver;
  phoneNumberId: string;
  words: string[];
};

export const IDEMPOTENCY_KEY = "the-same-idempotency-key";

export const newTenant = async (w: World, name: string): Promise<Tenant> => {
  const who = await customer(w);
  const gatewayKey = await gatewayKeyOf(w, who);
  const hook = w.receiver();
  const channel = await connectedChannel(w, who);
  const gateway = async (path: string, status: number, body?: object, method?: string) =>
    made(await w.gateway(path, { key: gatewayKey, ...(body ? { body } : {}), ...(method ? { method } : {}) }), status);
  const shared = await gateway("/v1/webhooks", 201, {
    label: `${name} shared`,
    url: `${hook.url}/${name}/shared`,
    secret: WEBHOOK_SECRET,
  });
  await gateway(
    `/v1/phones/${channel.id}`,
    200,
    { webhook: { url: `${hook.url}/${name}/own`, secret: WEBHOOK_SECRET }, sharedWebhookId: shared.id },
    "PATCH",
  );
  const flow = await gateway("/v1/flows", 201, { phoneId: channel.id, name: `${name} flow`, categories: ["SURVEY"] });
  const reply = await gateway("/v1/canned-replies", 201, { shortcut: name, text: `${name} reply` });
  await gateway(`/v1/phones/${channel.id}/flows-keypair`, 201, undefined, "POST");
  const group = await gateway("/v1/groups", 201, { phoneId: channel.id, subject: `${name} group` });
  await gateway(`/v1/phones/${channel.id}/ai-agent`, 200, { systemPrompt: `${name} prompt of the agent` }, "PUT");
  const knowledge = { source: "TEXT_INLINE", title: `${name} knowledge`, text: `${name} knows what nobody else does` };
  const document = await gateway(`/v1/phones/${channel.id}/ai-agent/knowledge`, 202, knowledge);
  const tool = await gateway(`/v1/phones/${channel.id}/ai-agent/tools`, 201, {
    name: "order_status",
    description: `${name} tool of the agent`,
    parameters: { type: "object", properties: {} },
    url: `${hook.url}/${name}/tool`,
    secret: WEBHOOK_SECRET,
  });
  await gateway("/v1/account/integrations/llm", 200, { defaultModel: `${name}-model` }, "PATCH");
  const webhook = made(
    await w.platform("/v1/webhooks", {
      key: who.key,
      body: {
        name: `${name} webhook`,
        url: `${hook.url}/${name}/platform`,
        events: EVENT_NAMES,
        secret: WEBHOOK_SECRET,
      },
    }),
    201,
  ).data;
  const message = await gateway("/v1/messages", 202, {
    phoneId: channel.id,
    to: "5511999990001",
    type: "text",
    content: { text: `${name} text` },
    idempotencyKey: IDEMPOTENCY_KEY,
  });
  const later = { phoneId: channel.id, to: "5511999990001", type: "text", content: { text: `${name} later` } };
  const scheduled = await gateway("/v1/messages/scheduled", 201, {
    scheduledAt: new Date(w.clock.now() + 364 * DAY_MS).toISOString(),
    payload: later,
  });
  await w.settle();
  await w.graph.deliverStatuses(
    [...w.graph.sent.values()].find(({ bizOpaque }) => bizOpaque === message.messageId)?.wamid ?? "",
    ["sent"],
  );
  await w.settle();
  await arrives(w, { phone: channel }, { kind: "document", filename: `${name}.png` });
  await w.settle();
  const [file] = await rowsOf<{ id: string }>(w, "SELECT id FROM media WHERE channel_id = ?1", [channel.id]);
  const call = await recordedCall(w, { key: gatewayKey, phone: channel, offer: `v=0 ${name} offer` });
  const history = await newHistory(w, who, channel, name);
  const taskId = newId(w.app.env);
  const results = [{ phoneNumber: "5511999990001", exists: true, jid: `${name}@s.whatsapp.net` }];
  await w.app.env.db.write((tx) =>
    insertLookup(tx, {
      id: taskId,
      tenantId: who.id as TenantId,
      channelId: channel.id as ChannelId,
      numbers: ["5511999990001"],
      results,
      expiresAt: w.clock.now() + 364 * DAY_MS,
    }),
  );
  const [event] = (await gateway("/v1/events?type=message:status", 200)).items;
  const { deliveries } = await gateway(`/v1/events/${event.id}`, 200);
  await w.settle();
  const [key] = made(await w.platform("/v1/api-keys", { token: who.token }), 200).data;
  const [ofGateway] = made(await w.gateway(`/v1/admin/accounts/${who.id}/api-keys`, { admin: true }), 200);
  const invited = made(
    await w.platform(`/v1/institutions/${who.id}/members`, {
      token: who.token,
      body: { email: `${name}.invited@example.com` },
    }),
    201,
  );
  const ids: Ids = {
    ...history.ids,
    tenantId: who.id,
    userId: who.userId,
    email: who.email,
    invitationId: invited.invitationId,
    invitationToken: tokenIn(invited.link),
    sessionId: String(claimsOf(who.token)["jti"]),
    phoneId: channel.id,
    phoneNumberId: channel.phoneNumberId,
    messageId: message.messageId,
    scheduledId: scheduled.id,
    eventId: event.id,
    deliveryId: deliveries[0].id,
    sharedId: shared.id,
    flowId: flow.id,
    cannedReplyId: reply.id,
    groupId: group.id,
    taskId,
    webhookId: webhook.id,
    keyId: key.id,
    gatewayKeyId: ofGateway.id,
    pairingLinkId: await storedPairingLink(w, who.id, channel.id),
    cloudTokenId: (await gateway(`/v1/phones/${channel.id}/cloud-api/tokens`, 201, { name: `${name} cloud` })).id,
    mediaId: file?.id ?? "missing",
    invoiceId: made(await invoice(w, who.id, { totalCents: 4711, dueDate: "2099-01-01" }), 201).id,
    docId: document.id,
    trialRunId: await trialRun(w, { name, tenantId: who.id as TenantId, channelId: channel.id as ChannelId }),
    toolId: tool.id,
    ...(await aiConversation(w, { name, tenantId: who.id as TenantId, channelId: channel.id as ChannelId })),
    callId: call.id,
    upstreamCallId: call.upstreamCallId,
    templateId: await knownTemplate(w, channel.id, {
      name: `${name}_template`,
      components: [{ type: "BODY", text: `${name} body` }],
    }),
  };
  const words = [
    ...Object.values(ids),
    `${name} shared`,
    `${name} flow`,
    `${name} reply`,
    `${name} group`,
    group.upstreamGroupId,
    group.inviteLink,
    `${name} prompt of the agent`,
    knowledge.title,
    `${name} words to the agent`,
    `${name}-model`,
    flow.upstreamFlowId,
    `${name} webhook`,
    ...history.words,
    `${name} text`,
    `${name}_template`,
    `${name} body`,
    `${name} later`,
    `${name} offer`,
    `${name}@s.whatsapp.net`,
    `${name}.png`,
    `/${name}/`,
    channel.number,
    channel.phoneNumberId,
    channel.accessToken,
  ];
  return {
    ids,
    gatewayKey,
    token: who.token,
    key: who.key,
    testKey: who.testKey,
    hook,
    phoneNumberId: channel.phoneNumberId,
    words,
  };
};

/** A rejected call of a user, with a recording. */
const recordedCall = async (
  w: World,
  { key, phone, offer }: { key: string; phone: { id: string; phoneNumberId: string }; offer: string },
) => {
  const { id: wacid } = await w.graph.calls.offer({ to: phone.phoneNumberId, from: "5511999990001", sdp: offer });
  await w.settle();
  const call = made(await w.gateway(`/v1/calls/${encodeURIComponent(wacid)}/reject`, { key, method: "POST" }), 200);
  made(
    await w.gateway(`/v1/calls/${call.id}/recording`, { key, raw: offer, headers: { "content-type": "audio/ogg" } }),
    201,
  );
  return call;
};

/** The tables of the process itself, which change by time alone; the counters of pictures are stored seconds later. */
const MACHINERY = ["processes", "cron_runs", "queues", "activity_hours"];

/** Every row of the database after all work, without the times and numbers of uses of keys. */
export const everyRow = (w: World): Promise<string[]> => rowsBut(w, [...MACHINERY, "rate_windows"]);

const rowsBut = async (w: World, left: readonly string[]): Promise<string[]> => {
  await w.settle();
  const tables = await rowsOf<{ name: string }>(
    w,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const kept = tables.filter(({ name }) => !left.includes(name));
  const rows = await Promise.all(
    kept.map(async ({ name }) =>
      (await rowsOf(w, `SELECT * FROM "${name}"`))
        .filter((row) => name !== "meta" || row["name"] !== "growth") // measured every hour
        .map((row) => `${name} ${JSON.stringify({ ...row, last_used_at: undefined })}`),
    ),
  );
  return rows.flat();
};

/** Every row of the database that belongs to the tenant, with its rate windows. */
export const rowsAbout = async (w: World, { ids }: Pick<Tenant, "ids">): Promise<string[]> =>
  (await rowsBut(w, MACHINERY)).filter((row) => Object.values(ids).some((id) => row.includes(id)));

/** The tenant's words in these answers. */
export const wordsIn = ({ words }: Pick<Tenant, "words">, answers: readonly Pick<Answer, "text">[]): string[] =>
  words.filter((word) => answers.some(({ text }) => text.includes(word)));
