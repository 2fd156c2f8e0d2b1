import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { gateway } from "../../../../frame/requests/client.ts";
import { useQuery } from "../../../../frame/requests/query.ts";
import { Failure } from "../../../../parts/states.tsx";
import { cannedTexts } from "./texts.ts";
import { repliesFor } from "./variables.ts";

/** The id of the list, and of the line that the keys have chosen. */
export const MENU_ID = "canned-replies";
export const lineId = (index: number): string => `${MENU_ID}-${index}`;
const MOST_LINES = 8;
const LOADED = 200;

/** What the keys of the answer do while the menu is open; true: the key is used up. */
export type MenuKeys = RefObject<((event: KeyboardEvent) => boolean) | undefined>;

type MenuProps = {
  word: string;
  keys: MenuKeys;
  onChoose: (text: string) => void;
  onClose: () => void;
  /** The index of the chosen line, for the text's field; undefined without lines. */
  onActive: (index: number | undefined) => void;
};

/** The replies for the word after `/`, which arrows and Enter choose from. */
export const CannedMenu = ({ word, keys, onChoose, onClose, onActive }: MenuProps) => {
  const t = cannedTexts();
  const all = useQuery("canned/first", (signal) =>
    gateway.chats.listCannedReplies({ limit: LOADED }, { signal }).page(),
  );
  // a larger collection is searched by the server
  const asked = typeof all.data?.nextCursor === "string" ? word : "";
  const more = useQuery(`canned/found/${asked}`, async (signal) =>
    asked === ""
      ? []
      : (await gateway.chats.listCannedReplies({ limit: MOST_LINES, q: asked }, { signal }).page()).items,
  );
  const known = [...(all.data?.items ?? []), ...(more.data ?? [])];
  const unique = [...new Map(known.map((reply) => [reply.id, reply])).values()];
  const replies = repliesFor(unique, word).slice(0, MOST_LINES);
  const [chosen, setChosen] = useState(0);
  const index = Math.min(chosen, replies.length - 1);
  useEffect(() => setChosen(0), [word]);
  useEffect(() => {
    onActive(index < 0 ? undefined : index);
    return () => onActive(undefined);
  }, [index]);
  useEffect(() => {
    keys.current = (event) => {
      const reply = replies[index];
      if (event.key === "Escape") onClose();
      else if (event.key === "ArrowDown") setChosen(replies.length === 0 ? 0 : (index + 1) % replies.length);
      else if (event.key === "ArrowUp")
        setChosen(replies.length === 0 ? 0 : (index + replies.length - 1) % replies.length);
      else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && reply !== undefined)
        onChoose(reply.text);
      else return false;
      event.preventDefault();
      return true;
    };
    return () => void (keys.current = undefined);
  });
  if (all.error !== undefined && all.data === undefined) return <Failure error={all.error} />;
  if (all.data === undefined) return null;
  return (
    <div class="canned-menu" id={MENU_ID} role="listbox" aria-label={t.menu}>
      {replies.length === 0 && <p class="small soft">{t.none}</p>}
      {replies.map((reply, at) => (
        <div
          key={reply.id}
          id={lineId(at)}
          class="canned-line"
          role="option"
          aria-selected={at === index}
          onPointerDown={(event) => {
            event.preventDefault(); // the text keeps the focus
            onChoose(reply.text);
          }}
        >
          <b>/{reply.shortcut}</b> <span dir="auto">{reply.text}</span>
        </div>
      ))}
    </div>
  );
};
