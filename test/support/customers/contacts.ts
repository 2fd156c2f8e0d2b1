import type { Identity } from "../../../src/contract/events.ts";
import { type ContactRow, ensureContact } from "../../../src/core/conversations/contacts.ts";
import { contactOf } from "../../../src/core/domain-event.ts";
import type { ChannelId, TenantId } from "../../../src/kernel/ids.ts";
import type { Receiver } from "../servers/receiver.ts";
import { type Customer, made } from "../tenants/platform.ts";
import type { Answer, World } from "../world.ts";

type Who = Pick<Customer, "id" | "key">;

export const NUMBER = "5511999990001";

export const addContact = (world: World, { key }: Pick<Who, "key">, fields: object = {}): Promise<Answer> =>
  world.platform("/v1/contacts", { key, body: { phoneNumber: NUMBER, name: "Ana", ...fields } });

export const contactBy = (world: World, { key }: Pick<Who, "key">, id: string): Promise<Answer> =>
  world.platform(`/v1/contacts/${id}`, { key });

export const changeContact = (world: World, { key }: Pick<Who, "key">, id: string, fields: object): Promise<Answer> =>
  world.platform(`/v1/contacts/${id}`, { key, method: "PATCH", body: fields });

/** The answer of a page of contacts. */
export const contactsOf = async (world: World, { key }: Pick<Who, "key">, query: Record<string, string> = {}) =>
  made(await world.platform(`/v1/contacts?${new URLSearchParams(query).toString()}`, { key }), 200);

/** The names of the contacts that a search finds. */
export const foundBy = async (world: World, who: Pick<Who, "key">, search: string): Promise<string[]> =>
  (await contactsOf(world, who, { search, limit: "100" })).data.map(({ name }: { name: string }) => name);

export const CONTACT_EVENTS = ["contact.created", "contact.updated", "conversation.closed"];

/** The events that a webhook got: the type, and the contact. */
export const receivedBy = ({ arrived }: Receiver) =>
  arrived.map(({ body }) => [body.type, body.contact ?? body.conversation]);

/** A channel meets a person of a network, as when they write. The network gives this name for them. */
export const meet = async (
  world: World,
  { id }: Who,
  channelId: string,
  { name = null, ...identity }: Identity & { name?: string | null },
): Promise<ContactRow> => {
  const { env } = world.app;
  const origin = {
    tenantId: id as TenantId,
    channel: { id: channelId as ChannelId, kind: null, sharedWebhookId: null },
    environment: "live" as const,
  };
  const { contact } = await env.db.write((tx) => ensureContact(env, tx, origin, { who: contactOf(identity), name }));
  await world.settle();
  return contact;
};

/** A conversation's row in the database. */
export const talk = async (
  world: World,
  { id }: Who,
  talked: { id: string; channelId: string; contactId: string; status?: "OPEN" | "CLOSED" },
): Promise<void> =>
  world.app.env.db.write(async (tx) => {
    tx.run(
      "INSERT INTO conversations (id, tenant_id, channel_id, contact_id, status, last_message_at, created_at) VALUES (?1, ?2, ?3, ?4, ?5, 1, 1)",
      [talked.id, id, talked.channelId, talked.contactId, talked.status ?? "OPEN"],
    );
  });

/** The contacts of the institution's conversations, and whether these are open, by their ids. */
export const talks = (world: World, { id }: Who): Promise<Record<string, [string, string]>> =>
  world.app.env.db.read(async (reader) =>
    Object.fromEntries(
      (
        await reader.rows<{ id: string; contact: string; status: string }>(
          "SELECT id, contact_id AS contact, status FROM conversations WHERE tenant_id = ?1 ORDER BY id",
          [id],
        )
      ).map(({ id: talk, contact, status }) => [talk, [contact, status]]),
    ),
  );
