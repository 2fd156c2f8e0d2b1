import { createHmac } from "node:crypto";
import { type Answer, type Called, type Fields, Refusal, type State, type TwilioAccount } from "./state.ts";

// Twilio's API, as its pages say what it takes and refuses: plugins/sms/README.md.

const API = /^\/2010-04-01\/Accounts\/([\w.-]+)(\/.*)?$/;
const NUMBER = /^\+[1-9]\d{6,14}$/;
const LONGEST_BODY = 1600;

const refusal = (code: number, message: string, status = 400): Refusal =>
  new Refusal(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status });

export const answerOfTwilio = (state: State, called: Called): Answer => {
  const { method, url } = called;
  if (url.pathname.startsWith("/store/")) return storedFile(state, called);
  const [, sid = "", path = ""] = API.exec(url.pathname) ?? [];
  const account = state.twilio.get(sid.replace(/\.json$/, ""));
  const fields = Object.fromEntries(new URLSearchParams(called.body));
  if (!account || !isAuthorized(account, called)) throw refusal(20003, "Authenticate", 401);
  if (path === "") return { status: 200, body: { sid: account.sid, status: account.status } };
  if (method === "POST" && path === "/Messages.json") return createMessage(state, account, called.body);
  if (path.includes("/Media/")) return redirectToStore(account, url);
  return ownedOf(account, { method, path, query: url.searchParams, fields });
};

const isAuthorized = ({ sid, tokens }: TwilioAccount, { headers }: Called): boolean =>
  [...tokens].some(
    (token) => headers["authorization"] === `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}`,
  );

/** TABLE: what a message must not be. */
const faultOf = (account: TwilioAccount, form: URLSearchParams): Refusal | undefined => {
  const [to, text, links] = [form.get("To") ?? "", form.get("Body") ?? "", form.getAll("MediaUrl")];
  const validity = Number(form.get("ValidityPeriod") ?? 36_000);
  const faults: [boolean, number, string, number?][] = [
    [account.status !== "active", 20005, "Account not active", 403],
    [!NUMBER.test(to), 21211, `The 'To' number ${to} is not a valid phone number.`],
    [!hasSender(account, senderIn(form)), 21212, "The 'From' number is not a valid phone number or sender ID."],
    [text === "" && links.length === 0, 21602, "Message body is required."],
    [[...text].length > LONGEST_BODY, 21617, "The concatenated message body exceeds 1600 characters."],
    [links.length > 10, 21623, "Number of media files exceeds allowed limit."],
    [links.some((link) => !/^https?:\/\//.test(link)), 21620, "Invalid media URL(s)"],
    [!account.takesCallbacks && form.has("StatusCallback"), 21609, "The StatusCallback URL is not a valid URL."],
    [!(validity >= 1 && validity <= 36_000), 21639, "Validity period is out of range."],
    [account.optedOut.has(`${senderIn(form)}>${to}`), 21610, "Attempt to send to unsubscribed recipient"],
  ];
  const fault = faults.find(([isFault]) => isFault);
  return fault && refusal(fault[1], fault[2], fault[3]);
};

const senderIn = (form: URLSearchParams): string => form.get("From") ?? form.get("MessagingServiceSid") ?? "";

const hasSender = (account: TwilioAccount, from: string): boolean =>
  account.senders.has(from) || account.owned.some(({ value }) => value === from);

const createMessage = (state: State, account: TwilioAccount, body: string): Answer => {
  const form = new URLSearchParams(body);
  const fault = faultOf(account, form);
  if (fault) throw fault;
  state.nextId += 1;
  const id = `SM${String(state.nextId).padStart(32, "0")}`;
  const [from, text] = [senderIn(form), form.get("Body") ?? ""];
  const links = form.getAll("MediaUrl");
  account.sent.push({ id, from, to: form.get("To") ?? "", text, links, fields: Object.fromEntries(form) });
  const isService = from.startsWith("MG");
  const segments = String(isService ? 0 : Math.max(1, Math.ceil(text.length / 153)));
  return {
    status: 201,
    body: {
      sid: id,
      status: isService ? "accepted" : "queued",
      num_segments: segments,
      price: account.price,
      price_unit: "USD",
      error_code: null,
    },
  };
};

type Asked = { method: string; path: string; query: URLSearchParams; fields: Fields };

const PLACES = {
  "/IncomingPhoneNumbers": { filter: "PhoneNumber", field: "incoming_phone_numbers" },
  "/SMS/ShortCodes": { filter: "ShortCode", field: "short_codes" },
} as const;

/** The numbers and short codes of an account, with the addresses that Twilio calls for them. */
const ownedOf = (account: TwilioAccount, { method, path, query, fields }: Asked): Answer => {
  for (const [place, { filter, field }] of Object.entries(PLACES)) {
    if (method === "GET" && path === `${place}.json`) {
      const found = account.owned.filter(({ value }) => value === query.get(filter));
      return { status: 200, body: { [field]: found.map(resourceOf) } };
    }
    const owned = account.owned.find(({ sid }) => path === `${place}/${sid}.json`);
    if (!owned) continue;
    const smsUrl = fields["SmsUrl"];
    if (smsUrl && !URL.canParse(smsUrl)) throw refusal(21502, "SmsUrl is not valid");
    if (smsUrl !== undefined) owned.smsUrl = smsUrl;
    return { status: 200, body: resourceOf(owned) };
  }
  throw refusal(20404, "The requested resource was not found", 404);
};

const resourceOf = ({ sid, smsUrl, applicationSid }: TwilioAccount["owned"][number]) => ({
  sid,
  sms_url: smsUrl,
  sms_method: "POST",
  sms_application_sid: applicationSid,
});

/** The API answers with a signed address at a store. */
const redirectToStore = (account: TwilioAccount, { pathname, host }: URL): Answer => {
  const name = pathname.split("/").at(-1) ?? "";
  if (!account.files.has(name)) throw refusal(20404, "The requested resource was not found", 404);
  // another origin than the API's, as at the real one
  const store = host.replace("127.0.0.1", "localhost");
  return { status: 307, headers: { location: `http://${store}/store/${account.sid}/${name}?Signature=signed` } };
};

/** The store refuses a second kind of authentication beside its signature. */
const storedFile = ({ twilio }: State, { url, headers }: Called): Answer => {
  const [, , sid = "", name = ""] = url.pathname.split("/");
  const file = twilio.get(sid)?.files.get(name);
  if (headers["authorization"] !== undefined || url.searchParams.get("Signature") !== "signed" || !file)
    throw new Refusal(400, { error: "Only one auth mechanism allowed" });
  return { status: 200, body: file.bytes, headers: { "content-type": file.type } };
};

/** The headers of a request that the account's token signs, as the pages of Twilio say it. */
export const signedByTwilio = (token: string, url: string, form: URLSearchParams): Record<string, string> => {
  const names = [...new Set(form.keys())].sort();
  const text = url + names.map((name) => name + [...new Set(form.getAll(name))].sort().join(name)).join("");
  return {
    "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    "X-Twilio-Signature": createHmac("sha1", token).update(text).digest("base64"),
  };
};
