import { DoorOpen, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Group } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { notify } from "../../parts/toasts.tsx";
import { groupsTexts } from "./texts.ts";

/** TABLE: the ways out of a group, with their texts. */
const ENDINGS = {
  leave: { icon: DoorOpen, title: "leaveTitle", hint: "leaveHint", done: "left", act: "leave" },
  delete: { icon: Trash2, title: "removeTitle", hint: "removeHint", done: "removed", act: "remove" },
} as const;

/** The phone leaves a group, or deletes it. Each act first says the loss. */
export const Endings = ({ group }: { group: Group }) => {
  const t = groupsTexts();
  const { route } = useLocation();
  const [asked, setAsked] = useState<keyof typeof ENDINGS | undefined>();
  const act = useAct(async (verb: keyof typeof ENDINGS) => {
    await gateway.groups[verb](group.id);
    refresh("groups/");
    notify(t[ENDINGS[verb].done]);
    route(href(`/groups?phoneId=${group.phoneId}`));
  });
  return (
    <>
      {(["leave", "delete"] as const).map((verb) => (
        <Button key={verb} icon={ENDINGS[verb].icon} onClick={() => setAsked(verb)}>
          {t[ENDINGS[verb].act]}
        </Button>
      ))}
      {asked !== undefined && (
        <Confirm
          title={t[ENDINGS[asked].title]}
          yes={t[ENDINGS[asked].act]}
          act={{ ...act, run: () => act.run(asked) }}
          onNo={() => setAsked(undefined)}
        >
          <p>{t[ENDINGS[asked].hint]}</p>
        </Confirm>
      )}
    </>
  );
};
