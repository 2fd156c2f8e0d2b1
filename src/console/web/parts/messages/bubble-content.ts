/** A button below a message: a link, a call, an answer. */
export type BubbleButton = { kind: "url" | "phone" | "reply" | "other"; text: string };
export type BubbleHeader =
  | { kind: "text"; text: string }
  | { kind: "image" | "video" | "document" | "location" | "product" };
export type BubbleContent = {
  header?: BubbleHeader | undefined;
  body: string;
  footer?: string | undefined;
  buttons?: readonly BubbleButton[] | undefined;
};
