import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { contactLog } from "../../../core/conversations/contact-log.ts";
import {
  CONTACT_NUMBER,
  type ContactRow,
  changeContact,
  chatWith,
  createContact,
  getLiveContact,
  MAX_NAME,
  MAX_TAGS,
  removeContact,
} from "../../../core/conversations/contacts.ts";
import { setOptOut } from "../../../core/conversations/opt-outs.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { described, Email, Nullable, PhoneNumber, Text, Uuid } from "../../../kernel/schema.ts";
import { Cursor, Id, inPath, OptedOutFilter } from "../../shared/fields.ts";
import type { GatewayAuth, Principal } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Nothing, Page, QueryText, REFUSALS } from "../schemas.ts";
import { ContactView, contactView } from "./chat-views.ts";

const ContactQuery = Type.Object({
  q: Type.Optional(Text(1, 200, "Words of the name, e-mail and tags, or four digits of the number")),
  limit: described(QueryText, "How many at most; 50 by default, up to 200"),
  optedOut: Type.Optional(OptedOutFilter),
  cursor: Type.Optional(Cursor(Uuid())),
});

const Fields = Type.Object({
  name: described(Text(1, MAX_NAME), "The name that the account's people use for the contact", "Maria Souza"),
  email: Type.Optional(
    described(Nullable(Email()), "The contact's e-mail address; null removes it", "maria@example.com"),
  ),
  tags: Type.Optional(
    Type.Array(Text(1, 50), {
      maxItems: MAX_TAGS,
      description: "Words for finding the contact; they replace those before",
      examples: [["cliente", "bolos"]],
    }),
  ),
  metadata: Type.Optional(
    Type.Object(
      {},
      { additionalProperties: Type.Unknown(), title: "ContactMetadata", description: "Your own data, at most 16 KB" },
    ),
  ),
});
const Number = PhoneNumber(CONTACT_NUMBER);
const CreateBody = Type.Composite([Type.Object({ phoneNumber: Number }), Fields], { title: "CreateContact" });
const ChangeBody = Type.Partial(Fields, { title: "ChangeContact" });

const shown = (contact: ContactRow) => contactView(contact, chatWith(contact));
const live = ({ tenantId, actor }: Principal) => ({ tenantId, actor, environment: "live" }) as const;

/** The people with whom the account's phones exchange messages. */
export const contacts = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/contacts",
    tags: ["chats"],
    detail: inPath({ id: Id("The contact, as `GET /v1/contacts` lists it", "contact") }),
  })
    .use(auth)
    .get(
      "/",
      async ({ principal, query: { q, optedOut, cursor, limit } }) => {
        const { items, nextCursor } = await contactLog(env, principal, {
          q,
          optedOut: optedOut && optedOut === "true",
          cursor,
          limit: gatewayLimit(limit),
        });
        return { items: items.map(shown), nextCursor };
      },
      {
        query: ContactQuery,
        response: { 200: Page(ContactView), ...REFUSALS },
        detail: {
          ...route({ operationId: "listContacts", isolation: { q: "person", cursor: "contact" } }),
          summary: "List contacts, newest first",
          description:
            "One page reads at most 10,000 contacts. With `q` it may be short, or empty, although `nextCursor` " +
            "says that more follows.",
        },
      },
    )
    .get("/:id", async ({ principal, params }) => shown(await getLiveContact(env, principal, params.id)), {
      response: { 200: ContactView, ...REFUSALS },
      detail: {
        ...route({ operationId: "getContact", isolation: { id: "contact" } }),
        summary: "Get a contact",
        description: "A contact of another account is not found.",
      },
    })
    .post(
      "/",
      async ({ principal, body, status }) => status(201, shown(await createContact(env, live(principal), body))),
      {
        body: CreateBody,
        response: { 201: ContactView, ...REFUSALS },
        detail: {
          ...route({ operationId: "createContact", acts: "none: daily work", isolation: "own" }),
          summary: "Create a contact",
          description: "A number belongs to one contact, in any spelling.",
        },
      },
    )
    .patch(
      "/:id",
      async ({ principal, params, body }) => {
        const { id } = await getLiveContact(env, principal, params.id);
        return shown(await changeContact(env, live(principal), id, body));
      },
      {
        body: ChangeBody,
        response: { 200: ContactView, ...REFUSALS },
        detail: {
          ...route({ operationId: "updateContact", acts: "none: daily work", isolation: { id: "contact" } }),
          summary: "Change a contact",
          description: "A missing field and the number stay unchanged. `metadata` is replaced as a whole.",
        },
      },
    )
    .put(
      "/:id/opt-out",
      async ({ principal, params }) =>
        shown(await setOptOut(env, { ...principal, ...live(principal) }, params.id, true)),
      {
        response: { 200: ContactView, ...REFUSALS },
        detail: {
          ...route({ operationId: "optOutContact", acts: ["contact.opt-out"], isolation: { id: "contact" } }),
          summary: "Send a contact no messages but answers",
          description:
            "Every phone of the account then refuses a message that is no answer: sends, scheduled messages and " +
            "batches, with RECIPIENT_OPTED_OUT.",
        },
      },
    )
    .delete(
      "/:id/opt-out",
      async ({ principal, params }) =>
        shown(await setOptOut(env, { ...principal, ...live(principal) }, params.id, false)),
      {
        response: { 200: ContactView, ...REFUSALS },
        detail: {
          ...route({ operationId: "optInContact", acts: ["contact.opt-in"], isolation: { id: "contact" } }),
          summary: "Send a contact messages again",
          description: "Only with the person's consent: the audit log keeps who asked for it.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, status }) => {
        const { id } = await getLiveContact(env, principal, params.id);
        await removeContact(env, live(principal), id);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({ operationId: "deleteContact", acts: "none: daily work", isolation: { id: "contact" } }),
          summary: "Delete a contact",
          description: "Its chats are closed and stay, with their messages.",
        },
      },
    );
