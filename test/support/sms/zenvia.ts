import { createHash, createHmac } from "node:crypto";
import {
  type Answer,
  type Called,
  type Fields,
  Refusal,
  type State,
  type Subscription,
  type ZenviaAccount,
} from "./state.ts";

// Zenvia's API, as its description says what it takes and refuses: plugins/sms/README.md.

const LONGEST_TEXT = 1520;
/** The most webhooks with the same event and channel. */
const MAX_SAME = 2;
const OLDEST_MS = 3 * 60_000;

const invalid = (path: string, message: string): Refusal =>
  new Refusal(400, {
    code: "VALIDATION_ERROR",
    message: "Validation error",
    details: [{ code: "invalid", path, message }],
  });
const notFound = (): Refusal => new Refusal(404, { code: "NOT_FOUND", message: "Not found" });

export const answerOfZenvia = (state: State, called: Called): Answer => {
  const { method, url, headers, body } = called;
  const account = state.zenvia.find(({ tokens }) => tokens.has(String(headers["x-api-token"])));
  if (!account || !isSignedIfNeeded(state, account, called))
    throw new Refusal(401, { code: "AUTHENTICATION_ERROR", message: "No authorization token was found" });
  const fields: Fields = body === "" ? {} : JSON.parse(body);
  const [, , place = "", id = ""] = url.pathname.split("/");
  if (method === "POST" && url.pathname === "/v2/channels/sms/messages") return createMessage(state, account, fields);
  if (place !== "subscriptions") throw notFound();
  return id === "" ? listOrCreate(state, account, method, fields) : changeOne(account, { id, method, fields });
};

/** The six lines of the description. A signature that is not asked for is refused, too. */
const isSignedIfNeeded = (
  { clock }: State,
  { tokenSecret }: ZenviaAccount,
  { method, url, headers, body }: Called,
): boolean => {
  const given = headers["x-api-signature"];
  if (tokenSecret === undefined) return given === undefined;
  const date = String(headers["date"]);
  const ageMs = clock.now() - Date.parse(date);
  const hash = body === "" ? "" : createHash("md5").update(body).digest("hex");
  const type = body === "" ? "" : String(headers["content-type"]);
  const text = `${method}\n${hash}\n${type}\n${date}\n${url.hostname}\n${url.pathname}${url.search}`;
  const right = createHmac("sha256", tokenSecret).update(text).digest("base64");
  return given === right && ageMs > -1000 && ageMs <= OLDEST_MS;
};

const createMessage = (state: State, account: ZenviaAccount, fields: Fields): Answer => {
  const { from, to, contents, externalId } = fields;
  if (typeof from !== "string" || !account.aliases.has(from)) throw invalid("from", "is not a sender of the account");
  if (typeof to !== "string" || !/^[1-9]\d{9,14}$/.test(to)) throw invalid("to", "is not a number with country code");
  if (!Array.isArray(contents) || contents.length === 0) throw invalid("contents", "should have at least one");
  for (const { type, text } of contents) {
    if (type !== "text") throw invalid("contents[0].type", "is not a content of this channel");
    if (typeof text !== "string" || text === "" || [...text].length > LONGEST_TEXT)
      throw invalid("contents[0].text", `has 1 to ${LONGEST_TEXT} characters`);
  }
  state.nextId += 1;
  const id = `0b3e1f2a-7c4d-4e5f-8a6b-${String(state.nextId).padStart(12, "0")}`;
  account.sent.push({ id, from, to, text: contents[0].text, links: [], fields });
  return { status: 200, body: { id, from, to, direction: "OUT", channel: "sms", contents, externalId } };
};

const checkWebhook = ({ url, headers = {} }: Fields = {}): void => {
  if (!URL.canParse(url)) throw invalid("webhook.url", "is not a URL");
  if (typeof headers !== "object") throw invalid("webhook.headers", "is not an object");
};

const listOrCreate = (state: State, account: ZenviaAccount, method: string, fields: Fields): Answer => {
  if (method === "GET") return { status: 200, body: account.subscriptions };
  const { eventType, webhook, criteria, status = "ACTIVE" } = fields;
  if (eventType !== "MESSAGE" && eventType !== "MESSAGE_STATUS") throw invalid("eventType", "is not known");
  checkWebhook(webhook);
  if (typeof criteria?.channel !== "string") throw invalid("criteria.channel", "is required");
  const isSame = (one: Subscription) => one.eventType === eventType && one.criteria["channel"] === criteria.channel;
  if (account.subscriptions.filter(isSame).length >= MAX_SAME)
    throw new Refusal(409, { code: "DUPLICATED", message: "Entity already exists" });
  state.nextId += 1;
  const subscription = { id: `sub-${state.nextId}`, eventType, webhook, criteria, status };
  account.subscriptions.push(subscription);
  return { status: 200, body: subscription };
};

type Change = { id: string; method: string; fields: Fields };

const changeOne = (account: ZenviaAccount, { id, method, fields }: Change): Answer => {
  const found = account.subscriptions.find((one) => one.id === id);
  if (!found) throw notFound();
  if (method === "DELETE") {
    account.subscriptions = account.subscriptions.filter((one) => one.id !== id);
    return { status: 204 };
  }
  const strange = Object.keys(fields).filter((name) => name !== "webhook" && name !== "status");
  if (strange.length > 0) throw invalid(strange[0] ?? "", "cannot be changed");
  if (fields["webhook"]) checkWebhook(fields["webhook"]);
  Object.assign(found, fields);
  return { status: 200, body: found };
};
