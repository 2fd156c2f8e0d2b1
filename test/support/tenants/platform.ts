import type { LinkState } from "../../../src/contract/events.ts";
import { getChannel } from "../../../src/core/channels/channel.ts";
import type { PlatformPlan } from "../../../src/core/tenancy/accounts/accounts.ts";
import type { TenantId } from "../../../src/kernel/ids.ts";
import type { Receiver } from "../servers/receiver.ts";
import { untilTrue } from "../waiting.ts";
import { type Answer, addWabaNumber, WEBHOOK_SECRET, type World } from "../world.ts";

/** An institution with a key for each environment, both with every permission. */
export type Customer = { id: string; token: string; userId: string; email: string; key: string; testKey: string };

export const customer = async (world: World, plan: PlatformPlan = "ENTERPRISE"): Promise<Customer> => {
  const institution = await world.institution(plan);
  const [key, testKey] = [
    await world.platformKey(institution.token),
    await world.platformKey(institution.token, { environment: "test" }),
  ];
  return { ...institution, key, testKey };
};

/** A key of the gateway for the same tenant, as an administrator may issue it. */
export const gatewayKeyOf = async (world: World, { id }: Pick<Customer, "id">): Promise<string> =>
  made(await world.gateway(`/v1/admin/accounts/${id}/api-keys`, { admin: true, body: { name: "Of the gateway" } }), 201)
    .key;

/** The token in the link of a mail. */
export const tokenIn = (text: string): string => /[?&]token=([\w-]+)/.exec(text)?.[1] ?? "";

/** Lets a user join an institution, and gives the user's token for it. */
export const joined = async (
  world: World,
  owner: { id: string; token: string },
  guest: { email: string; token: string },
  role = "MEMBER",
): Promise<string> => {
  const { link } = made(
    await world.platform(`/v1/institutions/${owner.id}/members`, {
      token: owner.token,
      body: { email: guest.email, role },
    }),
    201,
  );
  return made(
    await world.platform("/v1/auth/accept-invitation", { token: guest.token, body: { token: tokenIn(link) } }),
    200,
  ).token;
};

/** A recipient. The simulator answers this number like any other. */
export const RECIPIENT = "5511999990002";

export const sendText = (world: World, key: string, channelId: string, body: object = {}): Promise<Answer> =>
  world.platform(`/v1/channels/${channelId}/messages/text`, { key, body: { to: RECIPIENT, text: "olá", ...body } });

/** A CHAT_WABA channel with credentials of a number that the upstream knows. It is still DISCONNECTED. */
export const wabaChannel = async (
  world: World,
  key: string,
): Promise<{
  id: string;
  number: string;
  phoneNumberId: string;
  accessToken: string;
  credentials: Record<string, string>;
}> => {
  const { number, ...credentials } = addWabaNumber(world.graph);
  const channel = made(
    await world.platform("/v1/channels", { key, body: { name: "A channel", type: "CHAT_WABA", credentials } }),
    201,
  );
  const { phoneNumberId, accessToken } = credentials;
  return { id: channel.id, number, phoneNumberId, accessToken, credentials };
};

export const connect = async (
  world: World,
  { id: tenantId, key }: Pick<Customer, "id" | "key">,
  channelId: string,
): Promise<void> => {
  made(await world.platform(`/v1/channels/${channelId}/connect`, { key, method: "POST" }), 200);
  await untilState(world, tenantId, channelId, "CONNECTED");
};

export const connectedChannel = async (world: World, who: Pick<Customer, "id" | "key">) => {
  const channel = await wabaChannel(world, who.key);
  await connect(world, who, channel.id);
  return channel;
};

/** Waits until the channel has this status, because its link speaks with the upstream over real HTTP. */
export const untilState = async (
  world: World,
  tenantId: string,
  channelId: string,
  state: LinkState,
): Promise<void> => {
  await untilTrue(
    async () => (await getChannel(world.app.env, { tenantId: tenantId as TenantId }, channelId)).state === state,
  );
  await world.settle();
};

export const webhookBody = (fields: object = {}) => ({
  name: "A webhook",
  url: "https://hooks.example.com/in",
  events: ["message.sent"],
  secret: WEBHOOK_SECRET,
  ...fields,
});

/** A webhook at the receiver, by default for `message.sent`. */
export const webhookAt = async (
  world: World,
  key: string,
  receiver: Pick<Receiver, "url">,
  fields: object = {},
): Promise<string> =>
  made(await world.platform("/v1/webhooks", { key, body: webhookBody({ url: receiver.url, ...fields }) }), 201).data.id;

/** The webhook in the form of GET. */
export const webhookOf = async (world: World, key: string, id: string) =>
  made(await world.platform(`/v1/webhooks/${id}`, { key }), 200).data;

export const changeWebhook = async (world: World, key: string, id: string, fields: object) =>
  made(await world.platform(`/v1/webhooks/${id}`, { key, method: "PATCH", body: fields }), 200).data;

/** The attempts made for a webhook, newest first. */
export const logsOf = async (world: World, key: string, id: string, query = "?limit=100") =>
  made(await world.platform(`/v1/webhooks/${id}/logs${query}`, { key }), 200).data;

/** The answer's body. Throws if the status differs. */
// oxlint-disable-next-line typescript/no-explicit-any -- as in World: the bodies that tests read
export const made = (answer: Answer, status: number): any => {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
};

/** The payload of a JWT, unverified. */
export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;

/** The numbers of the tenant's messages, events and deliveries. A refusal must not change them. */
export const rowsOf = (world: World, tenantId: string): Promise<Record<string, number>> =>
  world.app.env.db.read(async (reader) => {
    const count = async (table: string) =>
      (await reader.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = ?1`, [tenantId]))[0]?.n ??
      0;
    const tables = [
      "channels",
      "messages",
      "received_messages",
      "contacts",
      "conversations",
      "batches",
      "events",
      "deliveries",
      "subscriptions",
      "api_keys",
      "members",
    ];
    return Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await count(table)] as const)));
  });

/**
 * A customer with a channel; `send` makes one `message.sent` there, simulated and without waiting for its receipts, and
 * gives the message's id.
 */
export const simulatedSender = async (
  world: World,
): Promise<Customer & { channelId: string; send(): Promise<string> }> => {
  const who = await customer(world);
  const { id: channelId } = await wabaChannel(world, who.key);
  const send = async () => {
    const { messageId } = made(await sendText(world, who.testKey, channelId), 202);
    await world.settle();
    return messageId;
  };
  return { ...who, channelId, send };
};
