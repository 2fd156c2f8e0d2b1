import { AlarmClock, AlarmClockOff } from "lucide-preact";
import { useState } from "preact/hooks";
import { gateway } from "../../../frame/requests/client.ts";
import { useAct } from "../../../frame/requests/query.ts";
import { may } from "../../../frame/session.ts";
import { dateMinute } from "../../../frame/texts/format.ts";
import { IconButton } from "../../../parts/button.tsx";
import { Failure } from "../../../parts/states.tsx";
import { notify } from "../../../parts/toasts.tsx";
import type { Chat } from "../data.ts";
import type { SnoozeDialog } from "./snooze-dialog.tsx";
import { workTexts } from "./texts.ts";

/** The button that puts a chat off, or brings it back. */
export const Snooze = ({ chat, onChange }: { chat: Chat; onChange: () => void }) => {
  const t = workTexts();
  const [Shown, setShown] = useState<{ Dialog: typeof SnoozeDialog } | undefined>(undefined);
  const act = useAct(async () => {
    if (chat.snoozedUntil === null) {
      // loaded when somebody wants it
      const { SnoozeDialog: Dialog } = await import("./snooze-dialog.tsx");
      setShown({ Dialog });
      return;
    }
    await gateway.chats.unsnooze(chat.id);
    notify(t.isBack);
    onChange();
  });
  if (chat.state === "CLOSED" || !may("chats.write")) return null;
  const label = chat.snoozedUntil === null ? t.snooze : t.unsnooze(dateMinute(chat.snoozedUntil));
  return (
    <>
      <IconButton
        label={label}
        icon={chat.snoozedUntil === null ? AlarmClock : AlarmClockOff}
        aria-busy={act.isRunning}
        onClick={() => void act.run()}
      />
      {act.error !== undefined && (
        <div class="chat-lead-fault">
          <Failure error={act.error} />
        </div>
      )}
      {Shown && <Shown.Dialog chat={chat} onClose={() => setShown(undefined)} onChange={onChange} />}
    </>
  );
};
