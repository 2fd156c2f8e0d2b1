import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { aboutOf } from "../../../core/channels/catalog.ts";
import type { Channel } from "../../../core/channels/channel.ts";
import { pictureOfPerson, setBlocked } from "../../../core/channels/people.ts";
import { CONTACT_NUMBER, type ContactRow, changeContact, createContact } from "../../../core/conversations/contacts.ts";
import { contactNamed } from "../../../core/conversations/message-log.ts";
import { lookUpNow } from "../../../core/messaging/lookup.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { issuesOf, OneOf, PhoneNumber, Text } from "../../../kernel/schema.ts";

import { numberOf, personIn } from "../../shared/compatible/addresses.ts";
import { chatIdOfKey, chatIdOfNumber } from "../addresses.ts";
import { type Principal, type Scope, sessionNamed, sessionOf, type WahaAuth } from "../auth.ts";
import { chatsOn, idOfChat } from "../chats/chat-views.ts";
import type { WahaEnv } from "../env.ts";
import { cut, Flag, PAGING, pageIn, SortOrder, sorted } from "../pages.ts";
import { routeOptions } from "../route-options.ts";

const digitsIn = (chatId: string): string | null => /^(\d+)@c\.us$/.exec(chatId)?.[1] ?? null;

/** A person as the engine shows a contact. `pushname`: the name is the same, because only one is kept here. */
const contactView = (id: string, name: string | null) => ({
  id,
  number: digitsIn(id),
  name,
  pushname: name,
  isGroup: false,
});
type ContactView = ReturnType<typeof contactView>;

const SORTS = {
  id: ({ id }: ContactView) => id,
  name: ({ name }: ContactView) => name ?? "",
} as const;

const Session = Type.Optional(Type.String());
const ContactQuery = Type.Object({ session: Session, contactId: Text(1, 256) });
const Blocked = Type.Object({ session: Session, contactId: Text(1, 256) });
const UpdateBody = Type.Object({
  firstName: Text(1, 120),
  lastName: Type.Optional(Type.Union([Text(0, 120), Type.Null()])),
});
const PhoneQuery = Type.Object({ session: Session, phone: Text(1, 64) });

const read = { ...routeOptions({ scope: "chats.read", names: "query" }) };
const look = { ...routeOptions({ scope: "phones.read", link: "required", names: "query" }) };
const lookUp = { ...routeOptions({ scope: "lookup.write", link: "required", names: "query" }) };
const block = { ...routeOptions({ scope: "phones.write", link: "required", names: "body" }) };

/** The id that WAHA's clients know a contact by, as they gave it or by its number. */
const idOf = (asked: string, contact: ContactRow | undefined): string => {
  if (asked.includes("@")) return asked;
  return contact?.phoneNumber ? chatIdOfNumber(contact.phoneNumber) : chatIdOfKey(`pn:${numberOf(asked)}`);
};

/** A contact, whether it is known or not. */
const contactFor = async (env: WahaEnv, scope: Scope, asked: string): Promise<ContactView> => {
  const contact = await contactNamed(env, scope, personIn(asked));
  return contactView(idOf(asked, contact), contact?.name ?? null);
};

/** Which number is on the network, and under which address. */
const checkNumber = async (
  env: WahaEnv,
  principal: Principal,
  { session, phone }: { session: Channel; phone: string },
) => {
  const [found] = await lookUpNow(env, principal, { channelId: session.id, numbers: [numberOf(phone)] });
  if (!found?.exists) return { numberExists: false };
  return { numberExists: true, chatId: chatIdOfNumber(numberOf(found.jid ?? phone)) };
};

/** Names a person in the account's own book of contacts. */
const rename = async (
  env: WahaEnv,
  { tenantId }: Scope,
  { chatId, firstName, lastName }: { chatId: string } & Static<typeof UpdateBody>,
): Promise<void> => {
  const viewer = { tenantId, environment: "live" } as const;
  const name = lastName ? `${firstName} ${lastName}` : firstName;
  const known = await contactNamed(env, viewer, personIn(chatId));
  if (known) return void (await changeContact(env, viewer, known.id, { name }));
  const phoneNumber = numberOf(chatId);
  if (!/^\d+$/.test(phoneNumber)) throw new AppError("CONTACT_NOT_FOUND", { message: "There is no such contact." });
  const issues = issuesOf(Type.Object({ id: PhoneNumber(CONTACT_NUMBER) }), { id: phoneNumber });
  if (issues.length > 0) throw invalid(...issues);
  await createContact(env, viewer, { phoneNumber, name });
};

/** The people of a session, by the routes that name the session in their query or body. */
export const contacts = (env: WahaEnv, auth: WahaAuth) => {
  const setBlock = async (principal: Principal, { session, contactId }: Static<typeof Blocked>, isBlocked: boolean) => {
    const { id } = await sessionNamed(env, principal, session);
    await setBlocked(env, principal, { id, to: numberOf(contactId), isBlocked });
  };
  return new Elysia({ prefix: "/api" })
    .use(auth)
    .get(
      "/contacts/all",
      async ({ principal, request, query }) => {
        const chats = await chatsOn(env, principal, sessionOf(request));
        const views = chats.map((chat) => contactView(idOfChat(chat), chat.contact?.name ?? null));
        return cut(sorted(views, SORTS[query.sortBy || "id"], query.sortOrder), pageIn(query));
      },
      {
        query: Type.Object({
          ...PAGING,
          session: Session,
          sortBy: Type.Optional(OneOf(["", "id", "name"])),
          sortOrder: SortOrder,
        }),
        detail: read,
      },
    )
    .get("/contacts", ({ principal, query: { contactId } }) => contactFor(env, principal, contactId), {
      query: ContactQuery,
      detail: read,
    })
    .get(
      "/contacts/check-exists",
      ({ principal, request, query: { phone } }) => checkNumber(env, principal, { session: sessionOf(request), phone }),
      { query: PhoneQuery, detail: lookUp },
    )
    .get(
      "/checkNumberStatus",
      ({ principal, request, query: { phone } }) => checkNumber(env, principal, { session: sessionOf(request), phone }),
      { query: PhoneQuery, detail: lookUp },
    )
    .get(
      "/contacts/about",
      async ({ principal, request, query: { contactId } }) => ({
        about: await aboutOf(env, principal, { id: sessionOf(request).id, to: numberOf(contactId) }),
      }),
      { query: ContactQuery, detail: look },
    )
    .get(
      "/contacts/profile-picture",
      async ({ principal, request, query: { contactId } }) => {
        const { url } = await pictureOfPerson(env, principal, { id: sessionOf(request).id, to: numberOf(contactId) });
        return { profilePictureURL: url };
      },
      { query: Type.Object({ ...ContactQuery.properties, refresh: Flag }), detail: look },
    )
    .post(
      "/contacts/block",
      async ({ principal, body }) => {
        await setBlock(principal, body, true);
        return status(201, "");
      },
      { body: Blocked, detail: block },
    )
    .post(
      "/contacts/unblock",
      async ({ principal, body }) => {
        await setBlock(principal, body, false);
        return status(201, "");
      },
      { body: Blocked, detail: block },
    );
};

/** The same people, by the routes that name the session in their path. */
export const contactsOfSession = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api/:session/contacts" })
    .use(auth)
    .get("/:id", ({ principal, params: { id } }) => contactFor(env, principal, id), {
      detail: { ...routeOptions({ scope: "chats.read" }) },
    })
    .put(
      "/:id",
      async ({ principal, params: { id: chatId }, body }) => {
        await rename(env, principal, { chatId, ...body });
        return { success: true };
      },
      { body: UpdateBody, detail: { ...routeOptions({ scope: "chats.write" }) } },
    );
