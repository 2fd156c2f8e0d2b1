import { SESSION } from "../../../plugins/session/kind.ts";
import { providerMessageIdFor } from "../../../plugins/session/message-ids.ts";
import { SessionChannelSettings } from "../../../plugins/session/settings.ts";
import type { Found } from "../../../src/contract/abilities/lookup.ts";
import type { Operation, OperationOutcome } from "../../../src/contract/abilities/operations.ts";
import type { PeopleApi } from "../../../src/contract/abilities/people.ts";
import type { NewChatQuota } from "../../../src/contract/abilities/quota.ts";
import type { ChannelEvent, LinkReport, ProviderMessageId, Received } from "../../../src/contract/events.ts";
import type { SendOutcome } from "../../../src/contract/outcome.ts";
import type { Address, ChannelHost, ChannelLink, ChannelPlugin, SendOrder } from "../../../src/contract/plugin.ts";
import { type UpstreamResult, unavailable } from "../../../src/contract/upstream.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { type Customer, customerOf } from "../customers/customer.ts";
import { untilConnected, untilStatus, WEBHOOK_SECRET, type World } from "../world.ts";

const ADDRESSES: readonly [RegExp, string][] = [
  [/^(?:pn:)?([1-9]\d{5,14})(?:@s\.whatsapp\.net)?$/, "pn"],
  [/^lid:(\d+)$|^(\d+)@lid$/, "lid"],
  [/^group:([\d-]+)$|^([\d-]+)@g\.us$/, "group"],
  [/^broadcast:(status)$|^(status)@broadcast$/, "broadcast"],
];

const address = (to: string): Address => {
  for (const [form, kind] of ADDRESSES) {
    const [, ...ids] = form.exec(to) ?? [];
    const id = ids.find((one) => one !== undefined);
    if (id !== undefined) return { ok: true, to: `${kind}:${id}` };
  }
  return { ok: false, code: to.includes("@") ? "ADDRESS_INVALID" : "RECIPIENT_INVALID" };
};

/** `bytes`: those of the file that the content names by its handle. `ended`: the network's outcome, if it has one. */
type Sent = { at: number; channelId: string; order: SendOrder; bytes?: string; ended?: SendOutcome };

const NO_FILE: SendOutcome = { ok: false, kind: "refused", code: "UPSTREAM_BAD_REQUEST", reason: "there is no file" };
type FindAnswer = UpstreamResult<Map<string, Found>>;

/** A session network without a network: it connects at once, takes all sends, and otherwise follows a test's script. */
export type SessionNetwork = {
  plugin: ChannelPlugin;
  sent: Sent[];
  operated: Operation[];
  /** What people of the network were shown in chats, and who is watched. Empty without `hasPeople`. */
  shown: string[];
  watched: string[];
  /** The outcomes of the next operations. Further operations are done. */
  operationOutcomes: OperationOutcome[];
  /** The outcomes of the next sends. Further sends are taken. */
  outcomes: (SendOutcome | Promise<SendOutcome>)[];
  /** The numbers of each lookup. */
  asked: string[][];
  /** The answers to the next questions. Further answers say that every number exists, except those of 999. */
  answers: (FindAnswer | Promise<FindAnswer>)[];
  /** The wait of a channel's sends for their turn. */
  pace: (channelId: string, to: string) => number;
  /** The known quotas of new chats. */
  quota: UpstreamResult<NewChatQuota>;
  /** Makes a channel's link emit an event. Resolves when it is on disk. */
  notify(channelId: string, event: ChannelEvent): Promise<void>;
  report(channelId: string, report: LinkReport): void;
};

/** Makes a channel's link report a state. Resolves when every request sees it. */
export const reported = async (
  w: World,
  network: SessionNetwork,
  channelId: string,
  report: LinkReport,
): Promise<void> => {
  network.report(channelId, report);
  await untilStatus(w, channelId, report.state);
  // ends after the write that changed the row, which clears its cache
  await w.app.env.db.write(async () => {});
};

/** `hasPeople`: its links show presence, and watch that of at most 20 people, as the real one does. */
export const sessionNetwork = ({ hasPeople = false } = {}): SessionNetwork => {
  const hosts = new Map<string, ChannelHost>();
  const hostOf = (channelId: string): ChannelHost => {
    const host = hosts.get(channelId);
    if (!host) throw new Error(`no link is open for ${channelId}`);
    return host;
  };
  const network: SessionNetwork = {
    plugin: {
      ...SESSION,
      name: "scripted-session",
      channelSettings: SessionChannelSettings,
      address,
      open: (host) => {
        hosts.set(host.channelId, host);
        return { ...linkOf(network, host), ...(hasPeople ? { people: peopleOf(network) } : {}) };
      },
    },
    sent: [],
    operated: [],
    shown: [],
    watched: [],
    operationOutcomes: [],
    outcomes: [],
    asked: [],
    answers: [],
    pace: () => 0,
    quota: { ok: true, value: { network: null, own: null } },
    notify: (channelId, event) => hostOf(channelId).emit(event),
    report: (channelId, report) => hostOf(channelId).report(report),
  };
  return network;
};

const linkOf = (network: SessionNetwork, host: ChannelHost): ChannelLink => {
  const { channelId, clock } = host;
  const known = new Map<string, { found: Found; until: number }>();
  return {
    connect: () => host.report({ state: "CONNECTED", phoneNumber: "5511988887777" }),
    close: async () => {},
    forget: async () => {},
    providerMessageIdFor,
    paceMs: (to) => network.pace(channelId, to),
    async send(order) {
      const sent: Sent = { at: clock.now(), channelId, order };
      network.sent.push(sent);
      if ("mediaHandle" in order.content && order.content.mediaHandle !== undefined) {
        const file = await host.openFile?.(order.content.mediaHandle);
        if (!file) return NO_FILE;
        sent.bytes = Buffer.concat(await Array.fromAsync(file.body)).toString("hex");
      }
      const taken: SendOutcome = { ok: true, key: order.key ?? providerMessageIdFor(order.messageId) };
      return (sent.ended = await (network.outcomes.shift() ?? taken));
    },
    quota: { read: async () => network.quota },
    async operate(operation) {
      network.operated.push(operation);
      return network.operationOutcomes.shift() ?? { ok: true };
    },
    lookup: {
      known: async (numbers) =>
        new Map(
          numbers.flatMap((number) =>
            (known.get(number)?.until ?? 0) > clock.now() ? [[number, known.get(number)?.found as Found]] : [],
          ),
        ),
      async find(numbers) {
        network.asked.push([...numbers]);
        const answer = await (network.answers.shift() ?? {
          ok: true,
          value: new Map(numbers.map((number) => [number, foundOf(number)])),
        });
        if (answer.ok)
          for (const [number, found] of answer.value) known.set(number, { found, until: clock.now() + 7 * DAY_MS });
        return answer;
      },
    },
  };
};

const MOST_WATCHED = 20;
const NOTHING: UpstreamResult<never> = unavailable("unscripted");

const peopleOf = (network: SessionNetwork): PeopleApi => ({
  async show(presence, to) {
    network.shown.push(to === undefined ? presence : `${presence} ${to}`);
    return { ok: true, value: true };
  },
  async watch(to) {
    if (!network.watched.includes(to) && network.watched.length >= MOST_WATCHED)
      return { ...unavailable("too many people are watched"), isOwnLimit: true };
    network.watched.push(to);
    return { ok: true, value: true };
  },
  blocked: async () => NOTHING,
  setBlocked: async () => NOTHING,
  profile: async () => NOTHING,
  changeProfile: async () => NOTHING,
  picture: async () => NOTHING,
});

const foundOf = (number: string): Found =>
  number.startsWith("999") ? { exists: false, jid: null } : { exists: true, jid: `${number}@s.whatsapp.net` };

/** An account with a CONNECTED phone of the scripted network, whose webhook is a receiver that is empty. */
export const newSessionCustomer = async (w: World): Promise<Customer> => {
  const { id: accountId, key } = await w.account();
  const hook = w.receiver();
  const phone = await newSessionPhone(w, key, { url: hook.url, secret: WEBHOOK_SECRET });
  await hook.received(1); // connected
  hook.arrived.length = 0;
  return customerOf(w, {
    accountId,
    key,
    hook,
    phone: { id: phone, phoneNumberId: "", accessToken: "", number: "5511988887777" },
  });
};

export const newSessionPhone = async (
  w: World,
  key: string,
  webhook?: { url: string; secret: string },
): Promise<string> => {
  const made = await w.gateway("/v1/phones", {
    key,
    body: { type: "SESSION", label: "A phone", ...(webhook ? { webhook } : {}) },
  });
  if (made.status !== 201) throw new Error(`the phone was not made: ${made.status} ${made.text}`);
  await untilConnected(w, made.body.id);
  return made.body.id;
};

let lastKey = 0;

/** A text of a person to a channel, in the form that its link emits. `rest` adds fields or replaces them. */
export const textFrom = (pn: string, rest: Partial<Received> = {}): Received => ({
  kind: "received",
  key: `3EB0IN${++lastKey}` as ProviderMessageId,
  at: 0,
  from: { pn },
  chat: { pn },
  pushName: "Ana",
  content: { type: "text", content: { text: "oi" } },
  ...rest,
});
