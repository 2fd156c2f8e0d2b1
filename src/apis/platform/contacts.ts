import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  changeContact,
  contactsPage,
  createContact,
  getContact,
  MAX_NAME,
  MAX_TAGS,
  removeContact,
} from "../../core/conversations/contacts.ts";
import { setOptOut } from "../../core/conversations/opt-outs.ts";
import { pageOf } from "../../kernel/page.ts";
import { described, Email, Nullable, Text } from "../../kernel/schema.ts";
import { Id, inPath, OptedOutFilter } from "../shared/fields.ts";
import type { PlatformAuth } from "./auth.ts";
import type { PlatformEnv } from "./env.ts";
import { route } from "./route-options.ts";
import { Meta, metaOf, Nothing, PAGE, REFUSALS, Recipient } from "./schemas.ts";
import { ContactView, contactView, Metadata } from "./views.ts";

const Fields = Type.Object({
  name: described(Text(1, MAX_NAME), "The institution's name for the contact", "Maria Souza"),
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
  metadata: Type.Optional(Metadata),
});
const CreateBody = Type.Composite([Type.Object({ phoneNumber: Recipient }), Fields]);

/** The longest search text. Each word of it costs a look-up. */
const Search = Text(
  0,
  200,
  "Words, or their beginnings, of the name, the e-mail address and the tags, or digits of the number: " +
    "all must be there, at most 10. Case and accents do not matter.",
);
const Query = Type.Object({ ...PAGE, search: Type.Optional(Search), optedOut: Type.Optional(OptedOutFilter) });

export const contacts = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({
    prefix: "/v1/contacts",
    tags: ["contacts"],
    detail: inPath({ contactId: Id("The contact, as `GET /v1/contacts` lists it", "contact") }),
  })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => status(201, contactView(await createContact(env, principal, body))),
      {
        body: CreateBody,
        response: { 201: ContactView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "createContact",
            permission: "contacts.write",
            acts: "none: daily work",
            isolation: "own",
          }),
          summary: "Create a contact",
          description: "A number belongs to one contact, in any spelling.",
        },
      },
    )
    .get(
      "/",
      async ({ principal, query }) => {
        const page = pageOf(query);
        const { search, optedOut } = query;
        const { rows, total } = await contactsPage(env, principal, {
          ...page,
          search: search || undefined,
          optedOut: optedOut && optedOut === "true",
        });
        return { data: rows.map(contactView), meta: metaOf(rows.length, total, page) };
      },
      {
        query: Query,
        response: {
          200: Type.Object(
            {
              data: Type.Array(ContactView, { description: "The contacts of this page" }),
              meta: described(Meta, "The place of this page in the whole list"),
            },
            { title: "ContactPage" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "listContacts", permission: "contacts.read", isolation: { search: "person" } }),
          summary: "List contacts, newest first, or search them",
          description:
            "Each word of `search` begins a word of the contact, or is part of its number. At most 10,000 results are counted.",
        },
      },
    )
    .get(
      "/:contactId",
      async ({ principal, params }) => contactView(await getContact(env, principal, params.contactId)),
      {
        response: { 200: ContactView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getContact", permission: "contacts.read", isolation: { contactId: "contact" } }),
          summary: "Get a contact",
          description: "A contact of another institution is not found.",
        },
      },
    )
    .patch(
      "/:contactId",
      async ({ principal, params, body }) => contactView(await changeContact(env, principal, params.contactId, body)),
      {
        body: Type.Partial(Fields),
        response: { 200: ContactView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "updateContact",
            permission: "contacts.write",
            acts: "none: daily work",
            isolation: { contactId: "contact" },
          }),
          summary: "Change a contact",
          description: "A missing field and the number stay unchanged.",
        },
      },
    )
    .put(
      "/:contactId/opt-out",
      async ({ principal, params }) => contactView(await setOptOut(env, principal, params.contactId, true)),
      {
        response: { 200: ContactView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "optOutContact",
            permission: "contacts.write",
            acts: ["contact.opt-out"],
            isolation: { contactId: "contact" },
          }),
          summary: "Send a contact no messages but answers",
          description:
            "Every channel of the institution then refuses a message that is no answer: sends and batches, with " +
            "RECIPIENT_OPTED_OUT.",
        },
      },
    )
    .delete(
      "/:contactId/opt-out",
      async ({ principal, params }) => contactView(await setOptOut(env, principal, params.contactId, false)),
      {
        response: { 200: ContactView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "optInContact",
            permission: "contacts.write",
            acts: ["contact.opt-in"],
            isolation: { contactId: "contact" },
          }),
          summary: "Send a contact messages again",
          description: "Only with the person's consent: the audit log keeps who asked for it.",
        },
      },
    )
    .delete(
      "/:contactId",
      async ({ principal, params, status }) => {
        await removeContact(env, principal, params.contactId);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "deleteContact",
            permission: "contacts.write",
            acts: "none: daily work",
            isolation: { contactId: "contact" },
          }),
          summary: "Delete a contact",
          description: "Its conversations are closed and stay.",
        },
      },
    );
