import type { ComponentChildren, RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { usePhoneName } from "../../../../parts/phones/phones.tsx";
import { Notice } from "../../../../parts/states.tsx";
import type { Chat } from "../../data.ts";
import { CannedMenu, lineId, MENU_ID } from "./menu.tsx";
import { cannedTexts } from "./texts.ts";
import { replyFor } from "./values.ts";
import { shortcutIn, unfilled } from "./variables.ts";

type Written = {
  chat: Chat;
  text: string;
  write: (text: string) => void;
  area: RefObject<HTMLTextAreaElement | null>;
};

type Canned = {
  shown: ComponentChildren;
  attributes: Readonly<Record<string, string>>;
  onKey: (event: KeyboardEvent) => boolean;
  /** Whether the text is not to be sent yet, because a variable has no value. It stops each text once. */
  stops: () => boolean;
};

/** The canned replies of an answer: `/` opens their menu, and the chosen one takes the place of the word. */
export const useCanned = ({ chat, text, write, area }: Written): Canned => {
  const t = cannedTexts();
  const phone = usePhoneName(chat.phoneId);
  const keys = useRef<((event: KeyboardEvent) => boolean) | undefined>(undefined);
  const [closed, setClosed] = useState("");
  const [stopped, setStopped] = useState("");
  const [active, setActive] = useState<number | undefined>(undefined);
  const word = shortcutIn(text);
  const isOpen = word !== undefined && closed !== text;
  const choose = async (reply: string): Promise<void> => {
    const typed = area.current?.value;
    const value = await replyFor(reply, chat, phone);
    if (area.current?.value !== typed) return; // somebody went on writing
    write(value);
    area.current?.focus();
  };
  const missing = stopped === text ? unfilled(text) : [];
  return {
    shown: (
      <>
        {missing.length > 0 && (
          <div role="alert">
            <Notice tone="warning">{t.unfilled(missing.join(", "))}</Notice>
          </div>
        )}
        {isOpen && (
          <CannedMenu
            word={word}
            keys={keys}
            onChoose={(reply) => void choose(reply)}
            onClose={() => setClosed(text)}
            onActive={setActive}
          />
        )}
      </>
    ),
    attributes: isOpen
      ? {
          "aria-autocomplete": "list",
          "aria-haspopup": "listbox",
          "aria-controls": MENU_ID,
          ...(active === undefined ? {} : { "aria-activedescendant": lineId(active) }),
        }
      : {},
    onKey: (event) => keys.current?.(event) ?? false,
    stops: () => {
      if (unfilled(text).length === 0 || stopped === text) return false;
      setStopped(text);
      return true;
    },
  };
};
