import { DEDICATED, newCode, ownNumber } from "../customers/signup.ts";
import { newSocialAccount, REDIRECT, type SocialWorld } from "../networks/social.ts";
import type { Attempt } from "../tenants/isolation.ts";
import { joined, made, tokenIn } from "../tenants/platform.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { WEBHOOK_SECRET } from "../world.ts";
import type { CloudProgram } from "./cloud-program.ts";

/** Makes a request when it is its turn: a code of a network is good for a short time. */
export type LateAttempt = () => Attempt;

/**
 * TABLE: requests of a tenant that succeed only with something that was made for them, by the API and the name of their
 * route. `program`: a program for the Cloud API, which takes handshakes.
 */
export const preparedAttempts = async (
  s: SocialWorld,
  program: CloudProgram,
  { ids, gatewayKey: key, token, hook }: Tenant,
): Promise<Readonly<Record<string, readonly LateAttempt[]>>> => {
  const { w, instagram } = s;
  const phone = { id: ids.phoneId };
  const cloudWebhook = { url: program.url, verifyToken: program.verifyToken };
  made(await w.gateway(`/v1/phones/${phone.id}/cloud-api/webhook`, { key, method: "PUT", body: cloudWebhook }), 200);
  const { wabaBusinessAccountId } = made(await w.gateway(`/v1/phones/${phone.id}`, { key }), 200);
  const channel = { channelId: ids.phoneId };
  const accessToken = `EAArotated${ids.phoneNumberId}`;
  w.graph.addToken({ token: accessToken, businessAccountIds: [wabaBusinessAccountId] });
  const credentials = {
    phoneNumberId: ids.phoneNumberId,
    businessAccountId: String(wabaBusinessAccountId),
    accessToken,
  };
  const [guest, other, account] = [await w.institution(), await w.institution(), await w.account()];
  await joined(w, { id: ids.tenantId, token }, guest);
  const member = { institutionId: ids.tenantId, userId: guest.userId };
  const invitation = made(
    await w.platform(`/v1/institutions/${other.id}/members`, { token: other.token, body: { email: ids.email } }),
    201,
  );
  const { code } = made(await w.gateway("/v1/account/join-codes", { key: account.key, method: "POST" }), 201);
  const owned = ownNumber(w, DEDICATED);
  const { igUserId } = newSocialAccount(s);
  const webhook = { url: `${hook.url}/signed-up`, secret: WEBHOOK_SECRET };
  const { wabaId, phoneNumberId } = owned;
  const signUp = (more: object): Attempt => ({
    body: { code: newCode(w, owned).code, wabaId, phoneNumberId, ...more },
  });
  const consent = (more: object): Attempt => ({
    body: { code: instagram.authorize({ redirectUri: REDIRECT, igUserId }), redirectUri: REDIRECT, ...more },
  });
  const ofPhone =
    (body: object): LateAttempt =>
    () => ({ params: phone, body });
  return {
    "gateway PATCH /v1/phones/{id}": [ofPhone({ webhook: {} })],
    "gateway PUT /v1/phones/{id}/cloud-api/webhook": [ofPhone(cloudWebhook)],
    "gateway POST /v1/phones/{id}/rotate-token": [ofPhone({ accessToken })],
    "gateway PUT /v1/phones/{id}/credentials": [ofPhone({ credentials })],
    "platform PUT /v1/channels/{channelId}/credentials": [() => ({ params: channel, body: { credentials } })],
    "gateway POST /v1/phones/waba/embedded-signup": [() => signUp({ webhook }), () => signUp({ webhook: {} })],
    "gateway POST /v1/phones/social/oauth": [() => consent({ webhook }), () => consent({ webhook: {} })],
    "platform PATCH /v1/institutions/{institutionId}/members/{userId}": [
      () => ({ params: member, body: { role: "VIEWER" } }),
    ],
    "platform DELETE /v1/institutions/{institutionId}/members/{userId}": [() => ({ params: member })],
    "platform POST /v1/institutions/{institutionId}/accounts": [
      () => ({ params: { institutionId: ids.tenantId }, body: { code } }),
    ],
    "platform POST /v1/auth/accept-invitation": [() => ({ body: { token: tokenIn(invitation.link) } })],
    "platform POST /v1/auth/change-password": [
      () => ({ body: { currentPassword: "password-1", newPassword: "password-2" } }),
    ],
    "platform POST /v1/auth/delete-user": [() => ({ body: { password: "password-2" } })],
  };
};
