import { type AppNumber, ensureAppNumber, issueAppKey } from "../../../src/core/channels/settings/app-numbers.ts";
import { callerIn, LOCAL } from "../../../src/core/tenancy/audit/audit.ts";
import { type Customer, newCustomer } from "../customers/customer.ts";
import { newSessionCustomer, type SessionNetwork, sessionNetwork } from "../session/scripted-sends.ts";
import { useWorld } from "../use-world.ts";
import { type Answer, answerOf, type World } from "../world.ts";

/** The settings of a world that has the API. */
export const CLOUD_ENV = { RECADO_CLOUD_URL: "on", RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" };

export type CloudCall = {
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged: text, a form or bytes. */
  raw?: string | Uint8Array | FormData | URLSearchParams;
  headers?: Record<string, string>;
  /** Null: no token. Default: the client's own. */
  token?: string | null;
};

/** A phone in the view of a program for the Cloud API. */
export type CloudClient = {
  token: string;
  number: AppNumber;
  /** A request to a path below the version, such as `/123/messages`; a body makes it a POST. */
  ask(path: string, call?: CloudCall): Promise<Answer>;
  /** POST /{number}/messages; a text by default. */
  send(body?: Record<string, unknown>): Promise<Answer>;
};

export const cloudClientOf = async (
  w: World,
  { accountId, phone }: Pick<Customer, "accountId"> & { phone: Pick<Customer["phone"], "id"> },
  version = "v23.0",
): Promise<CloudClient> => {
  const scope = callerIn(accountId, LOCAL);
  const { key: token } = await issueAppKey(
    w.app.env,
    scope,
    { channelId: phone.id, api: "cloud" },
    { name: "a client" },
  );
  const number = await ensureAppNumber(w.app.env, scope, phone.id);
  const ask: CloudClient["ask"] = async (path, { method, body, raw, headers = {}, token: own = token } = {}) => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${w.app.cloudUrl}/${version}${path}`, {
      method: method ?? (sent === undefined ? "GET" : "POST"),
      headers: {
        ...(own === null ? {} : { authorization: `Bearer ${own}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    return answerOf(response);
  };
  return {
    token,
    number,
    ask,
    send: (body = {}) =>
      ask(`/${number.numberId}/messages`, {
        body: { messaging_product: "whatsapp", to: "5511999990001", type: "text", text: { body: "olá" }, ...body },
      }),
  };
};

/** A customer with a phone, and a client of it. */
export type CloudCustomer = Customer & { client: CloudClient };

/** The kinds of phones that the same tests run on: the official one, and a session. */
export const CLOUD_PHONES = ["official", "session"] as const;
export type CloudPhone = (typeof CLOUD_PHONES)[number];

/** A world with both kinds of phones behind the API, and a new customer of a kind. */
export const useCloud = (
  env: Record<string, string> = {},
): { w: World; network: SessionNetwork; customer(phone: CloudPhone, version?: string): Promise<CloudCustomer> } => {
  const network = sessionNetwork();
  const w = useWorld({ plugins: [network.plugin], env: { ...CLOUD_ENV, ...env } });
  return {
    w,
    network,
    async customer(phone, version) {
      const made = phone === "official" ? await newCustomer(w) : await newSessionCustomer(w);
      return { ...made, client: await cloudClientOf(w, made, version) };
    },
  };
};

/** Status, code and subcode of a refusal. */
export const errorOf = ({ status, body }: Pick<Answer, "status" | "body">) => [
  status,
  body.error.code,
  body.error.error_subcode,
];
