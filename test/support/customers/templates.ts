import { HOUR_MS } from "../../../src/kernel/clock.ts";
import { type ChannelId, newId } from "../../../src/kernel/ids.ts";
import { findChannel } from "../../../src/store/tables/channels/channels.ts";
import { insertTemplate, type TemplateRow } from "../../../src/store/tables/messaging/templates.ts";
import { EVERY_TENANT } from "../../../src/store/tables/scope.ts";
import type { World } from "../world.ts";
import { type Customer, rowsOf } from "./customer.ts";

/**
 * Stores a template of a phone like a sync of an hour ago, APPROVED by default. The network does not know it: its parts
 * are old, so that values beside them are refused by the network alone. Returns its id.
 */
export const knownTemplate = async (w: World, phoneId: string, more: Partial<TemplateRow> = {}): Promise<string> => {
  const { env } = w.app;
  const listedAt = env.clock.now() - HOUR_MS;
  const template: TemplateRow = {
    id: newId(env),
    tenantId: (await env.db.read((reader) => findChannel(reader, EVERY_TENANT, phoneId)))?.tenantId ?? missing(phoneId),
    channelId: phoneId as ChannelId,
    name: "hello",
    language: "pt_BR",
    category: "UTILITY",
    status: "APPROVED",
    components: [{ type: "BODY", text: "Olá!" }],
    nativeId: `1689${Math.floor(env.random.float() * 1e12)}`,
    rejectionReason: null,
    providerUpdatedAt: null,
    componentsListedAt: null,
    maxPricePer1000: null,
    createdAt: listedAt,
    updatedAt: listedAt,
    ...more,
  };
  await env.db.write((tx) => insertTemplate(tx, template));
  return template.id;
};

const missing = (phoneId: string): never => {
  throw new Error(`there is no phone ${phoneId}`);
};

export const BODY = { type: "BODY", text: "Olá {{1}}, o seu pedido chegou.", example: { body_text: [["Ana"]] } };
export const TEMPLATE = { name: "order_update", language: "pt_BR", category: "UTILITY", components: [BODY] };

/** A customer's calls about templates; `create` submits `TEMPLATE` by default. */
export const templatesOf = (w: World, { key, phone }: Pick<Customer, "key" | "phone">) => {
  const path = (id: string) => `/v1/templates/${id}`;
  return {
    create: (more: object = {}) =>
      w.gateway("/v1/templates", { key, body: { phoneId: phone.id, ...TEMPLATE, ...more } }),
    get: (id: string) => w.gateway(path(id), { key }),
    list: async (query = ""): Promise<any[]> => (await w.gateway(`/v1/templates${query}`, { key })).body,
    edit: (id: string, body: object) => w.gateway(path(id), { key, body, method: "PATCH" }),
    remove: (id: string) => w.gateway(path(id), { key, method: "DELETE" }),
    sync: (phoneId = phone.id) => w.gateway("/v1/templates/sync", { key, body: { phoneId } }),
  };
};

/** The id that the network has for the phone's business account. */
export const businessAccountOf = async (w: World, phoneId: string): Promise<string> =>
  (await rowsOf<{ account_id: string }>(w, "SELECT account_id FROM channels WHERE id = ?1", [phoneId]))[0]
    ?.account_id ?? missing(phoneId);

type TemplateUpdate = {
  id: string;
  name?: string;
  language?: string;
  field?: string;
  atMs?: number;
  [field: string]: unknown;
};

/**
 * Lets the network report a template in a separate envelope: by default a review that ended with `event`. Resolves
 * after all effects.
 */
export const postTemplateUpdate = async (
  w: World,
  phoneId: string,
  {
    id,
    name = TEMPLATE.name,
    language = "pt-BR",
    field = "message_template_status_update",
    atMs,
    ...more
  }: TemplateUpdate,
) => {
  const value = {
    message_template_id: Number(id),
    message_template_name: name,
    message_template_language: language,
    ...more,
  };
  const time = Math.floor((atMs ?? w.clock.now()) / 1000);
  await w.graph.inbound.raw({
    object: "whatsapp_business_account",
    entry: [{ id: await businessAccountOf(w, phoneId), time, changes: [{ field, value }] }],
  });
  await w.settle();
};
