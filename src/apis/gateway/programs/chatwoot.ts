import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  type ChatwootView,
  connectChatwoot,
  disconnectChatwoot,
  readChatwoot,
} from "../../../core/chatwoot/connect.ts";
import { CHATWOOT_DEFAULTS, type ChatwootSettings } from "../../../core/chatwoot/inbox.ts";
import { WEBHOOK_STATES } from "../../../core/events/health.ts";
import { described, Nullable, OneOf, Text, Url } from "../../../kernel/schema.ts";
import { Id, inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { HANDSHAKE_REFUSED, Nothing, PHONE_IN_PATH, REFUSALS } from "../schemas.ts";

const MOST_DAYS = 365;
const URL_TEXT = "The address of the Chatwoot, as people open it";
const URL_EXAMPLE = "https://atendimento.padaria-estrela.example";
const ACCOUNT_TEXT = "Chatwoot's number of the account, as in the address of its pages";
const INBOX_TEXT = "What agents read above the chats of the phone";

const setting = (what: string, isOn: boolean) =>
  Type.Boolean({ description: `Whether ${what}; ${isOn ? "true" : "false"} in a new connection`, examples: [isOn] });

/** TABLE: what a connection does besides carrying messages. */
const SETTINGS = {
  markRead: setting(
    "the person's messages are marked as read at the network once an agent answers, types, or has seen them",
    CHATWOOT_DEFAULTS.markRead,
  ),
  typing: setting(
    "the person and the agents see that the other one types, as far as the network shows it",
    CHATWOOT_DEFAULTS.typing,
  ),
  batches: setting(
    "messages of batches begin conversations. Otherwise the person's answer begins one, with the message before it",
    CHATWOOT_DEFAULTS.batches,
  ),
} satisfies Record<keyof ChatwootSettings, TSchema>;

const Body = Type.Object(
  {
    url: described(Url(), URL_TEXT, URL_EXAMPLE),
    chatwootAccountId: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: ACCOUNT_TEXT, examples: [3] }),
    token: Type.Optional(
      described(
        Text(1, 256),
        "The access token of an administrator of that account; by default the stored one stays",
        "token-de-exemplo",
      ),
    ),
    inboxName: Type.Optional(
      described(
        Text(1, 100),
        "The name of the inbox, which is made if no API inbox has it; by default the phone's name",
        "WhatsApp da padaria",
      ),
    ),
    importDays: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_DAYS,
        description: "The messages of how many days are imported first, up to the newest 20,000; 0 by default",
        examples: [30],
      }),
    ),
    markRead: Type.Optional(SETTINGS.markRead),
    typing: Type.Optional(SETTINGS.typing),
    batches: Type.Optional(SETTINGS.batches),
  },
  { title: "ChatwootInput" },
);

const View = Type.Object(
  {
    webhookId: Id("The webhook that carries what happens to Chatwoot", "webhook"),
    url: Type.String({ description: URL_TEXT, examples: [URL_EXAMPLE] }),
    chatwootAccountId: Type.Integer({ description: ACCOUNT_TEXT, examples: [3] }),
    inboxId: Type.Integer({ description: "Chatwoot's number of the inbox", examples: [7] }),
    inboxName: Type.String({ description: INBOX_TEXT, examples: ["WhatsApp da padaria"] }),
    state: OneOf(["IMPORTING", ...WEBHOOK_STATES], {
      description: "Whether Chatwoot takes what happens; IMPORTING while earlier messages come first",
    }),
    waiting: Type.Integer({ description: "How many changes are still to be brought to Chatwoot", examples: [0] }),
    lost: Type.Integer({ description: "How many changes were given up, up to 10,000", examples: [0] }),
    lastError: Nullable(
      Type.String({
        description: "Why the last attempt failed, also of an import; null if it did not",
        examples: ["GET /inboxes: HTTP 401"],
      }),
    ),
    importDays: Type.Integer({ description: "The messages of how many days the last import took", examples: [30] }),
    imported: Type.Integer({ description: "How many messages it has looked at", examples: [1204] }),
    toImport: Nullable(
      Type.Integer({ description: "How many it has to look at; null before they are counted", examples: [1204] }),
    ),
    leftOut: Type.Integer({ description: "How many of them Chatwoot refused for good", examples: [0] }),
    ...SETTINGS,
  },
  { title: "Chatwoot" },
);

/** Why nothing goes to Chatwoot now; null if all does. */
const failureIn = ({ import: imported, health }: ChatwootView): string | null => {
  if (imported.isRunning) return imported.error;
  const [last] = health?.recent ?? [];
  return last?.isDelivered === false ? (last.error ?? null) : null;
};

const view = (found: ChatwootView): Static<typeof View> => {
  const { subscription, base, accountId, inboxId, inboxName, settings, import: imported, health } = found;
  return {
    webhookId: subscription.id,
    url: base,
    chatwootAccountId: accountId,
    inboxId,
    inboxName,
    state: imported.isRunning ? "IMPORTING" : (health?.state ?? "OK"),
    waiting: (health?.waiting ?? 0) + (health?.paused ?? 0),
    lost: health?.dead ?? 0,
    lastError: failureIn(found),
    importDays: imported.days,
    imported: imported.done,
    toImport: imported.of,
    leftOut: imported.leftOut,
    ...settings,
  };
};

/** The Chatwoot that a phone is connected with. */
export const chatwoot = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .get("/:id/chatwoot", async ({ principal, params }) => view(await readChatwoot(env, principal, params.id)), {
      response: { 200: View, ...REFUSALS },
      detail: {
        ...route({ operationId: "getChatwoot", isolation: { id: "channel" } }),
        summary: "Show the Chatwoot that a phone is connected with",
        description: "The token is never shown. A phone without a Chatwoot is answered with `WEBHOOK_NOT_FOUND`.",
      },
    })
    .put(
      "/:id/chatwoot",
      async ({ principal, params, body: { chatwootAccountId: accountId, ...input } }) => {
        await connectChatwoot(env, principal, params.id, { ...input, accountId });
        return view(await readChatwoot(env, principal, params.id));
      },
      {
        body: Body,
        response: { 200: View, ...REFUSALS, 422: HANDSHAKE_REFUSED },
        detail: {
          ...route({ operationId: "setChatwoot", acts: ["webhook.change"], isolation: { id: "channel" } }),
          summary: "Connect a phone with an inbox of a Chatwoot",
          description:
            "Recado asks Chatwoot with the token, and makes the API inbox if the account has none of that name. If " +
            "Chatwoot refuses, nothing is saved. Messages of the last days come first, if `importDays` says so. " +
            "Another Chatwoot, account or inbox replaces the one before, whose webhook is removed. The inbox of another " +
            "phone is refused. A first connection, and one with a Chatwoot at another address, need `token`. The `url` " +
            "must be a public address of a Chatwoot, without a query.",
        },
      },
    )
    .delete(
      "/:id/chatwoot",
      async ({ principal, params, set }) => {
        await disconnectChatwoot(env, principal, params.id);
        set.status = 204;
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({ operationId: "removeChatwoot", acts: ["webhook.delete"], isolation: { id: "channel" } }),
          summary: "Disconnect a phone from its Chatwoot",
          description: "The inbox stays there, with its conversations.",
        },
      },
    );
