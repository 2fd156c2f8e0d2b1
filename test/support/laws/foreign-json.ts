import { isUnder, type SourceFile, withoutComments } from "./architecture.ts";

/**
 * TABLE: the files that may parse JSON without the limits of `parsedJson`, and the source of their text. It is never a
 * client, network, provider or customer's server.
 */
const UNLIMITED: readonly { of: string; files: readonly string[] }[] = [
  { of: "the limits themselves", files: ["src/kernel/texts/json.ts", "src/apis/shared/http/bodies.ts"] },
  {
    of: "rows that this server wrote",
    files: [
      "plugins/session/account/people.ts",
      "plugins/session/calls/calls.ts",
      "plugins/session/app-state/rows.ts",
      "plugins/session/history/pieces.ts",
      "plugins/session/inbound/hidden/held.ts",
      "plugins/session/inbound/people.ts",
      "plugins/session/inbound/content/polls.ts",
      "plugins/session/keys/rows.ts",
      "plugins/session/message-cache.ts",
      "plugins/session/outbound/content/choices.ts",
      "plugins/session/outbound/limits/limits.ts",
      "plugins/session/outbound/numbers.ts",
      "src/core/backups.ts",
      "src/core/conversations/chats.ts",
      "src/core/conversations/message-log.ts",
      "src/core/events/own-headers.ts",
      "src/core/growth.ts",
      "src/core/updates.ts",
      "src/core/tenancy/audit/audit-search.ts",
      "src/core/tenancy/people/first-start.ts",
      "src/core/tenancy/keys/keyed-requests.ts",
      "src/core/messaging/templates/flow-exchange.ts",
      "src/store/tables/channels/key-store.ts",
      "src/store/tables/messaging/lookups.ts",
      "src/store/tables/calls.ts",
      "src/store/tables/groups.ts",
      "src/apis/gateway/account/audit.ts",
      "src/apis/gateway/events/events.ts",
      "src/apis/gateway/messages/message-timeline.ts",
    ],
  },
  {
    of: "bodies that this server rendered, and answers of its own APIs",
    files: [
      "src/apis/cloud/render/profiles.ts",
      "src/apis/evolution/webhooks/render.ts",
      "src/apis/waha/events/render.ts",
      "src/apis/gateway/events/render.ts",
      "src/apis/platform/events/render.ts",
      "src/apis/mcp/calling.ts",
      "src/apis/shared/docs/docs.ts",
      "src/description.ts",
      "src/console/web/",
      "src/doctor/server.ts",
      "src/commands/on-database.ts",
    ],
  },
  {
    of: "what a child process of this server wrote, or it wrote to one",
    files: [
      "src/adapters/files/backups.ts",
      "src/adapters/machine/doctor.ts",
      "src/adapters/documents/documents.ts",
      "src/adapters/voice/voice.ts",
      "src/commands/database/store-backup.ts",
      "src/doctor/apart.ts",
    ],
  },
  {
    of: "a document, in the child that reads it, whose time is limited",
    files: ["src/adapters/documents/document-tables.ts"],
  },
  {
    of: "files and settings of the operator, or of who runs the command",
    files: [
      "plugins/waba/rates/rates.ts",
      "src/commands/client/",
      "src/commands/moving/files.ts",
      "src/kernel/settings/setting-kinds.ts",
      "src/licences.ts",
      "src/setup.ts",
    ],
  },
  { of: "the operator's own database server", files: ["src/store/engine/remote/hrana.ts"] },
  { of: "an archive that its account brings, within limits of its own", files: ["plugins/session/moving/"] },
  { of: "the example of an adapter, without the server's helpers", files: ["plugins/template/"] },
];

const PARSES = /\bJSON\.parse\b|\.json\(\)/;

/** The uses of JSON without limits in files outside the table. */
export const unlimitedJsonFaults = ({ path, text }: SourceFile): string[] => {
  if (!path.startsWith("src/") && !path.startsWith("plugins/")) return [];
  if (UNLIMITED.some(({ files }) => isUnder(path, files))) return [];
  const found = PARSES.exec(withoutComments(text))?.[0];
  return found === undefined ? [] : [`${path}: says ${found}; parsedJson has limits for what others wrote`];
};

/** The files of the table that no longer parse anything. */
export const unneededJsonFiles = (files: readonly SourceFile[]): string[] =>
  UNLIMITED.flatMap((one) => one.files).filter(
    (allowed) => !files.some(({ path, text }) => isUnder(path, [allowed]) && PARSES.test(withoutComments(text))),
  );
