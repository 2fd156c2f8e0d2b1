import type { ChannelKind } from "../../../contract/kind.ts";
import type { Registry } from "../../../core/channels/links/registry.ts";

const NUMBERS = "s.whatsapp.net";

export type Declarations = Pick<Registry, "declared">;

type Names = { pn: string | null; lid: string | null };

const chatAddresses = ({ pn, lid }: Names): Names => ({
  pn: pn === null ? null : `${pn}@${NUMBERS}`,
  lid: lid === null ? null : `${lid}@lid`,
});

const plain = ({ pn, lid }: Names): Names => ({ pn, lid });

/**
 * How the gateway shows a person's number and network id on a phone of this kind: as chat addresses, where its network
 * has them, else as they are. The phone decides, not the person: one person may be met on several networks. What is
 * left of a phone that was deleted long ago names no kind (null), and keeps the form that the documents describe.
 */
export const addressesOn = ({ declared }: Declarations, kind: ChannelKind | null): ((names: Names) => Names) =>
  kind === null || declared(kind)?.network.hasChatAddresses ? chatAddresses : plain;

/** The canonical key of a chat address; any other text unchanged. */
export const keyOfAddress = (text: string): string => {
  const [, digits, domain] = /^(\d+)@(s\.whatsapp\.net|lid)$/.exec(text) ?? [];
  return digits === undefined ? text : `${domain === NUMBERS ? "pn" : "lid"}:${digits}`;
};
