import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { troublesNow } from "../../../core/alerts/overview.ts";
import { type BackupNote, type BackupsNow, backupsNow } from "../../../core/backups.ts";
import { machineNow, nodesNow } from "../../../core/machine.ts";
import { runNow } from "../../../core/timetable.ts";
import { knownUpdates } from "../../../core/updates.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { Nullable, OneOf } from "../../../kernel/schema.ts";
import { administratorOf } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { ADMIN_REFUSALS, Instant, InstantOrNull } from "../schemas.ts";

const TextOrNull = Nullable(Type.String());

const OUTCOMES = ["ok", "warning", "fault", "skipped"] as const;
const ExaminationView = Type.Object(
  {
    checkedAt: Instant,
    tookMs: Type.Integer(),
    ok: Type.Boolean({ description: "Whether no check found a fault" }),
    checks: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          outcome: OneOf(OUTCOMES, { title: "CheckOutcome" }),
          found: Type.String(),
          remedy: TextOrNull,
        },
        { title: "DoctorCheck" },
      ),
    ),
  },
  { title: "Examination" },
);

const StoredBackupView = Type.Object(
  { name: Type.String(), createdAt: Instant, sizeBytes: Type.Integer(), isChecked: Type.Boolean() },
  { title: "StoredBackup" },
);
const BackupTryView = Type.Object(
  {
    at: Instant,
    isMade: Type.Boolean(),
    name: TextOrNull,
    sizeBytes: Nullable(Type.Integer()),
    durationMs: Nullable(Type.Integer()),
    error: TextOrNull,
    warning: TextOrNull,
  },
  { title: "BackupTry" },
);
const BackupsView = Type.Object(
  {
    isConfigured: Type.Boolean(),
    place: TextOrNull,
    schedule: TextOrNull,
    keep: Nullable(Type.Integer()),
    isEncrypted: Type.Boolean(),
    isRunning: Type.Boolean(),
    progress: Nullable(
      Type.Object(
        { startedAt: Instant, copiedBytes: Type.Integer(), totalBytes: Nullable(Type.Integer()) },
        { title: "BackupProgress" },
      ),
    ),
    last: Nullable(BackupTryView),
    lastMade: Nullable(BackupTryView),
    fault: TextOrNull,
    items: Type.Array(StoredBackupView),
  },
  { title: "Backups" },
);

const tryView = (note: BackupNote | null): Static<typeof BackupTryView> | null =>
  note && {
    at: iso(note.at),
    isMade: note.isMade,
    name: note.isMade ? note.name : null,
    sizeBytes: note.isMade ? note.sizeBytes : null,
    durationMs: note.isMade ? note.durationMs : null,
    error: note.isMade ? null : note.error,
    warning: note.isMade ? note.warning : null,
  };

const NO_BACKUPS: Static<typeof BackupsView> = {
  isConfigured: false,
  place: null,
  schedule: null,
  keep: null,
  isEncrypted: false,
  isRunning: false,
  progress: null,
  last: null,
  lastMade: null,
  fault: null,
  items: [],
};

const backupsView = ({ backups, machine }: GatewayEnv, now: BackupsNow | undefined): Static<typeof BackupsView> => {
  if (!backups || !now) return NO_BACKUPS;
  const { stored, fault, isWaiting, progress, last, lastMade } = now;
  return {
    isConfigured: true,
    place: backups.place,
    schedule: backups.pattern,
    keep: backups.keep,
    isEncrypted: backups.isEncrypted,
    isRunning: progress !== undefined || (isWaiting && last?.isMade !== false),
    progress: progress
      ? {
          startedAt: iso(progress.startedAtMs),
          copiedBytes: progress.copiedBytes,
          totalBytes: machine.databaseBytes()?.file ?? null,
        }
      : null,
    last: tryView(last),
    lastMade: tryView(lastMade),
    fault,
    items: stored.map(({ name, madeAtMs, sizeBytes }) => ({
      name,
      createdAt: iso(madeAtMs),
      sizeBytes,
      isChecked: true,
    })),
  };
};

/** The routes of the doctor and of backups. */
export const adminHealth = (env: GatewayEnv) =>
  new Elysia()
    .get(
      "/doctor",
      async () => {
        const { atMs, tookMs, checks } = await env.machine.examine();
        return {
          checkedAt: iso(atMs),
          tookMs,
          ok: !checks.some(({ outcome }) => outcome === "fault"),
          checks: checks.map(({ remedy = null, ...check }) => ({ ...check, remedy })),
        };
      },
      {
        response: { 200: ExaminationView, ...ADMIN_REFUSALS },
        detail: {
          operationId: "examine",
          summary: "Find what does not work, or soon will not, and what to do about it",
          description: "It does what `recado doctor` does, in at most 45 seconds. The result is kept for a minute.",
        },
      },
    )
    .get("/backups", async () => backupsView(env, await backupsNow(env)), {
      response: { 200: BackupsView, ...ADMIN_REFUSALS },
      detail: { operationId: "listBackups", summary: "List the stored backups, and how far the current one is" },
    })
    .post(
      "/backups",
      async ({ status, request }) => {
        await runNow(env, administratorOf(request), "backup");
        return status(202, backupsView(env, await backupsNow(env)));
      },
      {
        response: { 202: BackupsView, ...ADMIN_REFUSALS },
        detail: {
          operationId: "makeBackup",
          summary: "Make a backup now",
          description: "It is made in the background: list the backups to follow it. It needs `RECADO_BACKUP`.",
        },
      },
    );

const SystemView = Type.Object(
  {
    version: Type.String(),
    commit: Type.String(),
    startedAt: Instant,
    runtime: Type.String(),
    platform: Type.String(),
    memoryBytes: Type.Integer(),
    addresses: Type.Object(
      { gatewayUrl: Type.String(), listen: Type.String(), dataDir: Type.String() },
      { title: "SystemAddresses" },
    ),
    disk: Type.Object(
      { freeBytes: Type.Integer(), totalBytes: Type.Integer(), fullAt: InstantOrNull },
      { title: "Disk" },
    ),
    database: Type.Object(
      { isShared: Type.Boolean(), sizeBytes: Nullable(Type.Integer()), logBytes: Nullable(Type.Integer()) },
      { title: "SystemDatabase" },
    ),
    media: Type.Object({ place: OneOf(["disk", "s3"]), sizeBytes: Type.Integer() }, { title: "SystemMedia" }),
    clients: Type.Array(
      Type.Object(
        { kind: Type.String(), version: Type.String(), expiresAt: InstantOrNull },
        { title: "NetworkClient" },
      ),
    ),
    updates: Type.Object(
      {
        isOn: Type.Boolean(),
        readAt: InstantOrNull,
        failure: TextOrNull,
        newer: Nullable(
          Type.Object(
            { version: Type.String(), date: Type.String(), notes: TextOrNull, isUrgent: Type.Boolean() },
            { title: "NewerRelease" },
          ),
        ),
      },
      { title: "Updates" },
    ),
  },
  { title: "System" },
);
const NodeView = Type.Object(
  {
    id: Type.String(),
    url: TextOrNull,
    startedAt: Instant,
    isLive: Type.Boolean(),
    isSelf: Type.Boolean(),
    channels: Type.Integer(),
  },
  { title: "Node" },
);
const SettingView = Type.Object(
  {
    name: Type.String(),
    value: Type.String(),
    fallback: TextOrNull,
    source: OneOf(["default", "environment", "file", "credential"], { title: "SettingSource" }),
    isSecret: Type.Boolean(),
    meaning: Type.String(),
  },
  { title: "Setting" },
);
const TroubleView = Type.Object(
  {
    kind: Type.String(),
    title: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    since: InstantOrNull,
    announcedAt: InstantOrNull,
  },
  { title: "Trouble" },
);
const LicenceView = Type.Object(
  { name: Type.String(), version: Type.String(), licence: Type.String(), homepage: TextOrNull },
  { title: "Licence" },
);
const Ways = Type.Object(
  { mail: Type.Boolean(), url: Type.Boolean(), telegram: Type.Boolean() },
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

/** The routes of what runs here, how it is set, and what is wrong. */
export const adminMachine = (env: GatewayEnv) =>
  new Elysia()
    .get("/system", () => systemView(env), {
      response: { 200: SystemView, ...ADMIN_REFUSALS },
      detail: { operationId: "getSystem", summary: "Get the versions, the disk and the sizes of this machine" },
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
        response: { 200: Type.Object({ items: Type.Array(NodeView) }), ...ADMIN_REFUSALS },
        detail: { operationId: "listNodes", summary: "List the processes that serve this database" },
      },
    )
    .get(
      "/settings",
      () => ({ items: env.machine.settings().map((setting) => ({ ...setting, name: String(setting.name) })) }),
      {
        response: { 200: Type.Object({ items: Type.Array(SettingView) }), ...ADMIN_REFUSALS },
        detail: {
          operationId: "listSettings",
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
        response: { 200: Type.Object({ items: Type.Array(TroubleView), ways: Ways }), ...ADMIN_REFUSALS },
        detail: { operationId: "listTroubles", summary: "List what is wrong now, and how the operator is notified" },
      },
    )
    .get(
      "/licences",
      () => ({ items: env.machine.licences().map(({ homepage = null, ...one }) => ({ ...one, homepage })) }),
      {
        response: { 200: Type.Object({ items: Type.Array(LicenceView) }), ...ADMIN_REFUSALS },
        detail: { operationId: "listLicences", summary: "List the packages in this program, and their licences" },
      },
    );
