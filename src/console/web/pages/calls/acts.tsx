import { PhoneOff } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Call } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Failure } from "../../parts/states.tsx";
import { callsTexts } from "./texts.ts";

const OPEN: readonly Call["status"][] = ["RINGING", "ACCEPTED", "IN_PROGRESS"];

/** Turns away a call that rings here, and ends any other that is not over. */
export const CallActs = ({ call: { id, status, direction } }: { call: Call }) => {
  const t = callsTexts();
  const [isEnding, setEnding] = useState(false);
  const act = useAct(async (verb: "reject" | "hangUp") => {
    await gateway.calls[verb](id);
    setEnding(false);
    refresh("calls/");
  });
  if (!OPEN.includes(status) || !may("calls.write")) return null;
  const isOffer = status === "RINGING" && direction === "INBOUND";
  return (
    <>
      {act.error !== undefined && !isEnding && <Failure error={act.error} />}
      {isOffer ? (
        <Button icon={PhoneOff} isBusy={act.isRunning} onClick={() => void act.run("reject")}>
          {t.reject}
        </Button>
      ) : (
        <Button icon={PhoneOff} onClick={() => setEnding(true)}>
          {t.hangUp}
        </Button>
      )}
      {isEnding && (
        <Confirm
          title={t.hangUpTitle}
          yes={t.hangUp}
          act={{ ...act, run: () => act.run("hangUp") }}
          onNo={() => setEnding(false)}
        >
          <p>{t.hangUpHint}</p>
        </Confirm>
      )}
    </>
  );
};
