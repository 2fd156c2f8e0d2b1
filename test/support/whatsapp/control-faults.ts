import { type Static, Type } from "@sinclair/typebox";
import { OneOf, Text } from "../../../src/kernel/schema.ts";
import type { Heal } from "./faults.ts";
import type { WhatsApp } from "./index.ts";

const optional = Type.Optional;
const Count = Type.Integer({ minimum: 1 });

/** One fault: its name, its phone, its number of uses, and its values. */
export const FaultOrder = Type.Object(
  {
    name: OneOf([
      "nack",
      "failLogin",
      "refuseUpgrade",
      "silent",
      "forgedChain",
      "dropIq",
      "dropAcks",
      "delayAcks",
      "holdIncoming",
      "noOfflineMarker",
      "noRestart",
      "corrupt",
      "duplicate",
      "media",
      "upload",
      "reupload",
    ]),
    pn: optional(Text(1, 32)),
    times: optional(Count),
    /** The code of a nack or a failed login, the status of an HTTP answer. */
    code: optional(Type.Integer()),
    expire: optional(Text(1, 20)),
    xmlns: optional(Text(1, 100)),
    how: optional(OneOf(["bit-flip", "truncate", "gone", "silent"])),
  },
  { additionalProperties: false },
);

type Order = Static<typeof FaultOrder>;

const scopeOf = (net: WhatsApp, { pn, times }: Order) => ({
  ...(pn === undefined ? {} : { phone: net.phone(pn) }),
  ...(times === undefined ? {} : { times }),
});

/** Sets an ordered fault, and answers how to take it back. */
export const orderFault = (net: WhatsApp, order: Order): Heal => {
  const { faults } = net;
  const { code = 503, how, xmlns, expire } = order;
  const scope = scopeOf(net, order);
  const kinds: Record<Order["name"], () => Heal> = {
    nack: () => faults.nack(code, undefined, scope),
    failLogin: () => faults.failLogin({ reason: String(code), ...(expire === undefined ? {} : { expire }) }, scope),
    refuseUpgrade: () => faults.refuseUpgrade(code, scope),
    silent: () => faults.silent(scope),
    forgedChain: () => faults.forgedChain(scope),
    dropIq: () => faults.dropIq(({ attrs }) => attrs["xmlns"] === xmlns, scope),
    dropAcks: () => faults.dropAcks(undefined, scope),
    delayAcks: faults.delayAcks,
    holdIncoming: faults.holdIncoming,
    noOfflineMarker: () => faults.noOfflineMarker(scope),
    noRestart: () => faults.noRestart(scope),
    corrupt: () => faults.corrupt(scope),
    duplicate: () => faults.duplicate(scope),
    media: () => faults.media(how === "bit-flip" || how === "truncate" ? how : code, scope),
    upload: () => faults.upload(code, scope),
    reupload: () => faults.reupload(how === "silent" ? "silent" : "gone", scope),
  };
  return kinds[order.name]();
};
