import { deviceOf, type Network } from "../model.ts";
import type { Linked } from "../people/linked.ts";
import { child, children, firstChild, type Stanza, stanza } from "../wire/stanza.ts";

const missing = (code = "404"): Stanza => stanza("error", { code, text: "item-not-found" });

/** The keys of every requested device. A device without keys has an error in its place. */
const keysOf = (network: Network, asked: Stanza): Stanza =>
  stanza(
    "list",
    {},
    children(asked, "user").map(({ attrs }) =>
      stanza(
        "user",
        { jid: attrs["jid"], t: String(network.now()) },
        network.rules.lostKeys.take(attrs["jid"] ?? "")
          ? [stanza("error", { code: "406", text: "not-acceptable" })]
          : (deviceOf(network, attrs["jid"])?.bundle() ?? [missing()]),
      ),
    ),
  );

/** Answers about keys: their number, the keys that a device needs, and the keys that it publishes. */
export const answerKeys = (network: Network, device: Linked, iq: Stanza): Stanza[] | "error" | undefined => {
  const asked = firstChild(iq);
  switch (iq.attrs["type"] === "set" ? "set" : asked?.tag) {
    case "count":
      return [stanza("count", { value: String(device.preKeys ?? 0) })];
    case "digest":
      return device.digest() ?? "error";
    case "key":
      return asked && [keysOf(network, asked)];
    case "set": {
      const rotated = child(child(iq, "rotate"), "skey");
      if (rotated) device.rotate(rotated);
      else device.publish(iq);
      network.changed();
      return [];
    }
    default:
      return undefined;
  }
};
