import { Elysia } from "elysia";
import { type App, readApp, removeApp, saveApp } from "../../core/channels/settings/apps.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import { NEWEST_GRAPH } from "../../kernel/settings/graph-version.ts";
import { type Json, listOf, parsedJson, recordOf } from "../../kernel/texts/json.ts";
import { CLOUD, cloudProfileOf } from "../shared/cloud-programs.ts";
import { type CloudAuth, type Principal, requireAccount, requireApp } from "./auth.ts";
import { paramsOf } from "./bodies.ts";
import type { CloudEnv } from "./env.ts";
import { FIELDS } from "./render/envelope.ts";

// The address of a phone's webhooks, by the three calls of the Cloud API that set it. A phone has one address.

const OBJECT = "whatsapp_business_account";
const SUCCESS = { success: true };

type Asked = { url: string; verifyToken: string; events?: readonly string[] };

const textIn = (fields: Json, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/**
 * The address and token that a call names; undefined for a call without an address.
 * @throws AppError VALIDATION for an address without a token
 */
const askedIn = (fields: Json, name: string): Asked | undefined => {
  const [url, verifyToken] = [textIn(fields, name), textIn(fields, "verify_token")];
  if (url === undefined) return undefined;
  if (verifyToken === undefined) throw invalid(issue("verify_token", "required", `is required with ${name}`));
  return { url, verifyToken };
};

const ofPhone = ({ channelId }: Principal) => ({ channelId, audience: CLOUD });

const save = async (env: CloudEnv, principal: Principal, { url, ...rest }: Asked): Promise<void> => {
  const current = await readApp(env, principal, ofPhone(principal));
  const profile = current?.profile ?? cloudProfileOf(url);
  await saveApp(env, principal, ofPhone(principal), { url, profile, ...rest });
};

/** A phone without an address has none to lose. */
const remove = async (env: CloudEnv, principal: Principal): Promise<void> => {
  try {
    await removeApp(env, principal, ofPhone(principal));
  } catch (refusal) {
    if (!(refusal instanceof AppError && refusal.code === "SUBSCRIPTION_NOT_FOUND")) throw refusal;
  }
};

/**
 * `webhook_configuration` of a phone number: sets its address, or removes it if the text is empty.
 * @throws AppError VALIDATION, HANDSHAKE_REFUSED
 */
export const saveWebhookConfiguration = async (env: CloudEnv, principal: Principal, given: unknown): Promise<void> => {
  const fields = recordOf(typeof given === "string" ? parsedJson(given) : given);
  const asked = askedIn(fields, "override_callback_uri");
  if (asked) await save(env, principal, asked);
  else if (fields["override_callback_uri"] === "") await remove(env, principal);
  else throw invalid(issue("webhook_configuration.override_callback_uri", "required", "is required"));
};

/** The field `webhook_configuration` of a phone number; undefined if it has no address. */
export const webhookConfigurationOf = async (
  env: CloudEnv,
  principal: Principal,
): Promise<{ phone_number: string } | undefined> => {
  const app = await readApp(env, principal, ofPhone(principal));
  return app && { phone_number: app.url };
};

/** The names in `fields`: a list, its JSON, or names with commas. Names of other fields are left out. */
const eventsIn = (given: unknown): string[] => {
  const parsed = typeof given === "string" ? (parsedJson(given) ?? given.split(",")) : given;
  const names = listOf(parsed).map((name) => String(recordOf(name)["name"] ?? name).trim());
  return FIELDS.filter((field) => names.includes(field));
};

const subscriptionOf = ({ url, events }: App) => ({
  object: OBJECT,
  callback_url: url,
  active: true,
  fields: (events.length > 0 ? events : FIELDS).map((name) => ({ name, version: NEWEST_GRAPH })),
});

export const targets = (env: CloudEnv, auth: CloudAuth) =>
  new Elysia()
    .use(auth)
    .get("/:version/:id/subscribed_apps", async ({ principal, params: { id } }) => {
      requireAccount(principal, id);
      const app = await readApp(env, principal, ofPhone(principal));
      const own = { id: principal.number.appId, name: "Recado", link: "https://www.facebook.com/games/" };
      return {
        data: [{ whatsapp_business_api_data: own, ...(app ? { override_callback_uri: app.url } : {}) }],
      };
    })
    .post("/:version/:id/subscribed_apps", async ({ principal, params: { id }, request }) => {
      requireAccount(principal, id);
      // without an address the program only says that it wants the webhooks: it gets them once there is an address
      const asked = askedIn(await paramsOf(env, request), "override_callback_uri");
      if (asked) await save(env, principal, asked);
      return SUCCESS;
    })
    .delete("/:version/:id/subscribed_apps", async ({ principal, params: { id } }) => {
      requireAccount(principal, id);
      await remove(env, principal);
      return SUCCESS;
    })
    .get("/:version/:id/subscriptions", async ({ principal, params: { id } }) => {
      requireApp(principal, id);
      const app = await readApp(env, principal, ofPhone(principal));
      return { data: app ? [subscriptionOf(app)] : [] };
    })
    .post("/:version/:id/subscriptions", async ({ principal, params: { id }, request }) => {
      requireApp(principal, id);
      const fields = await paramsOf(env, request);
      if (textIn(fields, "object") !== OBJECT) throw invalid(issue("object", "enum", `must be ${OBJECT}`));
      const asked = askedIn(fields, "callback_url");
      if (!asked) throw invalid(issue("callback_url", "required", "is required"));
      const events = eventsIn(fields["fields"]);
      if (events.length === 0) throw invalid(issue("fields", "enum", `must name one of ${FIELDS.join(", ")}`));
      await save(env, principal, { ...asked, events });
      return SUCCESS;
    })
    .delete("/:version/:id/subscriptions", async ({ principal, params: { id } }) => {
      requireApp(principal, id);
      await remove(env, principal);
      return SUCCESS;
    });
