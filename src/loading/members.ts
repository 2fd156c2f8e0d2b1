import type { HintText } from "../contract/abilities/pairing.ts";
import type { AdapterModule, AdapterSetting } from "../contract/adapter.ts";
import type { Capabilities } from "../contract/capabilities.ts";
import type { KindRefusals, NetworkTraits, PhoneFields, PlatformWord } from "../contract/kind.ts";
import type { ChannelLink, ChannelPlugin } from "../contract/plugin.ts";
import type { Probe } from "../contract/probe.ts";
import type { ChannelWebhook, UpstreamReceiver } from "../contract/webhooks.ts";
import { isRecord } from "../kernel/texts/json.ts";
import { nearestName } from "../kernel/texts/nearest-name.ts";

/** Every member of a type of the contract: the compiler asks for each. */
type Members<Thing> = Readonly<Record<keyof Required<Thing>, true>>;

const MODULE: Members<AdapterModule> = {
  contract: true,
  name: true,
  version: true,
  author: true,
  homepage: true,
  hosts: true,
  settings: true,
  create: true,
};

const SETTING: Members<AdapterSetting> = {
  name: true,
  fallback: true,
  pattern: true,
  form: true,
  isSecret: true,
  meaning: true,
};

const PLUGIN: Members<ChannelPlugin> = {
  name: true,
  kind: true,
  label: true,
  about: true,
  standsIn: true,
  network: true,
  capabilities: true,
  platform: true,
  refusals: true,
  phoneFields: true,
  pairingHints: true,
  endings: true,
  probes: true,
  credentials: true,
  channelSettings: true,
  options: true,
  routeOf: true,
  open: true,
  receiver: true,
  webhook: true,
  signup: true,
  oauth: true,
  rates: true,
  flowCipher: true,
  address: true,
  restored: true,
  moving: true,
  isKey: true,
};

const NETWORK: Members<NetworkTraits> = {
  holdsConnection: true,
  isPaired: true,
  recipients: true,
  hasChatAddresses: true,
  receipts: true,
  messageIdTtlMs: true,
  answerWindowMs: true,
  chargesForTemplates: true,
  sharesConversations: true,
  proxiedTo: true,
  importsHistory: true,
  renewsCredentials: true,
  optOutWords: true,
};

const CAPABILITIES: Members<Capabilities> = {
  send: true,
  furtherFields: true,
  imagesPerMessage: true,
  quickReplies: true,
  tags: true,
  tagSettings: true,
  mediaHandles: true,
  keptFiles: true,
  marks: true,
  fetchesLinks: true,
  fetchesFromHere: true,
  lookups: true,
  broadcasts: true,
  echoesSends: true,
  choosesMessageIds: true,
  operations: true,
  templates: true,
};

const PLATFORM: Members<PlatformWord> = { type: true, isListed: true };
const REFUSALS: Members<KindRefusals> = { template: true, credentials: true, numberField: true };
const PHONE_FIELDS: Members<PhoneFields> = { schema: true, of: true };
const HINT: Members<HintText> = { en: true, pt: true };
const PROBE: Members<Probe> = {
  name: true,
  url: true,
  isAlwaysAsked: true,
  isAskedForChannels: true,
  ask: true,
  judge: true,
};
const WEBHOOK: Members<ChannelWebhook> = {
  keeps: true,
  takesGet: true,
  servesAccount: true,
  isSigned: true,
  verify: true,
  handshake: true,
  parse: true,
  answer: true,
};
const RECEIVER: Members<UpstreamReceiver> = {
  keeps: true,
  isConfigured: true,
  takesJsonAlone: true,
  isFor: true,
  isSigned: true,
  verify: true,
  handshake: true,
  parse: true,
  answer: true,
};

const LINK: Members<ChannelLink> = {
  lastReceivedAt: true,
  connect: true,
  close: true,
  forget: true,
  refresh: true,
  operate: true,
  providerMessageIdFor: true,
  business: true,
  number: true,
  flows: true,
  groups: true,
  calls: true,
  charges: true,
  chats: true,
  handover: true,
  lookup: true,
  entries: true,
  media: true,
  quota: true,
  settings: true,
  pairing: true,
  history: true,
  people: true,
  timers: true,
  newsletters: true,
  privacy: true,
  businessProfiles: true,
  catalog: true,
  paceMs: true,
  send: true,
  templates: true,
};

type Table = Readonly<Record<string, true>>;

/** TABLE: the members of each type that an adapter declares or makes. The guide has every one. */
export const MEMBERS: Readonly<Record<string, Table>> = {
  module: MODULE,
  setting: SETTING,
  adapter: PLUGIN,
  network: NETWORK,
  capabilities: CAPABILITIES,
  platform: PLATFORM,
  refusals: REFUSALS,
  phoneFields: PHONE_FIELDS,
  hint: HINT,
  probe: PROBE,
  webhook: WEBHOOK,
  receiver: RECEIVER,
  link: LINK,
};

type Level = { at: string; value: unknown; members: Table };

const unknownIn = ({ at, value, members }: Level): string[] =>
  isRecord(value)
    ? Object.keys(value)
        .filter((name) => !Object.hasOwn(members, name))
        .map((name) => sentence(at, name, members))
    : [];

const sentence = (at: string, name: string, members: Table): string => {
  const meant = nearestName(name, Object.keys(members));
  return `${at}${name} is no member of the contract, and is ignored${meant === undefined ? "" : `; did you mean ${meant}?`}`;
};

const eachOf = (list: unknown, at: (place: string) => string, members: Table): Level[] =>
  isRecord(list) || Array.isArray(list)
    ? Object.entries(list).map(([place, value]: [string, unknown]) => ({ at: at(place), value, members }))
    : [];

/**
 * An adapter as the plain object of the contract. An instance of a class has its methods on its prototype, which a copy
 * with other members would lack; each still finds its own fields.
 */
export const plainAdapter = (plugin: ChannelPlugin): ChannelPlugin => {
  const prototype: unknown = Object.getPrototypeOf(plugin);
  if (prototype === Object.prototype || prototype === null) return plugin;
  const members = Object.keys(PLUGIN).flatMap((name): [string, unknown][] => {
    if (!(name in plugin)) return [];
    const value: unknown = Reflect.get(plugin, name);
    return [[name, typeof value === "function" ? value.bind(plugin) : value]];
  });
  return { ...plugin, ...Object.fromEntries(members) };
};

/** What a module and its adapter declare that no member of the contract is, each with the name that was probably meant. */
export const unknownMembers = (module: unknown, plugin: unknown): string[] => {
  const declared = isRecord(plugin) ? plugin : {};
  const levels: Level[] = [
    { at: "", value: module, members: MODULE },
    ...eachOf(isRecord(module) ? module["settings"] : [], (place) => `settings[${place}].`, SETTING),
    { at: "", value: plugin, members: PLUGIN },
    { at: "network.", value: declared["network"], members: NETWORK },
    { at: "capabilities.", value: declared["capabilities"], members: CAPABILITIES },
    { at: "platform.", value: declared["platform"], members: PLATFORM },
    { at: "refusals.", value: declared["refusals"], members: REFUSALS },
    { at: "phoneFields.", value: declared["phoneFields"], members: PHONE_FIELDS },
    { at: "webhook.", value: declared["webhook"], members: WEBHOOK },
    { at: "receiver.", value: declared["receiver"], members: RECEIVER },
    ...eachOf(declared["pairingHints"], (code) => `pairingHints.${code}.`, HINT),
    ...eachOf(declared["probes"], (place) => `probes[${place}].`, PROBE),
  ];
  return levels.flatMap(unknownIn);
};

/** Members of a link with nearly the name of one of the contract. A link may have others of its own. */
export const misspeltLinkMembers = (link: unknown): string[] =>
  isRecord(link)
    ? namesOf(link)
        .filter((name) => !Object.hasOwn(LINK, name) && nearestName(name, Object.keys(LINK)) !== undefined)
        .map((name) => sentence("the link's ", name, LINK))
    : [];

/** Its own names, and those of its class. */
const namesOf = (value: object): string[] => {
  const prototype: unknown = Object.getPrototypeOf(value);
  const inherited = prototype === Object.prototype || prototype === null ? [] : Object.getOwnPropertyNames(prototype);
  return [...Object.keys(value), ...inherited.filter((name) => name !== "constructor")];
};
