import type { HandoverApi, HandoverOrder, HandoverOutcome } from "../../src/contract/abilities/handover.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import type { Graph, GraphResult } from "../meta/graph.ts";
import { recipientOf } from "./address.ts";
import { FAILURE_WITHOUT, readCredentials } from "./credentials.ts";
import { upstreamResult } from "./errors.ts";

/** Another app leads the conversation. */
const HELD = 131070;
/** The role of this app does not allow the action: only `escalation` may take a conversation. */
const ROLE_REFUSED = 2494191;

/** Who leads a conversation, by the network's `thread_control`. Each request is made once. */
export const wabaHandover = (host: ChannelHost, graph: Graph): HandoverApi => ({
  async change(order) {
    const credentials = await readCredentials(host);
    if (typeof credentials === "string")
      return { ok: false, kind: "credentials", reason: FAILURE_WITHOUT[credentials].reason };
    const { phoneNumberId, accessToken: token } = credentials;
    return outcomeOf(
      await graph({ method: "POST", path: [phoneNumberId, "thread_control"], token, body: bodyOf(order) }),
    );
  },
});

const bodyOf = ({ action, to, targetRole, metadata }: HandoverOrder): Json => {
  const { recipient_type: _type, ...recipient } = recipientOf(to);
  return {
    messaging_product: "whatsapp",
    action,
    ...recipient,
    ...(targetRole === undefined ? {} : { control_pass: { target_role: targetRole } }),
    ...(metadata === undefined ? {} : { metadata }),
  };
};

const outcomeOf = (result: GraphResult): HandoverOutcome => {
  if (!result.ok && result.fault.kind === "error") {
    const { said, text: reason } = result.fault;
    const codes = [said.code, said.error_subcode];
    if (codes.includes(ROLE_REFUSED)) return { ok: false, kind: "role", reason };
    if (codes.includes(HELD)) return { ok: false, kind: "held", reason };
  }
  const read = upstreamResult(result, () => true as const);
  return read.ok ? { ok: true } : read;
};
