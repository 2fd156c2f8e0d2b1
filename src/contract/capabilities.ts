import type { ContentType } from "./content.ts";

export const OPERATIONS = ["react", "edit", "delete", "read", "typing"] as const;
export type OperationName = (typeof OPERATIONS)[number];

/** What a network can do, as data: the core checks it before anything is queued. */
export type Capabilities = {
  /** The content types it sends; a type that is missing is refused. `textMaxBytes` and `captionMaxBytes` are the network's own limits in UTF-8 bytes. */
  send: Partial<Record<ContentType, { textMaxBytes?: number; captionMaxBytes?: number }>>;
  /** True where a sender may choose the message's native id, so that a repeated send is recognised. */
  choosesKeys: boolean;
  /** What can be done with a message that is there already, by whose message it is; what is missing can never be done. */
  operations: Partial<Record<OperationName, { inbound?: boolean; outbound?: boolean }>>;
  /** True where proactive messages need a template approved upstream. */
  templates: boolean;
};
