import type { ChannelEvent, LinkReport } from "../../contract/events.ts";
import type { ChannelHost, ChannelLink, ChannelPlugin, Farewell } from "../../contract/plugin.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { createKeyedQueue } from "../../runtime/keyed-queue.ts";
import { type ChannelRow, listConnecting } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import type { Environment } from "../../store/keys.ts";
import type { Env } from "../env.ts";
import { recordReport } from "./report.ts";
import { openRing, vaultOf } from "./vault.ts";

/** Keeps the live links of channels: opens them when they are first needed, and passes on what they say. */
export type Supervisor = {
  /** Opens the links of all channels that were connected by their link, or on their way to being connected, when the process ended. */
  start(): Promise<void>;
  /** The channel's link for this environment; undefined where no plugin serves its kind. */
  linkOf(channel: Pick<ChannelRow, "id" | "kind">, environment: Environment): ChannelLink | undefined;
  /** Opens the link if need be and has it connect. */
  connect(channel: Pick<ChannelRow, "id" | "kind">): void;
  close(channelId: ChannelId): Promise<void>;
  /** Resolves when everything that the channel's link has reported so far is recorded. */
  recorded(channelId: ChannelId): Promise<void>;
  /** Has the network forget the channel, as well as it goes, and closes its link. */
  release(channel: Pick<ChannelRow, "id" | "kind">, farewell: Farewell): Promise<void>;
  /** Nobody waits for a QR code any longer: the process is about to stop. */
  endWaits(): void;
  stop(): Promise<void>;
};

/** Whose link it is, and for which environment. */
export type LinkPlace = { channelId: ChannelId; environment: Environment };

/** Where the inbound side takes in what a link tells of its channel, within the given write. */
export type OnEvents = (tx: Tx, place: LinkPlace, events: readonly ChannelEvent[]) => Promise<void>;

export const createSupervisor = (env: () => Env, onEvents: OnEvents): Supervisor => {
  const links = new Map<string, ChannelLink>();
  const reports = createReports(env);

  const hostOf = (channelId: ChannelId, environment: Environment, plugin: ChannelPlugin): ChannelHost => ({
    channelId,
    vault: { ...vaultOf(env(), channelId), openRing: () => openRing(env(), channelId, (tx, events) => onEvents(tx, { channelId, environment }, events)) },
    http: env().http,
    clock: env().clock,
    random: env().random,
    log: env().log.child({ channelId, plugin: plugin.name }),
    emit: (event) => env().db.write((tx) => onEvents(tx, { channelId, environment }, [event])),
    report: (report) => {
      if (environment === "live") reports.record(channelId, report); // a simulated link says nothing of the real one
    },
  });

  const linkOf: Supervisor["linkOf"] = ({ id, kind }, environment) => {
    const key = `${id}/${environment}`;
    const open = links.get(key);
    if (open) return open;
    const plugin = env().registry.of(kind, environment);
    if (!plugin) return undefined;
    const link = plugin.open(hostOf(id, environment, plugin));
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

  return {
    async start() {
      for (const channel of await env().db.read(listConnecting)) linkOf(channel, "live")?.connect();
    },
    linkOf,
    connect: (channel) => linkOf(channel, "live")?.connect(),
    close,
    recorded: reports.recorded,
    async release(channel, farewell) {
      await linkOf(channel, "live")?.forget(farewell);
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

/** The reports of a channel are recorded one after the other. */
const createReports = (env: () => Env) => {
  const queue = createKeyedQueue();
  return {
    record(channelId: ChannelId, report: LinkReport): void {
      env().log.info({ channelId, state: report.state, reason: report.reason }, "link reported");
      const recorded = queue.run(channelId, () => recordReport(env(), channelId, report));
      recorded.catch((error: unknown) => env().log.error({ channelId, error: String(error) }, "a link's report could not be recorded"));
    },
    recorded: (channelId: ChannelId): Promise<void> => queue.run(channelId, async () => {}),
  };
};
