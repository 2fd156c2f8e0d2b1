import { Elysia } from "elysia";
import type { Json } from "../../kernel/texts/json.ts";
import { type CloudAuth, type Principal, requireAccount, requireNumber, unknownObject } from "./auth.ts";
import { paramsOf } from "./bodies.ts";
import type { CloudEnv } from "./env.ts";
import { Refused } from "./errors.ts";
import { mediaOfId, ownTemplateIdOf } from "./ids.ts";
import { deleteMedia, describeMedia } from "./media.ts";
import { accountNode, numberNode, picked } from "./numbers.ts";
import { saveWebhookConfiguration, webhookConfigurationOf } from "./targets.ts";
import { changeTemplate, requireTemplate, templateNode } from "./templates.ts";

/** The object that an id names, in the path and in the answer. */
const nodeOf = async (env: CloudEnv, principal: Principal, id: string): Promise<Json> => {
  const { numberId, accountId } = principal.number;
  if (id === numberId) {
    const webhook = await webhookConfigurationOf(env, principal);
    return { ...(await numberNode(env, principal)), ...(webhook ? { webhook_configuration: webhook } : {}) };
  }
  if (id === accountId) return accountNode(env, principal);
  const media = mediaOfId(id);
  if (media) return { ...(await describeMedia(env, principal, { id, media })) };
  return { ...templateNode(await requireTemplate(env, principal, id)) };
};

const CONNECTED_HERE = "The number is connected in Recado. Its owner connects, verifies and removes it there.";

/** The objects of the Cloud API: phone number, account, file, template. Each is found by its id alone. */
export const nodes = (env: CloudEnv, auth: CloudAuth) => {
  const refused = ({ principal, params }: { principal: Principal; params: { id: string } }) => {
    requireNumber(principal, params.id);
    throw new Refused("permission", CONNECTED_HERE);
  };
  return new Elysia()
    .use(auth)
    .get("/:version/:id", async ({ principal, params: { id }, request }) => {
      const { fields } = await paramsOf(env, request);
      return picked(await nodeOf(env, principal, id), fields);
    })
    .post("/:version/:id", async ({ principal, params: { id }, request }) => {
      const params = await paramsOf(env, request);
      if (ownTemplateIdOf(id) !== undefined) return changeTemplate(env, principal, id, params);
      requireNumber(principal, id);
      if (params["webhook_configuration"] === undefined) throw new Refused("permission", CONNECTED_HERE);
      await saveWebhookConfiguration(env, principal, params["webhook_configuration"]);
      return { success: true };
    })
    .delete("/:version/:id", async ({ principal, params: { id } }) => {
      const media = mediaOfId(id);
      if (!media) throw unknownObject(id);
      return deleteMedia(env, principal, { id, media });
    })
    .get("/:version/:id/phone_numbers", async ({ principal, params: { id }, request }) => {
      requireAccount(principal, id);
      const { fields } = await paramsOf(env, request);
      const number = await numberNode(env, principal);
      return { data: [picked(number, fields)], paging: { cursors: { before: number["id"], after: number["id"] } } };
    })
    .post("/:version/:id/register", refused)
    .post("/:version/:id/deregister", refused)
    .post("/:version/:id/request_code", refused)
    .post("/:version/:id/verify_code", refused);
};
