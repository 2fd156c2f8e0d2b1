import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ACTIONS } from "../../../core/tenancy/audit/audit.ts";
import { auditPage, auditPageOf, type NamedEntry } from "../../../core/tenancy/audit/audit-search.ts";
import { iso } from "../../../kernel/clock.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { DateTime, described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { Cursor, IDS, Id } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, Instant, msOf, Page, QueryLimit, QueryText, REFUSALS } from "../schemas.ts";

const NAME = Nullable(Type.String());
const Fields = {
  id: Type.String({ description: "The number of the entry", examples: ["4711"] }),
  at: described(Instant, "When it was done"),
  actor: Type.String({
    description:
      "`admin`, `local` (a command on the server's machine), `setup-link`, `system`, `operator:<id>`, `user:<id>` " +
      "or `key:<id>`",
    examples: ["admin"],
  }),
  actorName: described(NAME, "The person or the key, as it is called now; null without one", "Maria Souza"),
  action: Type.String({ description: "The act, such as account.change", examples: ["account.change"] }),
  target: Nullable(
    Type.String({
      description: "The changed object: an id, or a name; null without one",
      examples: ["media-retention"],
    }),
  ),
  targetName: described(NAME, "The name of the changed object now; null without a name", "Loja Centro"),
  tenantId: Nullable(Id("The account or institution concerned; null for the server as a whole", "account")),
  tenantName: described(NAME, "The account, as it is called now; null without one", "Padaria Estrela"),
  details: described(Type.Object({}, { additionalProperties: Type.Unknown() }), "The details, by kind of act", {
    status: "ACTIVE",
  }),
};
const EntryView = Type.Object(
  {
    ...Fields,
    hash: Type.String({
      description: "SHA-256 over this entry and the hash of the one before it",
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    }),
  },
  { title: "AuditEntry" },
);
const OwnEntryView = Type.Object(Fields, { title: "AccountAuditEntry" });

const entryView = ({ id, at, details, ...entry }: NamedEntry): Static<typeof EntryView> => ({
  ...entry,
  id: String(id),
  at: iso(at),
  details: JSON.parse(details) as object,
});

const ownEntryView = (entry: NamedEntry): Static<typeof OwnEntryView> => {
  const { hash: _, ...view } = entryView(entry);
  return view;
};

const LONGEST_SEARCH = 200;
const SEARCH = {
  action: Type.Optional(OneOf(ACTIONS, { description: "Only acts of this kind" })),
  actor: Type.Optional(described(Text(1, LONGEST_SEARCH), "Only acts of this actor, as `actor` names it")),
  since: Type.Optional(described(DateTime(), "From this time on")),
  until: Type.Optional(described(DateTime(), "Before this time")),
  search: Type.Optional(described(Text(0, LONGEST_SEARCH), "The words to search for")),
  cursor: Cursor(QueryText),
  limit: QueryLimit(),
};
const SHORT_PAGES = "A page reads at most 5,000 entries, so it may be short although more follow.";

const searchOf = ({ action, actor, since, until, search, cursor, limit }: Static<typeof SearchQuery>) => ({
  action,
  actor,
  since: msOf(since),
  until: msOf(until),
  text: search,
  cursor,
  limit: gatewayLimit(limit),
});
const SearchQuery = Type.Object(SEARCH);

/** The audit log of the whole server. */
export const adminAudit = (env: GatewayEnv) =>
  new Elysia().get(
    "/audit",
    async ({ query: { tenantId, ...query } }) => {
      const { items, nextCursor } = await auditPage(env, { tenantId, ...searchOf(query) });
      return { items: items.map(entryView), nextCursor };
    },
    {
      query: Type.Object({
        tenantId: described(QueryText, "Only acts that concern this account or institution", IDS.other),
        ...SEARCH,
      }),
      response: { 200: Page(EntryView), ...ADMIN_REFUSALS },
      detail: {
        ...route({ operationId: "listAuditEntries", isolation: "administrator" }),
        summary: "List administrative acts, newest first",
        description: SHORT_PAGES,
      },
    },
  );

/** The audit log of one account. */
export const audit = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/audit", tags: ["audit"] }).use(auth).get(
    "/",
    async ({ principal, query }) => {
      const { items, nextCursor } = await auditPageOf(env, principal, searchOf(query));
      return { items: items.map(ownEntryView), nextCursor };
    },
    {
      query: SearchQuery,
      response: { 200: Page(OwnEntryView), ...REFUSALS },
      detail: {
        ...route({ operationId: "listAccountAuditEntries", isolation: { search: "channel" } }),
        summary: "List who changed what in the account, newest first",
        description: `${SHORT_PAGES} The addresses of operators are left out.`,
      },
    },
  );
