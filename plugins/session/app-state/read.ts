import { jidNormalizedUser, proto } from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";
import { unavailable } from "../../../src/contract/upstream.ts";
import { DAY_MS, HOUR_MS } from "../../../src/kernel/clock.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { ask, Ended } from "../ask.ts";
import { downloaded } from "../history/blobs.ts";
import type { MediaPlace } from "../inbound/inbox.ts";
import { type Collection, Damaged, NOTHING, readPatch, readSnapshot, type Version } from "./patches.ts";
import { collectionIn, type Parts, partsOf, questionFor } from "./questions.ts";
import { eventsIn, passToLibrary, shownBy, type Values } from "./reading.ts";
import {
  dueRow,
  forgottenRows,
  isForgotten,
  keyFinder,
  macReader,
  patchedRows,
  replacedRows,
  versionOf,
} from "./rows.ts";

/** The answers that one reading of a collection asks for; each has several patches. */
const MOST_ROUNDS = 200;
const DAMAGED_MS = HOUR_MS;
/** A snapshot may have a value for each of thousands of chats. */
const EVENTS_AT_ONCE = 100;
/** A key that the phone did not send is asked for once a day. */
const KEY_ASKED = "app-state-key-asked";

/** Asks the owner's phone for a key, once a day. */
export const askForKey = async (host: ChannelHost, { sock, keyStore }: ActiveSocket, keyId: string): Promise<void> => {
  if ((await keyStore.read(KEY_ASKED, [keyId])).has(keyId)) return;
  host.log.info({}, "a key of the app state is missing: the owner's phone is asked for it");
  const until = host.clock.now() + DAY_MS;
  await keyStore.write({ rows: [{ kind: KEY_ASKED, id: keyId, value: "1", until }] });
  const { me } = sock.authState.creds;
  if (!me) return;
  await sock.relayMessage(
    jidNormalizedUser(me.id),
    {
      protocolMessage: {
        type: proto.Message.ProtocolMessage.Type.APP_STATE_SYNC_KEY_REQUEST,
        appStateSyncKeyRequest: { keyIds: [{ keyId: Buffer.from(keyId, "base64") }] },
      },
    },
    { additionalAttributes: { category: "peer", push_priority: "high_force" } },
  );
};

/** Reads collections. One reading of a collection at a time. */
export type Reader = {
  /**
   * Reads a collection up to its newest version. A wrong MAC, here or there, is mended by a snapshot, once. After that
   * the collection is left alone for an hour. @throws Damaged, KeyMissing, Ended
   */
  read(active: ActiveSocket, name: Collection): Promise<void>;
  /** Damaged collections are read again at once. */
  forgive(): void;
};

export const createReader = (host: ChannelHost, mediaPlace: MediaPlace): Reader => {
  /** The collections that a snapshot did not mend: they are left alone for an hour. */
  const damagedUntil = new Map<Collection, number>();

  const fetched = async (file: proto.IExternalBlobReference): Promise<Uint8Array> => {
    const found = await downloaded(mediaPlace, file, "md-app-state");
    if (found.is === "here") return found.bytes;
    throw new Ended(unavailable(`a file of the app state: ${found.reason}`));
  };
  /** Reads a piece of a collection. Gives the version after it. */
  const take = async (
    active: ActiveSocket,
    name: Collection,
    { snapshot, patches, known, before, isMended }: Parts & Taken,
  ): Promise<Version> => {
    const { keyStore } = active;
    const find = keyFinder(keyStore);
    let version = before;
    if (snapshot) {
      const whole = await readSnapshot(name, snapshot, find);
      const origin = await originOf(keyStore, name, { known, isMended });
      await keep(host, active, { name, rows: replacedRows(name, whole), mutations: whole.mutations, origin });
      version = whole.after;
    }
    for (const patch of patches) {
      const { externalMutations } = patch;
      if (externalMutations) patch.mutations = proto.SyncdMutations.decode(await fetched(externalMutations)).mutations;
      const one = await readPatch(name, patch, { before: version, readMacs: macReader(keyStore, name), find });
      const rows = await patchedRows(keyStore, name, one);
      await keep(host, active, { name, rows, mutations: one.mutations, origin: "patch" });
      version = one.after;
    }
    return version;
  };
  const damaged = async ({ keyStore }: ActiveSocket, name: Collection): Promise<void> => {
    damagedUntil.set(name, host.clock.now() + DAMAGED_MS);
    await keyStore.write({ rows: [...forgottenRows(name), dueRow(name, false)] });
  };

  return {
    async read(active, name) {
      if ((damagedUntil.get(name) ?? 0) > host.clock.now()) throw new Damaged("a snapshot did not mend it");
      const { sock, keyStore } = active;
      const known = await versionOf(keyStore, name);
      let version = known ?? NOTHING;
      let wantsSnapshot = version.version === 0;
      let isMended = false;
      for (let round = 0; round < MOST_ROUNDS; round++) {
        const answer = await ask(sock, questionFor(name, version, wantsSnapshot));
        const parts = await partsOf(collectionIn(answer, name), fetched);
        try {
          version = await take(active, name, { ...parts, known, before: version, isMended });
          wantsSnapshot = false;
        } catch (thrown) {
          if (!(thrown instanceof Damaged)) throw thrown;
          host.log.warn({ collection: name, reason: thrown.message, isMended }, "the app state does not fit its MACs");
          if (isMended) await damaged(active, name);
          if (isMended) throw thrown;
          [isMended, wantsSnapshot] = [true, true];
          continue;
        }
        if (!parts.hasMore || (!parts.snapshot && parts.patches.length === 0)) break;
      }
      // an account without values has version 0, and is known all the same
      if (version.version === 0)
        await keyStore.write({ rows: await patchedRows(keyStore, name, { after: version, macs: new Map() }) });
    },
    forgive: () => damagedUntil.clear(),
  };
};

/** `known`: the version before the reading. `isMended`: a piece had a wrong MAC, and everything is read again. */
type Taken = { known: Version | undefined; before: Version; isMended: boolean };

/** What the values of a snapshot are. A collection that was empty gets its first values by a snapshot too. */
const originOf = async (
  keyStore: Pick<KeyStore, "read">,
  name: Collection,
  { known, isMended }: Pick<Taken, "known" | "isMended">,
): Promise<Values["origin"]> => {
  if (known !== undefined) return isMended ? "mended" : "patch";
  return (await isForgotten(keyStore, name)) ? "again" : "first";
};

/** Writes values with their events. Those before the last hundred are written alone: a repeat changes nothing. */
const keep = async (
  host: ChannelHost,
  active: ActiveSocket,
  { name, rows, ...values }: Values & { name: Collection; rows: readonly KeyRow[] },
): Promise<void> => {
  const { keyStore } = active;
  const events = await eventsIn(host, keyStore, values);
  const shown = values.origin === "patch" ? undefined : shownBy(name, events, host.clock.now());
  if (shown) events.push(values.origin === "mended" ? shown : { ...shown, isHistory: true });
  while (events.length > EVENTS_AT_ONCE) await keyStore.write({ events: events.splice(0, EVENTS_AT_ONCE) });
  await keyStore.write({ rows, events });
  passToLibrary(host, active, values.mutations);
};
