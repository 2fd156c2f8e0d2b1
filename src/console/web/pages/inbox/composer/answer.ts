import { useEffect, useState } from "preact/hooks";
import type { PhoneCapabilities } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../../frame/requests/client.ts";
import { useAct } from "../../../frame/requests/query.ts";
import { fileFaultText } from "../../../parts/messages/send-limit-texts.ts";
import { fileFault, textUse } from "../../../parts/messages/send-limits.ts";
import { sendOptionsIn } from "../../../parts/messages/send-options.tsx";
import type { Chat, LoggedMessage } from "../data.ts";
import { keepDraft, keptDraft } from "./drafts.ts";
import { type FileWay, hasCaption } from "./file-ways.ts";
import { fileContent, messageTypeOf } from "./outgoing.ts";

/** The fields of its chat that the composer needs. */
export type ComposerProps = {
  chat: Chat;
  capabilities: PhoneCapabilities | undefined;
  lastReceived: LoggedMessage | undefined;
  quoted: LoggedMessage | undefined;
  onQuote: (message: LoggedMessage | undefined) => void;
  onChange: () => void;
};

/** Files that are dropped or pasted anywhere in the chat. */
export const useFiles = (isOn: boolean, take: (files: FileList | undefined) => void): void => {
  useEffect(() => {
    if (!isOn) return undefined;
    const pane = document.querySelector<HTMLElement>(".chat-pane");
    const onDrop = (event: DragEvent): void => {
      event.preventDefault();
      pane?.classList.remove("dropping");
      take(event.dataTransfer?.files);
    };
    const onOver = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      pane?.classList.add("dropping");
    };
    const onLeave = (): void => pane?.classList.remove("dropping");
    pane?.addEventListener("drop", onDrop);
    pane?.addEventListener("dragover", onOver);
    pane?.addEventListener("dragleave", onLeave);
    return () => {
      pane?.removeEventListener("drop", onDrop);
      pane?.removeEventListener("dragover", onOver);
      pane?.removeEventListener("dragleave", onLeave);
    };
  }, [isOn]);
};

/** The length of an answer's text, and the fault of its file, by the limits of the phone's network. */
const checked = (
  capabilities: ComposerProps["capabilities"],
  { text, file, way }: { text: string; file: File | undefined; way: FileWay },
) => {
  const type = file && messageTypeOf(file.type);
  const fault = file && type && fileFault(capabilities, type, file);
  const isCaption = type !== undefined && hasCaption(type, way);
  return {
    isCaption,
    use: isCaption ? textUse(capabilities, type, "caption", text) : textUse(capabilities, "text", "text", text),
    fault: file && fault && fileFaultText(fault, file.size),
  };
};

/** The text and the file of an answer. `sent`: how many were sent. */
export const useAnswer = ({ chat, capabilities, quoted, onQuote, onChange }: ComposerProps) => {
  const [text, setText] = useState(() => keptDraft(chat.id));
  const [file, chooseFile] = useState<File | undefined>(undefined);
  const [way, setWay] = useState<FileWay>("");
  const setFile = (chosen: File | undefined): void => {
    chooseFile(chosen);
    setWay("");
  };
  const [sent, setSent] = useState(0);
  const write = (value: string): void => {
    setText(value);
    keepDraft(chat.id, value);
  };
  const said = text.trim();
  const { isCaption, use, fault } = checked(capabilities, { text: said, file, way });
  const isReady = (said !== "" || file !== undefined) && !use.isOver && fault === undefined;
  const act = useAct(async (form: FormData) => {
    if (!isReady) return;
    const answer = file
      ? fileContent(await gateway.media.keepFile(formOf(file)), { name: file.name, caption: said, way })
      : { type: "text" as const, content: { text: said } };
    const quote = quoted ? { quotedMessageId: quoted.id } : {};
    const options = sendOptionsIn(form);
    await gateway.chats.answer(chat.id, { ...answer, ...quote, ...options });
    if (said !== "" && answer.type !== "text" && !hasCaption(answer.type, way))
      await gateway.chats.answer(chat.id, { type: "text", content: { text: said }, ...options });
    write("");
    setFile(undefined);
    setSent(sent + 1);
    onQuote(undefined);
    onChange();
  });
  return { text, write, file, setFile, way, setWay, isCaption, use, fault, isReady, sent, act };
};

const formOf = (file: File): FormData => {
  const form = new FormData();
  form.append("file", file, file.name);
  return form;
};
