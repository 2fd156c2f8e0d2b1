import type { proto } from "@whiskeysockets/baileys";
import type { InboundContent } from "../../../../src/contract/content/inbound-content.ts";
import { parsedJson } from "../../../../src/kernel/texts/json.ts";

type Reply = InboundContent | undefined;

/** A choice; an option without words is named by its id. */
const chosen = (
  selectedId: string | null | undefined,
  text: string | null | undefined,
  description?: string | null,
): Reply =>
  selectedId
    ? {
        type: "button_reply",
        content: { selectedId, text: text || selectedId, ...(description ? { description } : {}) },
      }
    : undefined;

export const buttonReply = ({ selectedButtonId, selectedDisplayText }: proto.Message.IButtonsResponseMessage): Reply =>
  chosen(selectedButtonId, selectedDisplayText);

export const templateReply = ({ selectedId, selectedDisplayText }: proto.Message.ITemplateButtonReplyMessage): Reply =>
  chosen(selectedId, selectedDisplayText);

export const listReply = ({ singleSelectReply, title, description }: proto.Message.IListResponseMessage): Reply =>
  chosen(singleSelectReply?.selectedRowId, title, description);

export const interactiveReply = ({
  body,
  nativeFlowResponseMessage,
}: proto.Message.IInteractiveResponseMessage): Reply =>
  chosen(idIn(nativeFlowResponseMessage?.paramsJson ?? ""), body?.text);

const idIn = (json: string): string | undefined => {
  const { id } = Object(parsedJson(json)) as { id?: unknown };
  return typeof id === "string" ? id : undefined;
};
