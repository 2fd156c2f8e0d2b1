import { Pause, Pencil, Play, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { SharedWebhook, WebhookHealth } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { webhookName } from "../../parts/messages/webhook-names.ts";
import { Failure } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { EditWebhook } from "./edit.tsx";
import { webhooksTexts } from "./texts.ts";

/** Deletes a webhook, after it says the loss. */
const Remove = ({ health }: { health: WebhookHealth }) => {
  const [isAsking, setAsking] = useState(false);
  const { route } = useLocation();
  const t = webhooksTexts();
  const act = useAct(async () => {
    await gateway.webhooks.delete(health.webhookId);
    notify(t.removed);
    refresh("webhooks/");
    route(href("/webhooks"));
  });
  return (
    <>
      <Button icon={Trash2} onClick={() => setAsking(true)}>
        {t.remove}
      </Button>
      {isAsking && (
        <Confirm title={t.removeTitle(webhookName(health))} yes={t.remove} act={act} onNo={() => setAsking(false)}>
          <p>{t.removeHint}</p>
          <p>{t.removeCounts(health.waiting, health.paused)}</p>
        </Confirm>
      )}
    </>
  );
};

/** The possible acts on a shared webhook. */
export const Actions = ({ health, webhook }: { health: WebhookHealth; webhook: SharedWebhook }) => {
  const [isEditing, setEditing] = useState(false);
  const t = webhooksTexts();
  const { id, active } = webhook;
  const pause = useAct(async () => {
    await gateway.webhooks.update(id, { active: !active });
    notify(active ? t.paused : t.resumed);
    refresh("webhooks/");
  });
  return (
    <>
      <Button icon={Pencil} onClick={() => setEditing(true)}>
        {t.edit}
      </Button>
      <Button icon={active ? Pause : Play} isBusy={pause.isRunning} onClick={() => void pause.run()}>
        {active ? t.pause : t.resume}
      </Button>
      <Remove health={health} />
      {pause.error !== undefined && <Failure error={pause.error} />}
      {isEditing && <EditWebhook webhook={webhook} onClose={() => setEditing(false)} />}
    </>
  );
};
