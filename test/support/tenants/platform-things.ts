import { sha256 } from "../../../src/kernel/crypto.ts";
import { arrives } from "../customers/media.ts";
import { knownTemplate } from "../customers/templates.ts";
import type { World } from "../world.ts";
import {
  type Customer,
  claimsOf,
  connectedChannel,
  joined,
  made,
  rowsOf,
  sendText,
  tokenIn,
  wabaChannel,
  webhookBody,
} from "./platform.ts";
import { APPROVED, addressed, NOTHING, type Route, type Things } from "./platform-routes.ts";

/** One thing of the customer for everything that a path can name. */
export const thingsOf = async (w: World, who: Customer, { hasFile }: Pick<Route, "hasFile"> = {}): Promise<Things> => {
  const [stranger, member] = [await w.institution(), await w.institution()];
  await joined(w, who, member);
  const asMember = { token: who.token, body: { email: `invited-${member.email}` } };
  const { invitationId, link: mailed } = made(await w.platform(`/v1/institutions/${who.id}/members`, asMember), 201);
  // the same as after a mail server took it
  await w.app.env.db.write(async (tx) => tx.run("UPDATE invitations SET is_mailed = 1 WHERE id = ?1", [invitationId]));
  const { link: own } = made(
    await w.platform(`/v1/institutions/${stranger.id}/members`, { token: stranger.token, body: { email: who.email } }),
    201,
  );
  const apiKey = made(
    await w.platform("/v1/api-keys", { token: who.token, body: { name: "Another", permissions: ["channels.read"] } }),
    201,
  );
  const webhook = made(await w.platform("/v1/webhooks", { key: who.key, body: webhookBody() }), 201);
  const { id: channelId, credentials } = await wabaChannel(w, who.key);
  await knownTemplate(w, channelId, { name: APPROVED });
  const { messageId } = made(await sendText(w, who.testKey, channelId), 202);
  const [{ id: conversationId, contactId }] = made(await w.platform("/v1/conversations", { key: who.key }), 200).data;
  const { batchId } = made(
    await w.platform("/v1/bulk", { key: who.key, body: { channelId, text: "olá", recipients: ["5511999990003"] } }),
    202,
  );
  await w.settle();
  const link = async (purpose: string): Promise<string> => {
    const shown = made(
      await w.gateway("/v1/admin/users/reset", { admin: true, body: { email: stranger.email } }),
      201,
    ).link;
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE user_links SET purpose = ?1 WHERE hash = ?2", [purpose, sha256(tokenIn(shown))]),
    ); // the same as after a mail
    return tokenIn(shown);
  };
  return {
    ...NOTHING,
    institutionId: who.id,
    userId: member.userId,
    apiKeyId: apiKey.id,
    channelId,
    contactId,
    conversationId,
    messageId: hasFile ? await fileReceived(w, who) : messageId,
    batchId,
    sessionId: String(
      claimsOf(
        made(await w.platform("/v1/auth/login", { body: { email: who.email, password: "password-1" } }), 200).token,
      )["jti"],
    ),
    id: webhook.data.id,
    invitationId,
    strangerEmail: stranger.email,
    ownToken: tokenIn(own),
    mailedToken: tokenIn(mailed),
    verifyToken: await link("verify-email"),
    resetToken: await link("reset-password"),
    ...credentials,
  };
};

/** Makes one for all routes whose calls change nothing, and another for those of them that need a file. */
export const sharedByRoutes = <Made>(make: (spec: Route) => Promise<Made>): ((spec: Route) => Promise<Made>) => {
  const made = new Map<boolean, Promise<Made>>();
  return (spec) => {
    const hasFile = spec.hasFile === true;
    const one = made.get(hasFile) ?? make(spec);
    made.set(hasFile, one);
    return one;
  };
};

/** Whether a call of this route changes nothing, also if it is allowed. */
export const isReading = (route: string): boolean => route.startsWith("GET ");

/** A message that came with a file. */
const fileReceived = async (w: World, who: Customer): Promise<string> => {
  const channel = await connectedChannel(w, who);
  await arrives(w, { phone: channel });
  await w.settle();
  const [{ id }] = made(await w.platform(`/v1/conversations?channelId=${channel.id}`, { key: who.key }), 200).data;
  return made(await w.platform(`/v1/conversations/${id}/messages`, { key: who.key }), 200).data[0].id;
};

/** Calls a route of the table in the right way, with these credentials. */
export const callRoute = (
  w: World,
  [route, { body }]: readonly [string, Route],
  things: Things,
  as: { key?: string; token?: string },
) => {
  const { method, path } = addressed(route, things);
  return w.platform(path, { method, ...as, ...(body ? { body: body(things) } : {}) });
};

/** All data of the customer, in lists or not. A refusal must not change it. */
export const everything = async (w: World, { id, token }: Customer, { messageId }: Things) => {
  const lists = [
    "/v1/api-keys",
    "/v1/channels",
    "/v1/webhooks",
    "/v1/contacts",
    "/v1/conversations",
    `/v1/institutions/${id}/members`,
    "/v1/auth/institutions",
  ];
  const texts = await Promise.all(
    [...lists, `/v1/messages/${messageId}`].map(async (path) =>
      (await w.platform(path, { token })).text.replace(/"lastUsedAt":[^,]+/g, ""),
    ),
  );
  return { texts, rows: await rowsOf(w, id) };
};
