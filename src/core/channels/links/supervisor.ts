import type { ChannelEvent, LinkReport } from "../../../contract/events.ts";
import type {
  ChannelHost,
  ChannelLink,
  ChannelPlugin,
  ConnectOptions,
  DisconnectOptions,
} from "../../../contract/plugin.ts";
import { createKeyedSemaphore } from "../../../kernel/async.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import { findChannel } from "../../../store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";
import type { ChannelsEnv } from "../env.ts";
import { openKeyStore, vaultOf } from "../settings/vault.ts";
import { adapterStateOf } from "./adapter-state.ts";
import { noteRefusedToken, watchingRefusals } from "./refused-token.ts";
import { applyLinkReport } from "./report.ts";
import { createUnknowns, type Unknowns } from "./unknowns.ts";

/** Manages the live links of channels: opens each when it is first needed, and passes on its reports and events. */
export type Supervisor = {
  /**
   * Opens the links of this process's share of the channels that were connected by their link, or connecting, when a
   * process ended.
   */
  start(): Promise<void>;
  /** Opens the links again of the channels that this process still owns, after `stop`. */
  resume(): Promise<void>;
  /** Closes the links of channels that another process owns now, or that are gone. */
  closeLost(): Promise<void>;
  /** The channel's link for this environment; undefined if no adapter serves its kind. */
  linkOf(channel: Pick<ChannelRow, "id" | "kind">, environment: Environment): ChannelLink | undefined;
  /**
   * Makes this process the channel's owner, and connects its link once the write is on disk. `isAsked` only if the
   * owner asks for it.
   * @throws AppError OVERLOADED when another process owns it
   */
  connect(
    tx: Tx,
    channel: Pick<ChannelRow, "id" | "kind" | "holdsConnection">,
    connectOptions?: ConnectOptions,
  ): Promise<void>;
  close(channelId: ChannelId): Promise<void>;
  /** Resolves when all reports of the channel's link so far are recorded. */
  recorded(channelId: ChannelId): Promise<void>;
  /** How long the most silent open connection has received nothing, in milliseconds; 0 if none is open. */
  silenceMs(): number;
  /** Asks the network to forget the channel, and closes its link. An error of the network is ignored. */
  release(channel: Pick<ChannelRow, "id" | "kind">, disconnectOptions: DisconnectOptions): Promise<void>;
  /** Ends all waits for a QR code, because the process is about to stop. */
  endWaits(): void;
  /** Closes all links. */
  stop(): Promise<void>;
};

/** The channel and environment of a link. */
export type LinkKey = { channelId: ChannelId; environment: Environment };

/** The handler of a link's events, within the given write. */
export type OnEvents = (tx: Tx, linkKey: LinkKey, events: readonly ChannelEvent[]) => Promise<void>;

export const createSupervisor = (env: () => ChannelsEnv, onEvents: OnEvents): Supervisor => {
  const links = new Map<string, ChannelLink>();
  const reports = createReports(env);
  const unknowns = createUnknowns(env);

  const linkOf: Supervisor["linkOf"] = ({ id, kind }, environment) => {
    const key = `${id}/${environment}`;
    const open = links.get(key);
    if (open) return open;
    const plugin = env().registry.of(kind, environment);
    if (!plugin) return undefined;
    const opened = plugin.open(hostOf({ env, onEvents, reports, unknowns }, { channelId: id, environment }, plugin));
    const link =
      environment === "live"
        ? watchingRefusals(opened, { now: env().clock.now, onRefused: (begunAt) => reports.refused(id, begunAt) })
        : opened;
    links.set(key, link);
    return link;
  };

  const close = async (channelId: ChannelId) => {
    for (const environment of ["live", "test"] as const) {
      const link = links.get(`${channelId}/${environment}`);
      links.delete(`${channelId}/${environment}`);
      await link?.close();
    }
  };

  const connectAll = (channels: readonly ChannelRow[]): void => {
    for (const channel of channels) linkOf(channel, "live")?.connect({ isAsked: false });
  };

  return {
    start: async () => connectAll(await env().owners.takeFree()),
    resume: async () => connectAll(await env().owners.mine()),
    async closeLost() {
      const open = new Set([...links.keys()].map((key) => key.split("/", 1)[0] as ChannelId));
      for (const lost of await env().owners.lost([...open])) await close(lost);
    },
    linkOf,
    async connect(tx, channel, connectOptions = { isAsked: false }) {
      await env().owners.claim(tx, channel);
      tx.afterCommit(() => linkOf(channel, "live")?.connect(connectOptions));
    },
    close,
    recorded: reports.recorded,
    silenceMs: () => silenceOf([...links.values()], env().clock.now()),
    async release(channel, disconnectOptions) {
      await linkOf(channel, "live")?.forget(disconnectOptions);
      await close(channel.id);
    },
    endWaits() {
      for (const link of links.values()) link.pairing?.endWaits();
    },
    async stop() {
      const open = [...links.values()];
      links.clear();
      await Promise.all(open.map((link) => link.close()));
    },
  };
};

type Hosting = {
  env(): ChannelsEnv;
  onEvents: OnEvents;
  reports: ReturnType<typeof createReports>;
  unknowns: Unknowns;
};

/** The owner of a channel now: an account may have been joined with an institution since its link began. */
const tenantOf = async ({ db }: Pick<ChannelsEnv, "db">, channelId: ChannelId): Promise<TenantId | undefined> =>
  (await db.read((reader) => findChannel(reader, EVERY_TENANT, channelId)))?.tenantId;

/** The host of a link: what the link may use of the process. */
const hostOf = (
  { env, onEvents, reports, unknowns }: Hosting,
  linkKey: LinkKey,
  plugin: ChannelPlugin,
): ChannelHost => ({
  channelId: linkKey.channelId,
  vault: {
    ...vaultOf(env(), linkKey.channelId),
    openKeyStore: () => openKeyStore(env(), linkKey.channelId, (tx, events) => onEvents(tx, linkKey, events)),
  },
  http: env().http.to(plugin.name),
  adapterState: adapterStateOf(env(), plugin.name),
  ...(plugin.network.proxiedTo === undefined ? {} : { openProxy: env().proxies.open }),
  webhookUrl: `${env().gatewayUrl()}/v1/upstream-webhook/${linkKey.channelId}`,
  clock: env().clock,
  random: env().random,
  log: env().log.child({ channelId: linkKey.channelId, plugin: plugin.name }),
  emit: (event) => env().db.write((tx) => onEvents(tx, linkKey, [event])),
  report: (report) => {
    // a simulated link does not report about the real one
    if (linkKey.environment === "live") reports.record(linkKey.channelId, report);
  },
  async openFile(handle) {
    const tenantId = await tenantOf(env(), linkKey.channelId);
    return tenantId && env().openKeptFile(tenantId, handle);
  },
  makeVoice: async (body) => env().makeVoice(await accountOf(env(), linkKey), body),
  makeSticker: async (bytes) => env().makeSticker(await accountOf(env(), linkKey), bytes),
  makeThumbnail: async (bytes) => env().makeThumbnail(await accountOf(env(), linkKey), bytes),
  makeStandard: async (bytes) => env().makeStandard(await accountOf(env(), linkKey), bytes),
  ended: (reason) => env().metrics.count("recado_link_endings_total", { kind: plugin.kind, reason }),
  unknown: (name) => unknowns.note(plugin.kind, name),
});

/** Whose turn a conversion takes. */
const accountOf = async (env: ChannelsEnv, { channelId }: LinkKey): Promise<string> =>
  (await tenantOf(env, channelId)) ?? channelId;

const silenceOf = (links: readonly ChannelLink[], now: number): number =>
  links.reduce((longest, { lastReceivedAt = now }) => Math.max(longest, now - lastReceivedAt), 0);

/**
 * Records the reports of a channel one after the other. Reports about a channel that another process owns are ignored.
 */
const createReports = (env: () => ChannelsEnv) => {
  const queue = createKeyedSemaphore();
  const record = (channelId: ChannelId, report: LinkReport): Promise<void> =>
    env().db.write(async (tx) => {
      if (!(await env().owners.isElsewhere(tx, channelId))) await applyLinkReport(env(), tx, channelId, report);
    });
  const refuse = (channelId: ChannelId, begunAt: number): Promise<void> =>
    env().db.write(async (tx) => {
      if (await env().owners.isElsewhere(tx, channelId)) return;
      await noteRefusedToken(env(), tx, channelId, { code: "CREDENTIALS_REFUSED", begunAt });
    });
  const logged = (channelId: ChannelId, recorded: Promise<void>): void =>
    void recorded.catch((error: unknown) =>
      env().log.error({ channelId, error: String(error) }, "a link's report could not be recorded"),
    );
  return {
    /** The network has refused the channel's token in a call that began at this time. */
    refused: (channelId: ChannelId, begunAt: number): void =>
      logged(
        channelId,
        queue.run(channelId, () => refuse(channelId, begunAt)),
      ),
    record(channelId: ChannelId, report: LinkReport): void {
      env().log.info({ channelId, state: report.state, reason: report.reason }, "link reported");
      logged(
        channelId,
        queue.run(channelId, () => record(channelId, report)),
      );
    },
    recorded: (channelId: ChannelId): Promise<void> => queue.run(channelId, async () => {}),
  };
};
