/** A button below a message: a link, a call, an answer. */
export type BubbleButton = { kind: "url" | "phone" | "reply" | "other"; text: string };
export type BubbleHeader =
  | { kind: "text"; text: string }
  | { kind: "image" | "video" | "document" | "location" | "product" };
/** A card below a message, beside others. */
export type BubbleCard = {
  header?: BubbleHeader | undefined;
  body: string;
  buttons?: readonly BubbleButton[] | undefined;
};
export type BubbleContent = BubbleCard & { footer?: string | undefined; cards?: readonly BubbleCard[] | undefined };
