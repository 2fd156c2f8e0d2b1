import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { troublesNow } from "../../../core/alerts/overview.ts";
import { machineNow, nodesNow } from "../../../core/machine.ts";
import { knownUpdates } from "../../../core/updates.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";
import { Id } from "../../shared/fields.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, Instant, InstantOrNull } from "../schemas.ts";

const TextOrNull = Nullable(Type.String());

const SystemView = Type.Object(
  {
    version: Type.String({ description: "The version of Recado", examples: ["1.0.0"] }),
    commit: Type.String({ description: "The commit that was built", examples: ["4f2c9e1"] }),
    startedAt: described(Instant, "When this process was started"),
    runtime: Type.String({ description: "The runtime of the program", examples: ["Bun 1.3.14"] }),
    platform: Type.String({ description: "The system and the processor", examples: ["linux x64"] }),
    memoryBytes: Type.Integer({ description: "The memory of this process", examples: [145752064] }),
    addresses: described(
      Type.Object(
        {
          gatewayUrl: Type.String({
            description: "The address of the gateway API",
            examples: ["https://recado.example/gateway"],
          }),
          listen: Type.String({ description: "The address and port of this process", examples: ["127.0.0.1:8080"] }),
          dataDir: Type.String({ description: "The folder of its data", examples: ["/var/lib/recado"] }),
        },
        { title: "SystemAddresses" },
      ),
      "The addresses of the server, and the place of its data",
    ),
    disk: described(
      Type.Object(
        {
          freeBytes: Type.Integer({ description: "The remaining room", examples: [44238000128] }),
          totalBytes: Type.Integer({ description: "The size of the whole disk in bytes", examples: [85_899_345_920] }),
          fullAt: described(
            InstantOrNull,
            "When the disk is full if it fills as in the last week; null while it does not",
          ),
        },
        { title: "Disk" },
      ),
      "The disk that holds the data",
    ),
    database: described(
      Type.Object(
        {
          isShared: Type.Boolean({ description: "Whether several nodes may share it", examples: [false] }),
          sizeBytes: Nullable(
            Type.Integer({ description: "The size in bytes; null on a database server", examples: [209715200] }),
          ),
          logBytes: Nullable(
            Type.Integer({ description: "The write-ahead log; null on a server", examples: [4194304] }),
          ),
        },
        { title: "SystemDatabase" },
      ),
      "Where everything except media is stored",
    ),
    media: described(
      Type.Object(
        {
          place: OneOf(["disk", "s3"], { description: "The folder on this machine, or a bucket" }),
          sizeBytes: Type.Integer({
            description: "The size of the stored media of all accounts",
            examples: [10485760],
          }),
        },
        { title: "SystemMedia" },
      ),
      "The store of files",
    ),
    clients: Type.Array(
      Type.Object(
        {
          kind: Type.String({ description: "The network that the version is for", examples: ["WHATSAPP"] }),
          version: Type.String({
            description: "The version, in the network's numbering",
            examples: ["2.3000.1030000000"],
          }),
          expiresAt: described(InstantOrNull, "When the network ends it; null while it names no end"),
        },
        { title: "NetworkClient" },
      ),
      { description: "The versions spoken to networks" },
    ),
    updates: described(
      Type.Object(
        {
          isOn: Type.Boolean({ description: "Whether the server looks for newer releases" }),
          readAt: described(
            InstantOrNull,
            "When the list of releases was last read; null before",
            "2026-11-22T12:00:00.000Z",
          ),
          failure: described(TextOrNull, "Why the last try failed; null if it did not"),
          newer: described(
            Nullable(
              Type.Object(
                {
                  version: Type.String({ description: "The number of the release", examples: ["1.1.0"] }),
                  date: Type.String({ description: "When it was released", examples: ["2026-12-01"] }),
                  notes: described(
                    TextOrNull,
                    "The page that says what has changed; null if there is no such page",
                    "https://recado.example/releases/1.1.0",
                  ),
                  isUrgent: Type.Boolean({
                    description: "Whether the version in use should be replaced",
                    examples: [false],
                  }),
                },
                { title: "NewerRelease" },
              ),
            ),
            "The newest release; null if no release is newer than the version in use",
          ),
        },
        { title: "Updates" },
      ),
      "The known newer releases; `RECADO_UPDATE_URL` says where the server looks",
    ),
  },
  { title: "System" },
);
const NodeView = Type.Object(
  {
    id: Id("Every start of a process makes a new id"),
    url: described(TextOrNull, "Where other nodes reach it; null if they cannot"),
    startedAt: described(Instant, "When the process began to run"),
    isLive: Type.Boolean({ description: "Whether its lease is valid" }),
    isSelf: Type.Boolean({ description: "Whether it is the process that answers" }),
    channels: Type.Integer({ description: "How many live links it has", examples: [3] }),
  },
  { title: "Node" },
);
const SettingView = Type.Object(
  {
    name: Type.String({ description: "The name of the environment variable", examples: ["RECADO_LISTEN"] }),
    value: Type.String({ description: "The value in use; of a secret `set` or `unset`", examples: ["127.0.0.1:8080"] }),
    fallback: described(TextOrNull, "The value while it is not set; null without a default", "127.0.0.1:8080"),
    source: OneOf(["default", "environment", "file", "credential"], {
      title: "SettingSource",
      description: "Where the value comes from",
      examples: ["environment"],
    }),
    isSecret: Type.Boolean({ description: "Whether the value is a secret, which is never shown", examples: [false] }),
    meaning: Type.String({ description: "Its purpose", examples: ["address and port"] }),
  },
  { title: "Setting" },
);
const TroubleView = Type.Object(
  {
    kind: Type.String({ description: "The kind of trouble", examples: ["phone-lost"] }),
    title: Type.String({ description: "The problem, in a few words", examples: ["A phone is not connected"] }),
    subject: Type.String({
      description: "The id of the phone or account concerned; empty for the installation",
      examples: [""],
    }),
    text: Type.String({ description: "The problem, in a sentence", examples: ["Loja Centro: FAILED"] }),
    since: described(InstantOrNull, "When it began; null if it has just begun", "2026-11-22T12:00:00.000Z"),
    announcedAt: described(InstantOrNull, "When the operator was notified; null before"),
  },
  { title: "Trouble" },
);
const LicenceView = Type.Object(
  {
    name: Type.String({ description: "The name of the package", examples: ["elysia"] }),
    version: Type.String({ description: "The version inside this program", examples: ["1.2.3"] }),
    licence: Type.String({ description: "The name of the licence, as the package declares it", examples: ["MIT"] }),
    homepage: described(TextOrNull, "The page of the package; null if it names none", "https://example.com"),
  },
  { title: "Licence" },
);
const Ways = Type.Object(
  {
    mail: Type.Boolean({ description: "The operator gets a mail" }),
    url: Type.Boolean({ description: "The server sends a request to an address", examples: [false] }),
    telegram: Type.Boolean({ description: "A Telegram bot writes to the operator", examples: [false] }),
  },
  { title: "AlertWays" },
);

const systemView = async (env: GatewayEnv): Promise<Static<typeof SystemView>> => {
  const { machine, clock, version, config } = env;
  const { disk, storedBytes, fullInMs, clients } = await machineNow(env);
  const { readAt, newer, ...updates } = await env.db.read((reader) =>
    knownUpdates(reader, config.updateUrl, version.version),
  );
  const database = machine.databaseBytes();
  return {
    ...version,
    startedAt: iso(version.startedAt),
    runtime: `Bun ${Bun.version}`,
    platform: `${process.platform} ${process.arch}`,
    memoryBytes: process.memoryUsage.rss(),
    addresses: { gatewayUrl: env.gatewayUrl(), listen: machine.place.listen, dataDir: machine.place.dataDir },
    disk: { ...disk, fullAt: fullInMs === undefined ? null : iso(clock.now() + fullInMs) },
    database: { isShared: env.db.isShared, sizeBytes: database?.file ?? null, logBytes: database?.log ?? null },
    media: { place: machine.place.media, sizeBytes: storedBytes },
    clients: clients.map(({ expiresAt, ...client }) => ({ ...client, expiresAt: isoOrNull(expiresAt) })),
    updates: {
      ...updates,
      readAt: isoOrNull(readAt),
      newer: newer && {
        version: newer.version,
        date: newer.date,
        notes: newer.notes ?? null,
        isUrgent: newer.isUrgent,
      },
    },
  };
};

/** The routes about this machine, its settings and its troubles. */
export const adminMachine = (env: GatewayEnv) =>
  new Elysia()
    .get("/system", () => systemView(env), {
      response: { 200: SystemView, ...ADMIN_REFUSALS },
      detail: {
        ...route({ operationId: "getSystem", isolation: "administrator" }),
        summary: "Get the versions, the disk and the sizes of this machine",
        description: "The sizes are measured for each request.",
      },
    })
    .get(
      "/nodes",
      async () => ({
        items: (await nodesNow(env, env.version.startedAt)).map((node) => ({
          ...node,
          startedAt: iso(node.startedAt),
        })),
      }),
      {
        response: {
          200: Type.Object({ items: Type.Array(NodeView, { description: "Every process that shares the database" }) }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          ...route({ operationId: "listNodes", isolation: "administrator" }),
          summary: "List the processes that serve this database",
          description: "`isLive` says whether a process still has its lease.",
        },
      },
    )
    .get(
      "/settings",
      () => ({ items: env.machine.settings().map((setting) => ({ ...setting, name: String(setting.name) })) }),
      {
        response: {
          200: Type.Object({
            items: Type.Array(SettingView, { description: "Every setting, in the order of the documentation" }),
          }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          ...route({ operationId: "listSettings", isolation: "administrator" }),
          summary: "List the settings, and where each value comes from",
          description: "A secret is only `set` or `unset`.",
        },
      },
    )
    .get(
      "/troubles",
      async () => {
        const { troubles, ways } = await troublesNow(env);
        const items = troubles.map(({ since, announcedAt, ...trouble }) => ({
          ...trouble,
          since: isoOrNull(since),
          announcedAt: isoOrNull(announcedAt),
        }));
        return { items, ways };
      },
      {
        response: {
          200: Type.Object({
            items: Type.Array(TroubleView, { description: "The current troubles, the oldest first" }),
            ways: described(Ways, "How the operator is notified"),
          }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          ...route({ operationId: "listTroubles", isolation: "administrator" }),
          summary: "List the current troubles, and how the operator is notified",
          description: "A trouble disappears from the list when it is over.",
        },
      },
    )
    .get(
      "/licences",
      () => ({ items: env.machine.licences().map(({ homepage = null, ...one }) => ({ ...one, homepage })) }),
      {
        response: {
          200: Type.Object({ items: Type.Array(LicenceView, { description: "Every package inside this program" }) }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          ...route({ operationId: "listLicences", isolation: "administrator" }),
          summary: "List the packages in this program, and their licences",
          description: "The list was made when the program was built.",
        },
      },
    );
