import type { InboundContent } from "../../src/contract/content/inbound-content.ts";
import type { InboundMedia } from "../../src/contract/events.ts";

/** The content of a message, and its file. */
export type Said = { content: InboundContent; media?: InboundMedia };
