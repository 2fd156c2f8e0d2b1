import { type Fields, fieldsOf } from "../../graph/shape.ts";
import type { Delivery, SendOptions, Webhooks } from "../../graph/webhooks/webhooks.ts";
import { mediumUrl } from "../messages/media.ts";
import type { Sent, State } from "../state.ts";
import { bodyOf } from "./events.ts";

/** `mid`: the id of the message in the echo, instead of the id of the send. */
export type EchoOptions = { mid?: string; signature?: SendOptions["signature"] };

export type Echoes = {
  /** Runs the effects of an accepted send. Resolves with the work that follows its answer. */
  begin(sent: Sent): Promise<() => void>;
  /** Sends the echo of an accepted send. Throws for an unknown message. */
  deliver(messageId: string, options?: EchoOptions): Promise<Delivery>;
};

export const createEchoes = (state: State, webhooks: Webhooks): Echoes => {
  const post = (sent: Sent, { mid = sent.messageId, signature = "valid" }: EchoOptions = {}) => {
    const body = bodyOf(
      [{ igUserId: sent.igUserId, field: "messages", item: itemOf(state, sent, mid) }],
      "messaging",
      state.clock.now(),
    );
    return webhooks.send(body, { businessAccountId: sent.igUserId, signature });
  };
  return {
    async begin(sent) {
      const { echoes } = state.settings;
      if (echoes === "before") await post(sent);
      return () => {
        if (echoes === "after") void post(sent);
      };
    },
    async deliver(messageId, options) {
      const sent = state.sent.get(messageId);
      if (!sent) throw new Error(`no message ${messageId} was accepted here`);
      return post(sent, options);
    },
  };
};

const itemOf = (state: State, sent: Sent, mid: string): Fields => {
  const { text } = fieldsOf(sent.body["message"]);
  const attachments = attachmentsOf(state, sent);
  return {
    sender: { id: sent.igUserId },
    recipient: { id: sent.igsid },
    timestamp: sent.at,
    message: {
      mid,
      is_echo: true,
      ...(text === undefined ? {} : { text }),
      ...(attachments.length === 0 ? {} : { attachments }),
    },
  };
};

/** The attachments, under Instagram's own links if it has fetched them. */
const attachmentsOf = (state: State, { body, media }: Sent): Fields[] => {
  const { attachment, attachments } = fieldsOf(body["message"]);
  const given = Array.isArray(attachments)
    ? attachments.map(fieldsOf)
    : [attachment].filter((one) => one !== undefined).map(fieldsOf);
  return given.map((one, index) => {
    const medium = media[index];
    return medium ? { ...one, payload: { url: mediumUrl(state, medium) } } : one;
  });
};
