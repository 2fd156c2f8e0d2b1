import { S_WHATSAPP_NET } from "@whiskeysockets/baileys";
import { answerAppState } from "../app-state/collections.ts";
import type { Network } from "../model.ts";
import { answerNewsletterQuestion } from "../newsletters/mex.ts";
import { answerPosts } from "../newsletters/posts.ts";
import type { Linked } from "../people/linked.ts";
import { count, note, outline } from "../stat.ts";
import { child, children, firstChild, type Stanza, stanza, textOf } from "../wire/stanza.ts";
import { answerBusinessProfile, answerCatalog, answerOrder } from "./business-iqs.ts";
import { answerGroups, type Refusal, refusal } from "./group-iqs.ts";
import { answerKeys } from "./keys.ts";
import { answerBlocks, answerPicture, answerStatus } from "./people-iqs.ts";
import { answerUsync } from "./usync.ts";

/** The answer to an iq; `undefined` if the network does not know it. */
export type Answer = Stanza[] | Refusal | "error" | "silence" | undefined;

type Answering = (network: Network, device: Linked, iq: Stanza) => Answer;

const nothing: Answering = () => [];

const EVERYBODY = ["all", "contacts", "contact_blacklist", "none"];
/** TABLE: the privacy settings that a linked device may set, with their values. */
const PRIVACY: Readonly<Record<string, readonly string[]>> = {
  last: EVERYBODY,
  online: ["all", "match_last_seen"],
  profile: EVERYBODY,
  status: EVERYBODY,
  readreceipts: ["all", "none"],
  groupadd: ["all", "contacts", "contact_blacklist"],
  calladd: ["all", "known"],
};

const privacy: Answering = (_network, { account }, iq) => {
  if (firstChild(iq)?.tag === "tokens") return [];
  if (iq.attrs["type"] === "set") {
    const changed = children(child(iq, "privacy"), "category");
    const isWrong = ({ attrs: { name = "", value = "" } }: Stanza) => !PRIVACY[name]?.includes(value);
    if (changed.length === 0 || changed.some(isWrong)) return refusal(400, "bad-request");
    for (const { attrs } of changed) account.privacySettings[attrs["name"] ?? ""] = attrs["value"] ?? "";
    account.sendsReadReceipts = (account.privacySettings["readreceipts"] ?? "all") === "all";
  }
  const settings = { ...account.privacySettings, readreceipts: account.sendsReadReceipts ? "all" : "none" };
  return [
    stanza(
      "privacy",
      {},
      Object.entries(settings).map(([name, value]) => stanza("category", { name, value })),
    ),
  ];
};

const DISAPPEARING = ["0", "86400", "604800", "7776000"];

const disappearing: Answering = (_network, { account }, iq) => {
  const duration = child(iq, "disappearing_mode")?.attrs["duration"] ?? "";
  if (!DISAPPEARING.includes(duration)) return refusal(400, "bad-request");
  account.disappearing = duration;
  return [];
};

const mediaConnection: Answering = ({ media }) => [
  stanza("media_conn", { auth: media.authorise(), ttl: "3600", auth_ttl: "21600", max_buckets: "12" }, [
    stanza("host", { hostname: media.host, maxContentLengthBytes: "104857600" }),
  ]),
];

/** The question for the quota of new chats. */
export const CAPPING_QUERY = "24503548349331633";
const GRAPHQL_ERROR = { errors: [{ message: "Internal server error", extensions: { error_code: 500 } }], data: null };

const mex: Answering = (network, device, iq) => {
  const { account } = device;
  const query = child(iq, "query");
  const said = answerNewsletterQuestion(network, device, query?.attrs["query_id"] ?? "", textOf(query));
  if (said) return [stanza("result", {}, Buffer.from(JSON.stringify(said)))];
  if (child(iq, "query")?.attrs["query_id"] === CAPPING_QUERY && account.capping === "error")
    return [stanza("result", {}, Buffer.from(JSON.stringify(GRAPHQL_ERROR)))];
  const lock = account.timelock;
  const isActive = lock !== undefined && lock.until > network.now();
  const data = {
    xwa2_fetch_account_reachout_timelock: {
      is_active: isActive,
      time_enforcement_ends: isActive ? String(lock.until) : "0",
      enforcement_type: isActive ? lock.type : "DEFAULT",
    },
    xwa2_message_capping_info: account.capping ?? { total_quota: 1000, used_quota: 0, capping_status: "NONE" },
  };
  return [stanza("result", {}, Buffer.from(JSON.stringify({ data })))];
};

const answers: Record<string, Answering> = {
  encrypt: answerKeys,
  usync: (network, _device, iq) => answerUsync(network, iq),
  privacy,
  disappearing_mode: disappearing,
  "w:biz": answerBusinessProfile,
  "w:biz:catalog": answerCatalog,
  "fb:thrift_iq": answerOrder,
  "w:m": mediaConnection,
  "w:sync:app:state": answerAppState,
  "w:mex": mex,
  "w:g2": (network, { account }, iq) => answerGroups(network, account, iq),
  newsletter: answerPosts,
  "w:p": nothing,
  "w:stats": nothing,
  abt: () => [stanza("props", { protocol: "1", hash: "tests" })],
  blocklist: answerBlocks,
  "urn:xmpp:whatsapp:dirty": nothing,
  "w:profile:picture": answerPicture,
  status: (_network, device, iq) => answerStatus(device, iq),
  passive: (_network, device, iq) => {
    if (child(iq, "active") && !device.isActive) queueMicrotask(device.activate);
    return [];
  },
};

const answerTo = (network: Network, device: Linked, iq: Stanza): Stanza | undefined => {
  const { id, xmlns = "", to = S_WHATSAPP_NET } = iq.attrs;
  const names = { id, from: to };
  const fault = network.rules.iqs.take(iq, device.account);
  if (fault === "drop") return undefined;
  if (fault) return { ...fault, attrs: { type: "result", ...fault.attrs, ...names } as Stanza["attrs"] };
  const answer = answers[xmlns]?.(network, device, iq);
  if (answer === undefined) note(network.stat.unhandled, outline(iq));
  if (answer === "silence") return undefined;
  if (answer === undefined || !Array.isArray(answer)) {
    const { code, text } = typeof answer === "object" ? answer : { code: 404, text: "item-not-found" };
    return stanza("iq", { ...names, type: "error" }, [stanza("error", { code: String(code), text })]);
  }
  return stanza("iq", { ...names, type: "result" }, answer);
};

/** Answers an iq of a logged-in device. */
export const takeIq = (network: Network, device: Linked, iq: Stanza): void => {
  const { type, xmlns = "" } = iq.attrs;
  if (type === "result" || type === "error") return;
  count(network.stat.iqs, xmlns);
  const answer = answerTo(network, device, iq);
  if (answer) device.link?.send(answer);
};
