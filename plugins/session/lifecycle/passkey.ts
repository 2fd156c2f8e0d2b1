import type {
  PairingNotice,
  PasskeyApi,
  PasskeyAssertion,
  PasskeyCeremony,
  PasskeyOutcome,
} from "../../../src/contract/abilities/pairing.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { type Cancel, MINUTE_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { isRecord, parsedJson } from "../../../src/kernel/texts/json.ts";
import { childOf, type Stanza } from "../active-socket.ts";
import { askNetwork, bytesIn, type PairingSocket } from "./pairing-socket.ts";
import type { Commitment, PhoneKey } from "./passkey-crypto.ts";

/** The duration that the network's options allow (`timeout`); the socket stays open for it. */
const CEREMONY_MS = 10 * MINUTE_MS;
/** The proof that our code was used is valid for this long. Without it the owner compares a code. */
const HANDOFF_MS = 5 * MINUTE_MS;
const OPTIONS = "passkey_request_options";

/** The parts of the pairing that a ceremony needs. */
export type CeremonyParts = {
  /** A ceremony has begun: the QR codes stay unchanged until then at most. */
  begun(untilMs: number): void;
  /** It has ended without a link: the QR codes continue. */
  failed(): void;
  /** The owner must act now. */
  notify(notice: PairingNotice): void;
};

/** The passkey ceremonies of one session, one at a time. */
export type Passkeys = {
  api: PasskeyApi;
  /** The network requires a passkey. `secret`: that of the used code, in base64. Never throws. */
  request(socket: PairingSocket, stanza: Stanza, secret: string): Promise<void>;
  /** The phone has shown its key. Never throws. */
  goOn(stanza: Stanza): Promise<void>;
  /** Whether the last ceremony has failed, without a later success. */
  hasFailed(): boolean;
  /** The socket is gone; or it is linked, or its identity was given up. */
  drop(isLinked: boolean): void;
};

type Ceremony = {
  readonly id: string;
  readonly socket: PairingSocket;
  readonly expiresAt: number;
  readonly handoff: { key: Buffer; until: number };
  readonly cancel: Cancel;
  stage: PasskeyCeremony["stage"];
  options?: Record<string, unknown>;
  commitment?: Commitment;
  isProven?: boolean;
  phone?: PhoneKey;
  code?: string;
};

type State = { readonly host: ChannelHost; readonly parts: CeremonyParts; now?: Ceremony | undefined; failed: boolean };

/**
 * Links with the owner's passkey, if the network requires one: the steps are those of WhatsApp Web since June 2026, as
 * other clients know them. A ceremony that is abandoned or fails leaves the QR codes unchanged.
 */
export const createPasskeys = (host: ChannelHost, parts: CeremonyParts): Passkeys => {
  const self: State = { host, parts, failed: false };
  return {
    api: {
      current: () => shown(self),
      assert: (assertion) => assert(self, assertion),
      confirm: () => confirm(self),
    },
    request: (socket, stanza, secret) => begin(self, socket, stanza, secret),
    goOn: (stanza) => goOn(self, stanza),
    hasFailed: () => self.failed,
    drop(isLinked) {
      self.failed = !isLinked && (self.failed || self.now !== undefined);
      end(self);
    },
  };
};

const shown = ({ now }: State): PasskeyCeremony | undefined => {
  if (!now?.options) return undefined;
  const { id, stage, options, code, expiresAt } = now;
  return { id, stage, options, expiresAt, ...(code === undefined ? {} : { code }) };
};

const begin = async (self: State, socket: PairingSocket, stanza: Stanza, secret: string): Promise<void> => {
  const { clock, random } = self.host;
  const { passkey } = socket.crypto;
  end(self);
  self.failed = false;
  const expiresAt = clock.now() + CEREMONY_MS;
  const ceremony: Ceremony = {
    id: Buffer.from(random.bytes(16)).toString("hex"),
    socket,
    expiresAt,
    handoff: { key: passkey.handoffKey(secret), until: clock.now() + HANDOFF_MS },
    cancel: clock.timer(CEREMONY_MS, () => fail(self, ceremony, "the passkey was not used in time")),
    stage: "ASSERTION_REQUIRED",
  };
  self.now = ceremony;
  self.parts.begun(expiresAt);
  const options = optionsIn(stanza) ?? (await askedOptions(socket));
  if (self.now !== ceremony) return;
  if (!options) return fail(self, ceremony, "the network did not say what has to be signed");
  ceremony.options = options;
  announce(self, ceremony, "PASSKEY_REQUIRED");
};

const announce = ({ host, parts }: State, { id, expiresAt }: Ceremony, code: string): void =>
  parts.notify({ code, at: host.clock.now(), until: expiresAt, passkeyId: id });

const optionsIn = (stanza: Stanza | undefined): Record<string, unknown> | undefined => {
  const options: unknown = parsedJson(bytesIn(stanza, OPTIONS)?.toString() ?? "");
  return isRecord(options) ? options : undefined;
};

const askedOptions = async (socket: PairingSocket): Promise<Record<string, unknown> | undefined> => {
  const answer = await askNetwork(socket, "get", { tag: OPTIONS, attrs: {} });
  return answer.ok ? optionsIn(answer.stanza) : undefined;
};

const NOT_REQUESTED: PasskeyOutcome = {
  ok: false,
  code: "NOT_REQUESTED",
  reason: "the network does not wait for this at the moment",
};

const assert = async (self: State, assertion: PasskeyAssertion): Promise<PasskeyOutcome> => {
  const ceremony = self.now;
  if (!ceremony?.options || ceremony.stage !== "ASSERTION_REQUIRED") return NOT_REQUESTED;
  ceremony.stage = "IN_PROGRESS";
  const asked = await askNetwork(ceremony.socket, "get", { tag: "ref", attrs: {} });
  const ref = asked.ok ? bytesIn(asked.stanza, "ref") : undefined;
  if (!ref) return refuse(self, ceremony, asked.ok ? "the network named no linking" : asked.reason);
  const { passkey } = ceremony.socket.crypto;
  const { clock, random } = self.host;
  const commitment = passkey.commit(random, ref.toString());
  const payload = passkey.prologue(commitment);
  ceremony.commitment = commitment;
  ceremony.isProven = clock.now() < ceremony.handoff.until;
  const answer = await askNetwork(ceremony.socket, "set", {
    tag: "passkey_prologue",
    attrs: {},
    content: [
      leaf("credential_id", Buffer.from(assertion.rawId, "base64url")),
      leaf("webauthn_assertion", Buffer.from(JSON.stringify(assertion))),
      leaf("prologue_payload", payload),
      ...(ceremony.isProven ? [leaf("pairing_handoff_proof", passkey.proof(ceremony.handoff.key, payload))] : []),
    ],
  });
  return answer.ok ? { ok: true } : refuse(self, ceremony, answer.reason);
};

/** The nonce is revealed only now: neither side could choose the code. */
const goOn = async (self: State, stanza: Stanza): Promise<void> => {
  const ceremony = self.now;
  const shownKey = bytesIn(childOf(stanza, "crsc_continuation") ?? stanza, "primary_ephemeral_identity");
  if (!ceremony?.commitment || ceremony.phone || !shownKey) return;
  const { passkey } = ceremony.socket.crypto;
  try {
    ceremony.phone = passkey.phoneKey(shownKey);
  } catch (thrown) {
    return fail(self, ceremony, reasonOf(thrown));
  }
  const { nonce } = ceremony.commitment;
  const answer = await askNetwork(ceremony.socket, "set", leaf("companion_nonce", nonce));
  if (self.now !== ceremony) return;
  if (!answer.ok) return fail(self, ceremony, answer.reason);
  if (ceremony.isProven) return void (await request(self, ceremony));
  ceremony.code = passkey.codeOf(ceremony.commitment, ceremony.phone);
  ceremony.stage = "CONFIRMATION_REQUIRED";
  announce(self, ceremony, "PASSKEY_CONFIRMATION_REQUIRED");
};

const confirm = async (self: State): Promise<PasskeyOutcome> => {
  const ceremony = self.now;
  if (ceremony?.stage !== "CONFIRMATION_REQUIRED") return NOT_REQUESTED;
  ceremony.stage = "IN_PROGRESS";
  return request(self, ceremony);
};

/** Gives the phone the identity and a new secret; the secret counts only if the phone then uses it. */
const request = async (self: State, ceremony: Ceremony): Promise<PasskeyOutcome> => {
  const { socket, commitment, phone } = ceremony;
  if (!commitment || !phone) return NOT_REQUESTED;
  const { random } = self.host;
  const { noiseKey, signedIdentityKey } = socket.keys.auth.creds;
  const secret = Buffer.from(random.bytes(32)).toString("base64");
  socket.offered.set("passkey", secret);
  const sealed = socket.crypto.passkey.sealRequest(random, commitment, phone, {
    noise: noiseKey.public,
    identity: signedIdentityKey.public,
    secret,
  });
  const answer = await askNetwork(socket, "set", leaf("encrypted_pairing_request", sealed));
  return answer.ok ? { ok: true } : refuse(self, ceremony, answer.reason);
};

/** Ends the ceremony in progress. No phone can vouch under its secret any more. */
const end = (self: State): void => {
  self.now?.cancel();
  self.now?.socket.offered.delete("passkey");
  self.now = undefined;
};

const refuse = (self: State, ceremony: Ceremony, reason: string): PasskeyOutcome => {
  fail(self, ceremony, reason);
  return { ok: false, code: "REFUSED", reason };
};

const fail = (self: State, ceremony: Ceremony, reason: string): void => {
  if (self.now !== ceremony) return;
  const { host, parts } = self;
  end(self);
  self.failed = true;
  host.log.warn({ channelId: host.channelId, reason }, "the session could not be linked with a passkey");
  parts.failed();
};

const leaf = (tag: string, content: Uint8Array): Stanza => ({ tag, attrs: {}, content });
