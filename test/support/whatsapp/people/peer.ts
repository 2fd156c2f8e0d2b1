import {
  type AuthenticationCreds,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  encodeBigEndian,
  extractE2ESessionFromRetryReceipt,
  initAuthCreds,
  parseAndInjectE2ESessions,
  proto,
  type SignalDataTypeMap,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
  unpadRandomMax16,
  writeRandomPadMax16,
  xmppPreKey,
  xmppSignedPreKey,
} from "@whiskeysockets/baileys";
import { type Account, type Device, deviceOf, type Network, signalJid } from "../model.ts";
import { type Stanza, stanza } from "../wire/stanza.ts";
import { bytesOf, type Sendable } from "./content.ts";

/** A device the network plays, with a Signal stack and keys of its own. */
export type Peer = Device & {
  /** `<enc>` for that device alone; nothing when it has never published keys. */
  seal(target: Device, message: Sendable): Promise<Stanza | undefined>;
  /** `<enc>` for a whole group, and the keys to read it. */
  sealForGroup(group: string, message: Sendable): Promise<{ enc: Stanza; distribution: Uint8Array }>;
  /** The content of a message; throws if it cannot be read. A second call gives the same. */
  open(message: Stanza): Promise<proto.Message>;
  /** Starts anew with a device: with the keys its receipt brings, or with those it has published. */
  renew(target: Device, receipt: Stanza): Promise<void>;
  /** Its own keys for a retry receipt. */
  introduction(withKeys: boolean): Stanza[];
  /** Makes all keys new, as after a reinstallation. */
  reset(): void;
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

type E2ESession = Parameters<SignalRepositoryWithLIDStore["injectE2ESession"]>[0]["session"];
type Values = { [type: string]: { [id: string]: unknown } };

/** Keys in memory, without transactions: only one operation of a peer uses the stack at a time. */
const makeKeyStore = (): SignalKeyStoreWithTransaction => {
  const rows = new Map<string, unknown>();
  return {
    get: <Type extends keyof SignalDataTypeMap>(type: Type, ids: string[]) => {
      const found = ids.flatMap((id) => (rows.has(`${type} ${id}`) ? [[id, rows.get(`${type} ${id}`)]] : []));
      return Promise.resolve(Object.fromEntries(found) as { [id: string]: SignalDataTypeMap[Type] });
    },
    set: (data) => {
      for (const [type, values] of Object.entries(data as Values)) {
        for (const [id, value] of Object.entries(values)) {
          if (value === null || value === undefined) rows.delete(`${type} ${id}`);
          else rows.set(`${type} ${id}`, value);
        }
      }
      return Promise.resolve();
    },
    isInTransaction: () => false,
    transaction: (work) => work(),
  };
};

type Stack = {
  creds: AuthenticationCreds;
  keys: SignalKeyStoreWithTransaction;
  repository: SignalRepositoryWithLIDStore;
};

const makeStack = (): Stack => {
  const creds = initAuthCreds();
  const keys = makeKeyStore();
  return {
    creds,
    keys,
    repository: DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys }, silent, () => Promise.resolve([])),
  };
};

/** One after the other. */
const makeLock = () => {
  let tail: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = tail.then(work);
    tail = result.catch(() => {});
    return result;
  };
};

const senderOf = (network: Network, { attrs }: Stanza): Device => {
  const jid = attrs["participant"] ?? attrs["from"];
  const device = deviceOf(network, jid);
  if (!device) throw new Error(`nobody is ${jid}`);
  return device;
};

type Reading = { network: Network; stack: Stack };

/** Reads every part of a message, and learns the sender's keys in a group. */
const readParts = async ({ network, stack: { repository } }: Reading, message: Stanza): Promise<proto.Message> => {
  const author = signalJid(senderOf(network, message));
  const whole = new proto.Message();
  for (const { tag, attrs, content } of Array.isArray(message.content) ? message.content : []) {
    if (tag !== "enc" || !(content instanceof Uint8Array)) continue;
    const type = attrs["type"] === "pkmsg" ? "pkmsg" : "msg";
    const padded =
      attrs["type"] === "skmsg"
        ? await repository.decryptGroupMessage({ group: message.attrs["from"] ?? "", authorJid: author, msg: content })
        : await repository.decryptMessage({ jid: author, type, ciphertext: content });
    const part = proto.Message.decode(unpadRandomMax16(padded));
    if (part.senderKeyDistributionMessage)
      await repository.processSenderKeyDistributionMessage({
        authorJid: author,
        item: part.senderKeyDistributionMessage,
      });
    Object.assign(whole, part);
  }
  return whole;
};

const addressed = (jid: string, bundle: Stanza[]): Stanza =>
  stanza("iq", {}, [stanza("list", {}, [stanza("user", { jid }, bundle)])]);

type Behaviour = {
  /** Gets everything that is delivered. */
  receive(peer: Peer, arrived: Stanza): void;
  /** The code by which the network refuses such a message. */
  refuse(message: proto.IMessage): number | undefined;
};

export const makePeer = (network: Network, account: Account, id: number, { receive, refuse }: Behaviour): Peer => {
  let stack = makeStack();
  let nextKey = 1;
  const lock = makeLock();
  const opened = new WeakMap<Stanza, Promise<proto.Message>>();

  const oneTimeKey = (): Stanza => {
    const pair = Curve.generateKeyPair();
    const keyId = nextKey++;
    void stack.keys.set({ "pre-key": { [keyId]: pair } });
    return xmppPreKey(pair, keyId);
  };
  const meet = async (target: Device): Promise<boolean> => {
    const bundle = target.bundle();
    if (bundle) await parseAndInjectE2ESessions(addressed(signalJid(target), bundle), stack.repository);
    return bundle !== undefined;
  };

  const peer: Peer = {
    account,
    id,
    bundle: () => [
      stanza("registration", {}, encodeBigEndian(stack.creds.registrationId)),
      stanza("type", {}, Buffer.from([5])),
      stanza("identity", {}, stack.creds.signedIdentityKey.public),
      xmppSignedPreKey(stack.creds.signedPreKey),
      oneTimeKey(),
    ],
    deliver: (arrived) => receive(peer, arrived),
    judge: (message) => peer.open(message).then(refuse, () => undefined),
    seal: (target, message) =>
      lock(async () => {
        const jid = signalJid(target);
        const { exists } = await stack.repository.validateSession(jid);
        if (!exists && !(await meet(target))) return undefined;
        const { type, ciphertext } = await stack.repository.encryptMessage({
          jid,
          data: writeRandomPadMax16(bytesOf(message)),
        });
        return stanza("enc", { v: "2", type }, ciphertext);
      }),
    sealForGroup: (group, message) =>
      lock(async () => {
        const { ciphertext, senderKeyDistributionMessage } = await stack.repository.encryptGroupMessage({
          group,
          meId: signalJid(peer),
          data: writeRandomPadMax16(bytesOf(message)),
        });
        return {
          enc: stanza("enc", { v: "2", type: "skmsg" }, ciphertext),
          distribution: senderKeyDistributionMessage,
        };
      }),
    open: (message) => {
      const known = opened.get(message) ?? lock(() => readParts({ network, stack }, message));
      opened.set(message, known);
      return known;
    },
    renew: (target, receipt) =>
      lock(async () => {
        const session = extractE2ESessionFromRetryReceipt(receipt);
        if (session)
          await stack.repository.injectE2ESession({ jid: signalJid(target), session: session as E2ESession });
        else await meet(target);
      }),
    introduction: (withKeys) => {
      const { creds } = stack;
      const registration = stanza("registration", {}, encodeBigEndian(creds.registrationId));
      if (!withKeys) return [registration];
      const keys = [
        stanza("type", {}, Buffer.from([5])),
        stanza("identity", {}, creds.signedIdentityKey.public),
        oneTimeKey(),
        xmppSignedPreKey(creds.signedPreKey),
      ];
      return [registration, stanza("keys", {}, keys)];
    },
    reset: () => {
      stack = makeStack();
    },
  };
  return peer;
};
