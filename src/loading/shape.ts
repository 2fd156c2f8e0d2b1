import { type TSchema, Type, TypeGuard } from "@sinclair/typebox";
import { BROADCAST_KINDS, OPERATIONS } from "../contract/capabilities.ts";
import { CONTENT_TYPES, FURTHER_TYPES, MAX_IMAGES, MESSAGE_TAGS } from "../contract/content/content.ts";
import { FURTHER_FIELDS } from "../contract/content/further-fields.ts";
import { MAX_QUICK_REPLIES } from "../contract/content/interactive.ts";
import { KIND_PATTERN } from "../contract/kind.ts";
import type { ChannelHost, ChannelLink, ChannelPlugin } from "../contract/plugin.ts";
import { DAY_MS } from "../kernel/clock.ts";
import { reasonOf } from "../kernel/errors.ts";
import { issuesOf, OneOf, Text } from "../kernel/schema.ts";
import { isRecord } from "../kernel/texts/json.ts";
import { formFaults, Link, pattern, sentenceOf, WordsOf } from "./forms.ts";

type Fields = Record<string, unknown>;
const Flag = Type.Optional(Type.Boolean());
const closed = { additionalProperties: false };
/** At most ten years, in ms. */
const Span = Type.Optional(Type.Number({ minimum: 0, maximum: 3660 * DAY_MS }));
const Most = Type.Optional(Type.Integer({ minimum: 1 }));
const Limits = Type.Object(
  {
    textMaxChars: Most,
    textMaxBytes: Most,
    captionMaxChars: Most,
    captionMaxBytes: Most,
    maxFileBytes: Most,
    mimeTypes: Type.Optional(
      Type.Array(
        Type.String({
          pattern: "^[a-z]+/([a-z0-9.+-]+|\\*)$",
          description: "must be a media type such as image/png or audio/*",
        }),
        { minItems: 1, maxItems: 100 },
      ),
    ),
  },
  closed,
);
const Mark = Text(1, 5);
const OperationLimits = Type.Object(
  {
    inbound: Flag,
    outbound: Flag,
    types: Type.Optional(Type.Array(OneOf([...CONTENT_TYPES, ...FURTHER_TYPES]), { minItems: 1 })),
    withinMs: Type.Optional(Type.Integer({ minimum: 1 })),
    broadcastsWithinMs: Type.Optional(Type.Object({ newsletter: Most, broadcast: Most }, closed)),
  },
  closed,
);
const partial = (names: readonly string[], schema: TSchema) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(schema)])), closed);

/** The data that an adapter declares. Functions are checked separately. */
const Declared = Type.Object({
  name: pattern(/^[a-z][a-z0-9-]{0,31}$/, "must be lower case letters, digits and -, a letter first, at most 32"),
  kind: pattern(KIND_PATTERN, "must be 2 to 32 capital letters, digits and _, a letter first"),
  label: WordsOf(60),
  about: Type.Optional(Type.Object({ text: Type.Optional(WordsOf(200)), site: Type.Optional(Link) }, closed)),
  network: Type.Object({
    holdsConnection: Type.Boolean(),
    isPaired: Type.Boolean(),
    recipients: OneOf(["phone-numbers", "ids"]),
    receipts: OneOf(["each", "latest"]),
    hasChatAddresses: Flag,
    messageIdTtlMs: Span,
    answerWindowMs: Span,
    chargesForTemplates: Flag,
    renewsCredentials: Flag,
    sharesConversations: Flag,
    optOutWords: Flag,
  }),
  capabilities: Type.Object({
    send: partial([...CONTENT_TYPES, ...FURTHER_TYPES, "call_permission_request"], Limits),
    furtherFields: Type.Optional(
      partial(
        [...CONTENT_TYPES, ...FURTHER_TYPES],
        Type.Array(OneOf(FURTHER_FIELDS), { minItems: 1, maxItems: FURTHER_FIELDS.length }),
      ),
    ),
    operations: partial(OPERATIONS, OperationLimits),
    choosesMessageIds: Type.Boolean(),
    templates: Type.Boolean(),
    mediaHandles: Flag,
    keptFiles: Flag,
    fetchesLinks: Flag,
    fetchesFromHere: Flag,
    marks: Type.Optional(Type.Object({ bold: Mark, italic: Mark, strike: Mark, code: Mark, block: Mark }, closed)),
    lookups: Flag,
    broadcasts: Type.Optional(
      partial(BROADCAST_KINDS, Type.Array(OneOf([...CONTENT_TYPES, ...FURTHER_TYPES]), { minItems: 1 })),
    ),
    echoesSends: Flag,
    quickReplies: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_QUICK_REPLIES })),
    imagesPerMessage: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_IMAGES })),
    tags: Type.Optional(Type.Array(OneOf(MESSAGE_TAGS), { maxItems: MESSAGE_TAGS.length })),
    tagSettings: Type.Optional(Type.Partial(Type.Record(OneOf(MESSAGE_TAGS), Type.String()))),
  }),
  platform: Type.Optional(
    Type.Object({
      type: pattern(/^CHAT_[A-Z0-9_]{1,40}$/, "must be CHAT_ and capital letters, digits and _"),
      isListed: Type.Boolean(),
    }),
  ),
  pairingHints: Type.Optional(Type.Record(Type.String(), Type.Object({ en: Text(1, 1000), pt: Text(1, 1000) }))),
  endings: Type.Optional(Type.Array(Text(1, 32), { maxItems: 20 })),
  probes: Type.Optional(
    Type.Array(
      Type.Object({
        name: pattern(/^[a-z][a-z0-9-]{0,31}$/, "must be lower case letters, digits and -"),
        url: Text(1, 2048),
      }),
      { maxItems: 10 },
    ),
  ),
});

/** TABLE: the functions of an adapter; `true` for required ones. */
const FUNCTIONS: Readonly<Record<string, boolean>> = {
  open: true,
  address: true,
  routeOf: false,
  signup: false,
  oauth: false,
  restored: false,
  isKey: false,
};
const RECEIVER = ["isFor", "isSigned", "verify", "parse"];
/** The functions that a receiver or a webhook may lack. */
const OPTIONAL = ["answer", "handshake"];
/** The data of a receiver or a webhook. */
const Receiving = Type.Object({
  keeps: Type.Optional(Type.Array(Text(1, 100), { maxItems: 20 })),
  takesGet: Flag,
  takesJsonAlone: Flag,
  servesAccount: Flag,
});
const MOVING = ["read", "marksOf", "entriesOf"];
/** Histories are read by a function. */
const movingFunctions = (of: unknown): string[] =>
  isRecord(of) && of["historyFormats"] !== undefined ? [...MOVING, "readHistory"] : MOVING;
const WEBHOOK = ["isSigned", "verify", "parse"];

const lacking = (of: unknown, name: string, functions: readonly string[]): string[] => {
  if (of === undefined) return [];
  return functions
    .filter((one) => !isRecord(of) || typeof of[one] !== "function")
    .map((one) => `${name}.${one} must be a function`);
};

/** Faults of a receiver or a webhook. */
const receivingFaults = (of: unknown, name: string, functions: readonly string[]): string[] => [
  ...lacking(of, name, functions),
  ...(isRecord(of)
    ? lacking(
        of,
        name,
        OPTIONAL.filter((one) => of[one] !== undefined),
      )
    : []),
  ...(isRecord(of) ? issuesOf(Receiving, of).map(({ path, message }) => `${name}.${path} ${message}`) : []),
];

const functionFaults = (plugin: Fields): string[] => [
  ...Object.entries(FUNCTIONS).flatMap(([name, isNeeded]) => {
    const value = plugin[name];
    if (value === undefined) return isNeeded ? [`${name} is missing`] : [];
    return typeof value === "function" ? [] : [`${name} must be a function`];
  }),
  ...receivingFaults(plugin["receiver"], "receiver", RECEIVER),
  ...receivingFaults(plugin["webhook"], "webhook", WEBHOOK),
  ...lacking(plugin["moving"], "moving", movingFunctions(plugin["moving"])),
];

/** An operation on messages of a type that is never sent would be impossible. */
const operationFaults = ({ capabilities }: Fields): string[] => {
  const { send, operations } = isRecord(capabilities) ? capabilities : {};
  return Object.entries(isRecord(operations) ? operations : {}).flatMap(([name, limits]) => {
    const types = isRecord(limits) && Array.isArray(limits["types"]) ? (limits["types"] as unknown[]) : [];
    return types
      .filter((type) => typeof type !== "string" || !isRecord(send) || !(type in send))
      .map((type) => `capabilities.operations.${name}.types names ${String(type)}, which capabilities.send does not`);
  });
};

/** A further field of a content that is never sent would promise nothing. */
const furtherFieldFaults = ({ capabilities }: Fields): string[] => {
  const { send, furtherFields } = isRecord(capabilities) ? capabilities : {};
  return Object.keys(isRecord(furtherFields) ? furtherFields : {})
    .filter((type) => !isRecord(send) || !(type in send))
    .map((type) => `capabilities.furtherFields names ${type}, which capabilities.send does not`);
};

const phoneFieldFaults = ({ phoneFields }: Fields): string[] => {
  if (phoneFields === undefined) return [];
  const isWhole = isRecord(phoneFields) && isRecord(phoneFields["schema"]) && typeof phoneFields["of"] === "function";
  if (!isWhole) return ["phoneFields must have a schema by name and a function `of`"];
  return Object.entries(phoneFields["schema"] as Fields)
    .filter(([name, schema]) => !/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name) || !TypeGuard.IsSchema(schema))
    .map(([name]) => `phoneFields.schema.${name} must be a schema, with a name of letters, digits and _`);
};

/** All faults of the shape of the adapter `name`. */
export const shapeFaults = (plugin: unknown, name: string): string[] => {
  if (plugin instanceof Promise) return ["create gave a promise: it must return the adapter itself, and does no I/O"];
  if (!isRecord(plugin)) return ["create made no adapter: it must return an object"];
  const faults = [
    ...issuesOf(Declared, plugin).map(sentenceOf),
    ...(typeof plugin["name"] === "string" && plugin["name"] !== name
      ? [`name must be ${name}, as the file says`]
      : []),
    ...(plugin["standsIn"] === undefined ? [] : ["standsIn is for the simulator alone"]),
    ...functionFaults(plugin),
    ...formFaults(plugin),
    ...phoneFieldFaults(plugin),
    ...operationFaults(plugin),
    ...furtherFieldFaults(plugin),
  ];
  return faults.length > 0 ? faults : linkFaults(plugin as ChannelPlugin); // its shape has been checked
};

const NOWHERE = async () =>
  ({
    ok: false,
    failure: "blocked",
    message: "an adapter that is being loaded reaches nothing",
    mayHaveArrived: false,
    durationMs: 0,
  }) as const;

/** A host that does nothing, for a link that is opened but never connected. */
const inertHost = (): ChannelHost => {
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => log };
  const nothing = async () => {
    throw new Error("an adapter that is being loaded has no vault");
  };
  return {
    channelId: "00000000-0000-4000-8000-000000000000",
    webhookUrl: "https://recado.invalid/",
    vault: { read: async () => ({}), write: nothing, openKeyStore: nothing },
    http: { guarded: NOWHERE, trusted: NOWHERE, guardedStream: NOWHERE, trustedStream: NOWHERE },
    adapterState: { read: async () => undefined, change: async () => {} },
    clock: { now: () => 0, timer: () => () => {} },
    random: { bytes: (count) => new Uint8Array(count), float: () => 0 },
    log,
    emit: nothing,
    report: () => {},
    ended: () => {},
    unknown: () => {},
  };
};

/** A link that is never connected. */
export const openInertly = (plugin: ChannelPlugin): ChannelLink => plugin.open(inertHost());

const LINK = ["connect", "close", "forget", "send"];

/** Differences between what an adapter declares and what its link has. */
const linkFaults = (plugin: ChannelPlugin): string[] => {
  const { capabilities, network } = plugin;
  let link: ChannelLink;
  try {
    link = openInertly(plugin);
  } catch (thrown) {
    return [`open threw, though it does no I/O: ${reasonOf(thrown)}`];
  }
  if (!isRecord(link)) return ["open made no link"];
  const missing = LINK.filter((name) => typeof (link as Fields)[name] !== "function").map(
    (name) => `the link has no ${name}`,
  );
  const both = (has: boolean, isPromised: boolean, part: string, promise: string): string[] =>
    has === isPromised
      ? []
      : [
          isPromised
            ? `${promise} is declared, but the link has no ${part}`
            : `the link has ${part}, but ${promise} is not declared`,
        ];
  return [
    ...missing,
    ...both(
      link.operate !== undefined,
      Object.keys(capabilities.operations).length > 0,
      "operate",
      "capabilities.operations",
    ),
    ...both(
      link.providerMessageIdFor !== undefined,
      capabilities.choosesMessageIds,
      "providerMessageIdFor",
      "capabilities.choosesMessageIds",
    ),
    ...both(link.templates !== undefined, capabilities.templates, "templates", "capabilities.templates"),
    ...both(link.lookup !== undefined, capabilities.lookups === true, "lookup", "capabilities.lookups"),
    ...both(
      link.media?.uploads !== undefined,
      capabilities.mediaHandles === true,
      "media.uploads",
      "capabilities.mediaHandles",
    ),
    ...both(
      link.handover !== undefined,
      network.sharesConversations === true,
      "handover",
      "network.sharesConversations",
    ),
    ...both(link.pairing !== undefined, network.isPaired, "pairing", "network.isPaired"),
    ...both(link.refresh !== undefined, network.renewsCredentials === true, "refresh", "network.renewsCredentials"),
    ...both(link.business !== undefined, plugin.signup !== undefined, "business", "signup"),
    ...both(link.flows !== undefined, plugin.flowCipher !== undefined, "flows", "flowCipher"),
  ];
};
