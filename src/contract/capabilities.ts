import type { ContentType } from "./content.ts";

export const OPERATIONS = ["react", "edit", "delete", "read", "typing"] as const;
export type OperationName = (typeof OPERATIONS)[number];

/** A network's own limits of a type, in UTF-8 bytes. */
export type SendLimits = { textMaxBytes?: number; captionMaxBytes?: number };

/** What can be sent and asked, as data: the core checks it before anything is queued. */
export type Sends = {
  /** The content types; one that is missing is refused. */
  send: Partial<Record<ContentType, SendLimits>>;
  /** True where a file may be named by the handle of an earlier upload. */
  mediaHandles?: boolean;
  /** True where the network itself fetches the file of a link: then a link to a private address cannot work. */
  fetchesLinks?: boolean;
  /** True where the network can be asked whether it knows a number. */
  lookups?: boolean;
};

/** These types without limits. */
export const sendsAll = (types: readonly ContentType[]): Sends["send"] =>
  Object.fromEntries(types.map((type) => [type, {}]));

/** What a network can do. */
export type Capabilities = Sends & {
  /** True where the network tells of our own sends as it tells of what the channel's owner writes elsewhere. */
  echoesSends?: boolean;
  /** True where a sender may choose the message's native id, so that a repeated send is recognised. */
  choosesMessageIds: boolean;
  /**
   * What can be done with a message that is there already, by whose message it is; what is missing can never be done.
   */
  operations: Partial<Record<OperationName, { inbound?: boolean; outbound?: boolean }>>;
  /** True where proactive messages need a template approved upstream. */
  templates: boolean;
};
