import { randomBytes } from "node:crypto";
import { aesEncryptGCM, assertMediaContent, hkdf, proto } from "@whiskeysockets/baileys";
import { jidOf, type Network } from "../model.ts";
import { knownOf } from "../people/content.ts";
import type { Linked } from "../people/linked.ts";
import type { Person } from "../people/person.ts";
import { child, type Stanza, stanza } from "../wire/stanza.ts";

const NOT_FOUND = "2";

/** The encrypted notification of a file's new place. */
const whereItLies = (id: string, mediaKey: Uint8Array, directPath: string): Stanza => {
  const iv = randomBytes(12);
  const key = Buffer.from(hkdf(Buffer.from(mediaKey), 32, { info: "WhatsApp Media Retry Notification" }));
  const update = proto.MediaRetryNotification.encode({
    stanzaId: id,
    directPath,
    result: proto.MediaRetryNotification.ResultType.SUCCESS,
  }).finish();
  return stanza("encrypt", {}, [
    stanza("enc_p", {}, aesEncryptGCM(update, key, iv, Buffer.from(id))),
    stanza("enc_iv", {}, iv),
  ]);
};

const mediaOf = (person: Person | undefined, id: string) => {
  const sent = person?.sent.get(id);
  return sent && assertMediaContent(knownOf(sent.message));
};

/**
 * A phone uploads a file again for a linked device, and names the new place; or it says that it no longer has the file.
 */
export const reuploadFor =
  (network: Network, people: Iterable<Person>) =>
  (device: Linked, receipt: Stanza): void => {
    const how = network.rules.reuploads.take(undefined, device.account);
    if (how === "silent") return;
    const { id = "" } = receipt.attrs;
    const media = mediaOf(
      [...people].find(({ sent }) => sent.has(id)),
      id,
    );
    const again = how === "gone" ? undefined : network.media.putAgain(media?.directPath ?? "");
    const answer =
      again === undefined || !media?.mediaKey
        ? stanza("error", { code: NOT_FOUND })
        : whereItLies(id, media.mediaKey, again);
    const rmr = child(receipt, "rmr") ?? stanza("rmr");
    device.deliver(
      stanza("notification", { from: jidOf(device.account, "pn"), type: "mediaretry", id, t: String(network.now()) }, [
        answer,
        rmr,
      ]),
    );
  };
