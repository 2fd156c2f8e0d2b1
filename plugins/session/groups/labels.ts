import { proto } from "@whiskeysockets/baileys";
import type { GroupsApi } from "../../../src/contract/abilities/groups.ts";
import type { GroupUpdate, Identity } from "../../../src/contract/events.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { unavailable } from "../../../src/contract/upstream.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { isGroup } from "../address.ts";
import { Ended, node, refusal } from "../ask.ts";
import type { Origin } from "../inbound/origin.ts";
import { completed, completedMessagePlace } from "../inbound/people.ts";
import { newKey } from "../message-ids.ts";
import type { Sender } from "../outbound/sender.ts";
import { type GroupPorts, type Open, takeTurn } from "./ports.ts";

const { GROUP_MEMBER_LABEL_CHANGE } = proto.Message.ProtocolMessage.Type;
/** A longer text is no label of the network's own apps. */
const LONGEST = 100;

/** The label that a member of a group takes on, as an event; undefined for other messages. `own`: the owner's names. */
export const labelIn = async (
  keyStore: Pick<KeyStore, "read">,
  { id, key, at }: Origin,
  { content: { protocolMessage }, own }: { content: proto.IMessage; own: Identity },
): Promise<GroupUpdate | undefined> => {
  if (protocolMessage?.type !== GROUP_MEMBER_LABEL_CHANGE || !isGroup(key.remoteJid)) return undefined;
  const { pn, lid } = key.fromMe ? await completed(keyStore, own) : (await completedMessagePlace(keyStore, key)).from;
  const waId = pn ?? (lid === undefined ? undefined : `lid:${lid}`);
  if (waId === undefined) return undefined;
  const label = (protocolMessage.memberLabel?.label ?? "").slice(0, LONGEST);
  return {
    kind: "group",
    what: "label",
    at,
    nativeId: `label/${id}`,
    groupId: key.remoteJid,
    waId,
    label: label === "" ? null : label,
  };
};

/**
 * Sets the account's own label in a group. It goes to the members as a message without words, which counts as a change
 * of the group. An empty label is none.
 */
export const ownLabel = (
  ports: GroupPorts,
  open: Open,
  { relay }: Pick<Sender, "relay">,
): Required<Pick<GroupsApi, "setOwnLabel">> => ({
  setOwnLabel: (groupId, label) =>
    open(async (active): Promise<true> => {
      takeTurn(ports);
      const { clock, random } = ports.host;
      const memberLabel = { label: label ?? "", labelTimestamp: Math.floor(clock.now() / SECOND_MS) };
      const outcome = await relay(active, {
        to: { jid: groupId },
        key: newKey(random),
        message: { protocolMessage: { type: GROUP_MEMBER_LABEL_CHANGE, memberLabel } },
        nodes: [node("meta", { tag_reason: "user_update", appdata: "member_tag" })],
      });
      if (outcome.ok) return true;
      const { kind, reason } = outcome;
      throw new Ended(
        kind === "refused" ? refusal(reason) : { ...unavailable(reason), mayHaveHappened: kind === "unknown" },
      );
    }),
});
