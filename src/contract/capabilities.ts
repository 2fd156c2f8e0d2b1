import type { ContentType } from "./content.ts";

/** What a network can do, as data: the core checks it before anything is queued. */
export type Capabilities = {
  /** The content types it sends; a type that is missing is refused. `textMaxBytes` and `captionMaxBytes` are the network's own limits in UTF-8 bytes. */
  send: Partial<Record<ContentType, { textMaxBytes?: number; captionMaxBytes?: number }>>;
  /** True where a sender may choose the message's native id, so that a repeated send is recognised. */
  choosesKeys: boolean;
  /** True where proactive messages need a template approved upstream. */
  templates: boolean;
};
