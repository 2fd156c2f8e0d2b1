import type { Json } from "../../src/kernel/texts/json.ts";

/** The quick replies below a text, as Instagram and Messenger know them; nothing without any. */
export const quickRepliesOf = (replies: readonly { id: string; text: string }[] | undefined): Json =>
  replies ? { quick_replies: replies.map(({ id, text }) => ({ content_type: "text", title: text, payload: id })) } : {};
