import { type AuthenticationCreds, initAuthCreds, type KeyPair, proto } from "@whiskeysockets/baileys";
import { isRecord, type Json, recordOf } from "../../../src/kernel/texts/json.ts";
import { isSignature } from "../keys/signatures.ts";
import { bytesIn, pairOf, publicKeyIn, textIn, typed, wholeIn } from "./values.ts";

/** A checked identity, or its problems. No text contains a value. */
export type CheckedIdentity = { creds: AuthenticationCreds } | { phoneNumber?: string; problems: string[] };

/** The prefix of the text that an account's signatures cover. `hosted`: the account's other devices are a service. */
const ACCOUNT = Buffer.from([6, 0]);
const HOSTED_ACCOUNT = Buffer.from([6, 5]);
const DEVICE = Buffer.from([6, 1]);

const ME = /^(\d{5,20})(?:\.\d+)?:(\d{1,3})@(s\.whatsapp\.net|hosted)$/;
const LID = /^(\d{5,20})(?:\.\d+)?(:\d{1,3})?@(?:lid|hosted\.lid|s\.whatsapp\.net)$/;
const MAX_REGISTRATION_ID = 0x3fff_ffff;
const MAX_KEY_ID = 0xff_ffff;
const MAX_TEXT = 200;
const MAX_PROCESSED = 1000;

/**
 * Checks the credentials of a linked device as another program stores them, and makes ours from them. Unknown fields
 * are left out.
 */
export const checkIdentity = (given: unknown): CheckedIdentity => {
  if (!isRecord(given)) return { problems: ["the credentials are missing, or are no JSON object"] };
  const problems: string[] = [];
  const parts = {
    noiseKey: keyPairIn(given, "noiseKey", problems),
    signedIdentityKey: keyPairIn(given, "signedIdentityKey", problems),
    registrationId: wholeIn(given["registrationId"], 0, MAX_REGISTRATION_ID),
    advSecretKey: bytesIn(given["advSecretKey"], 32)?.toString("base64"),
    me: meIn(given["me"], problems),
  };
  if (parts.registrationId === undefined) problems.push("registrationId is missing or not a number");
  if (parts.advSecretKey === undefined) problems.push("advSecretKey is missing or has not 32 bytes");
  const { signedIdentityKey, me } = parts;
  const signedPreKey = signedIdentityKey && signedPreKeyIn(given["signedPreKey"], signedIdentityKey, problems);
  const account = signedIdentityKey && accountIn(given, signedIdentityKey, problems);
  const phoneNumber = me && /^\d+/.exec(me.id)?.[0];
  if (problems.length > 0 || !signedPreKey || !account || !me)
    return { problems, ...(phoneNumber === undefined ? {} : { phoneNumber }) };
  const checked = { ...parts, signedPreKey, account, me } as Parameters<typeof credsOf>[1]; // or there were problems
  return { creds: credsOf(given, checked) };
};

const keyPairIn = (from: Json, name: string, problems: string[]): KeyPair | undefined => {
  const { private: privateKey, public: publicKey } = recordOf(from[name]);
  const pair = pairOf(privateKey);
  if (!pair) problems.push(`${name} is missing or has no private key of 32 bytes`);
  else if (publicKeyIn(publicKey)?.equals(pair.public) !== true)
    problems.push(`${name}: the public key is not that of the private key`);
  return pair;
};

const meIn = (given: unknown, problems: string[]): AuthenticationCreds["me"] => {
  const { id, lid, name } = recordOf(given);
  const [, user, device, server] = ME.exec(textIn(id, MAX_TEXT) ?? "") ?? [];
  if (!user || !device) {
    problems.push("me.id is missing, or names no linked device: the session was never paired");
    return undefined;
  }
  const [, lidUser, lidDevice = `:${device}`] = LID.exec(textIn(lid, MAX_TEXT) ?? "") ?? [];
  const knownName = textIn(name, MAX_TEXT);
  return {
    id: `${user}:${device}@${server}`,
    ...(lidUser ? { lid: `${lidUser}${lidDevice}@${server === "hosted" ? "hosted.lid" : "lid"}` } : {}),
    ...(knownName === undefined ? {} : { name: knownName }),
  };
};

const signedPreKeyIn = (
  given: unknown,
  identity: KeyPair,
  problems: string[],
): AuthenticationCreds["signedPreKey"] | undefined => {
  const fields = recordOf(given);
  const keyPair = keyPairIn({ signedPreKey: fields["keyPair"] }, "signedPreKey", problems);
  const keyId = wholeIn(fields["keyId"], 0, MAX_KEY_ID);
  const signature = bytesIn(fields["signature"], 64);
  if (!keyPair) return undefined;
  if (keyId === undefined || !signature) problems.push("signedPreKey has no number or no signature");
  else if (isSignature(identity.public, typed(keyPair.public), signature)) return { keyPair, keyId, signature };
  else problems.push("the signature of signedPreKey is not that of the identity key");
  return undefined;
};

/** The account that has accepted the identity, by its two signatures. */
const accountIn = (given: Json, identity: KeyPair, problems: string[]): AuthenticationCreds["account"] => {
  const fields = recordOf(given["account"]);
  const details = bytesIn(fields["details"]);
  const accountSignature = bytesIn(fields["accountSignature"], 64);
  const deviceSignature = bytesIn(fields["deviceSignature"], 64);
  const accountSignatureKey = publicKeyIn(fields["accountSignatureKey"]) ?? keyOfAccount(given);
  if (!details || !accountSignature || !deviceSignature || !accountSignatureKey) {
    problems.push("account is missing or incomplete: no phone has accepted this session");
    return undefined;
  }
  const kind = accountKindIn(details);
  const signed = Buffer.concat([kind === "hosted" ? HOSTED_ACCOUNT : ACCOUNT, details, identity.public]);
  if (!kind || !isSignature(accountSignatureKey, signed, accountSignature))
    problems.push("the signature of the account is not that of its phone");
  const countersigned = Buffer.concat([DEVICE, details, identity.public, accountSignatureKey]);
  if (!isSignature(identity.public, countersigned, deviceSignature))
    problems.push("the signature of the device is not that of the identity key");
  return { details, accountSignatureKey, accountSignature, deviceSignature };
};

/** Some old rows lack the key in `account`; then it is the key under which the identity was stored. */
const keyOfAccount = (given: Json): Buffer | undefined => {
  const stored = Array.isArray(given["signalIdentities"]) ? given["signalIdentities"] : [];
  return publicKeyIn(recordOf(stored[0])["identifierKey"]);
};

const accountKindIn = (details: Uint8Array): "hosted" | "plain" | undefined => {
  try {
    const { deviceType } = proto.ADVDeviceIdentity.decode(details);
    return deviceType === proto.ADVEncryptionType.HOSTED ? "hosted" : "plain";
  } catch {
    return undefined;
  }
};

type Checked = Pick<
  AuthenticationCreds,
  "noiseKey" | "signedIdentityKey" | "signedPreKey" | "registrationId" | "advSecretKey"
> & { me: NonNullable<AuthenticationCreds["me"]>; account: NonNullable<AuthenticationCreds["account"]> };

const credsOf = (given: Json, checked: Checked): AuthenticationCreds => {
  const { me, account } = checked;
  const nextPreKeyId = wholeIn(given["nextPreKeyId"], 1, MAX_KEY_ID) ?? 1;
  const myAppStateKeyId = textIn(given["myAppStateKeyId"], MAX_TEXT);
  const lastAccountSyncTimestamp = wholeIn(given["lastAccountSyncTimestamp"], 0, Number.MAX_SAFE_INTEGER);
  const platform = textIn(given["platform"], MAX_TEXT);
  return {
    ...initAuthCreds(),
    ...checked,
    signalIdentities: [
      {
        identifier: { name: me.lid ?? me.id, deviceId: 0 },
        identifierKey: typed(account.accountSignatureKey as Uint8Array),
      },
    ],
    nextPreKeyId,
    firstUnuploadedPreKeyId: wholeIn(given["firstUnuploadedPreKeyId"], 1, MAX_KEY_ID) ?? nextPreKeyId,
    accountSyncCounter: wholeIn(given["accountSyncCounter"], 0, MAX_KEY_ID) ?? 0,
    accountSettings: { unarchiveChats: recordOf(given["accountSettings"])["unarchiveChats"] === true },
    processedHistoryMessages: processedIn(given["processedHistoryMessages"]),
    routingInfo: bytesIn(given["routingInfo"]),
    registered: given["registered"] === true,
    ...(myAppStateKeyId === undefined ? {} : { myAppStateKeyId }),
    ...(lastAccountSyncTimestamp === undefined ? {} : { lastAccountSyncTimestamp }),
    ...(platform === undefined ? {} : { platform }),
  };
};

const processedIn = (given: unknown): AuthenticationCreds["processedHistoryMessages"] =>
  (Array.isArray(given) ? given : []).slice(-MAX_PROCESSED).flatMap((one) => {
    const { key, messageTimestamp } = recordOf(one);
    const { id, remoteJid, fromMe } = recordOf(key);
    const [knownId, chat] = [textIn(id, MAX_TEXT), textIn(remoteJid, MAX_TEXT)];
    if (knownId === undefined || chat === undefined) return [];
    const at = wholeIn(messageTimestamp, 0, Number.MAX_SAFE_INTEGER) ?? 0;
    return [{ key: { id: knownId, remoteJid: chat, fromMe: fromMe === true }, messageTimestamp: at }];
  });
