import makeWASocket, {
  type AuthenticationCreds,
  addTransactionCapability,
  type BaileysEventMap,
  type ConnectionState,
  initAuthCreds,
  type SignalDataTypeMap,
  type SignalKeyStore,
  type UserFacingSocketConfig,
  WA_CERT_DETAILS,
  type WAMessage,
  type WASocket,
} from "@whiskeysockets/baileys";
import type { WhatsApp } from "./index.ts";
import { makeWaiters } from "./waiters.ts";
import type { Stanza } from "./wire/stanza.ts";

/** The state that a client keeps from one connection to the next. `rows`: the keys by `<type> <id>`. */
export type Identity = { creds: AuthenticationCreds; keys: SignalKeyStore; rows: ReadonlyMap<string, unknown> };

/** Unmodified Baileys as a client of the simulated network. */
export type Client = {
  readonly sock: WASocket;
  readonly identity: Identity;
  readonly messages: WAMessage[];
  readonly updates: Partial<ConnectionState>[];
  readonly acks: Stanza[];
  readonly receipts: Stanza[];
  /** The first QR that is shown. */
  qr(): Promise<string>;
  opened(): Promise<void>;
  /** The code with which the connection ends. */
  closed(): Promise<number>;
  until<Found>(find: () => Found | undefined | false): Promise<Found>;
  end(): void;
};

const silent = {
  level: "silent",
  child: () => silent,
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

export const newIdentity = (): Identity => {
  const rows = new Map<string, unknown>();
  const keys: SignalKeyStore = {
    get: <Type extends keyof SignalDataTypeMap>(type: Type, ids: string[]) =>
      Object.fromEntries(ids.flatMap((id) => (rows.has(`${type} ${id}`) ? [[id, rows.get(`${type} ${id}`)]] : []))) as {
        [id: string]: SignalDataTypeMap[Type];
      },
    set: (data) => {
      for (const [type, values] of Object.entries(data)) {
        for (const [id, value] of Object.entries(values)) {
          if (value === null) rows.delete(`${type} ${id}`);
          else rows.set(`${type} ${id}`, value);
        }
      }
    },
  };
  return {
    creds: initAuthCreds(),
    rows,
    keys: addTransactionCapability(keys, silent, { maxCommitRetries: 1, delayBetweenTriesMs: 1 }),
  };
};

const codeOf = ({ lastDisconnect }: Partial<ConnectionState>): number =>
  (lastDisconnect?.error as { output?: { statusCode?: number } } | undefined)?.output?.statusCode ?? 0;

/** Connects with an identity; a new one asks to be linked. */
export const connect = (
  net: Pick<WhatsApp, "url" | "root">,
  identity: Identity = newIdentity(),
  config: Partial<UserFacingSocketConfig> = {},
): Client => {
  // read only if signatures count, as everywhere after plugins/session/keys/hardening.ts is loaded
  WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(net.root, "hex");
  const { changed, until } = makeWaiters();
  const updates: Partial<ConnectionState>[] = [];
  const messages: WAMessage[] = [];
  const [acks, receipts]: Stanza[][] = [[], []];
  const sock = makeWASocket({
    waWebSocketUrl: net.url,
    auth: identity,
    logger: silent,
    browser: ["Ubuntu", "Chrome", "22.04.4"],
    markOnlineOnConnect: false,
    emitOwnEvents: false,
    syncFullHistory: false,
    retryRequestDelayMs: 0,
    ...config,
  });
  const on = <Name extends keyof BaileysEventMap>(name: Name, take: (event: BaileysEventMap[Name]) => void) =>
    sock.ev.on(name, (event) => {
      take(event);
      changed();
    });
  on("connection.update", (update) => {
    updates.push(update);
    if (update.connection === "open" && sock.ev.isBuffering()) queueMicrotask(() => sock.ev.flush());
  });
  on("creds.update", (update) => Object.assign(identity.creds, update));
  on("messages.upsert", (upsert) => messages.push(...upsert.messages));
  const keep = (list: Stanza[]) => (node: Stanza) => {
    list.push(node);
    changed();
  };
  sock.ws.on("CB:ack,class:message", keep(acks ?? []));
  sock.ws.on("CB:receipt", keep(receipts ?? []));
  return {
    sock,
    identity,
    messages,
    updates,
    acks: acks ?? [],
    receipts: receipts ?? [],
    until,
    qr: () => until(() => updates.find(({ qr }) => qr !== undefined)?.qr),
    opened: async () => void (await until(() => updates.some(({ connection }) => connection === "open"))),
    closed: async () => codeOf(await until(() => updates.find(({ connection }) => connection === "close"))),
    end: () => void sock.end(undefined),
  };
};

/** A client that is linked to this phone and open. */
export const linked = async (
  net: WhatsApp,
  pn: string,
  config: Partial<UserFacingSocketConfig> = {},
): Promise<Client> => {
  const first = connect(net, newIdentity(), config);
  await net.phone(pn).scan(await first.qr());
  await first.closed();
  const client = connect(net, first.identity, config);
  await client.opened();
  return client;
};
