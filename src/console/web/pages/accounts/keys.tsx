import { Plus } from "lucide-preact";
import { useState } from "preact/hooks";
import type { ApiKey } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { admin } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Confirm, Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { Loaded, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { accountsTexts } from "./texts.ts";

/** Makes a key with all rights; it is shown once. */
const NewKey = ({ accountId, onClose }: { accountId: string; onClose: () => void }) => {
  const t = accountsTexts();
  const [key, setKey] = useState<string>();
  const act = useAct(async (form: FormData) => {
    const made = await admin.accounts.issueApiKey(accountId, { name: textIn(form, "name") });
    refresh("accounts keys");
    setKey(made.key);
  });
  return (
    <Dialog title={t.newKey} onClose={onClose} isHeld={key !== undefined}>
      {key === undefined ? (
        <Form act={act} submit={t.newKey} onCancel={onClose}>
          <Field name="name" label={t.keyName} maxLength={100} autoFocus />
        </Form>
      ) : (
        <>
          <Notice tone="warning">{t.keyMade}</Notice>
          <CopyLine text={key} />
          <div class="dialog-actions">
            <Button tone="primary" onClick={onClose}>
              {t.done}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
};

const Revoke = ({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) => {
  const t = accountsTexts();
  const act = useAct(async () => {
    await admin.apiKeys.revoke(apiKey.id);
    refresh("accounts keys");
    notify(t.keyRevoked);
    onClose();
  });
  return (
    <Confirm title={t.revokeTitle} yes={t.revoke} act={act} onNo={onClose}>
      <p>{t.revokeText(apiKey.name)}</p>
    </Confirm>
  );
};

/** The gateway keys of an account. */
export const KeysCard = ({ accountId }: { accountId: string }) => {
  const t = accountsTexts();
  const [open, setOpen] = useState<"new" | ApiKey>();
  const query = useQuery(`accounts keys ${accountId}`, () => admin.accounts.listApiKeys(accountId).page());
  const columns: Column<ApiKey>[] = [
    { title: t.keyName, cell: ({ name }) => name, isMain: true },
    { title: t.prefix, cell: ({ prefix }) => <code>{prefix}…</code> },
    {
      title: t.state,
      cell: ({ revokedAt }) => (
        <Badge tone={revokedAt === null ? "good" : "neutral"}>{revokedAt === null ? t.valid : t.revoked}</Badge>
      ),
    },
    { title: t.lastUsed, cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
    {
      title: frameTexts().more,
      cell: (key) =>
        key.revokedAt === null && (
          <Button aria-label={`${t.revoke} ${key.name}`} onClick={() => setOpen(key)}>
            {t.revoke}
          </Button>
        ),
    },
  ];
  return (
    <Card
      title={t.keys}
      actions={
        <Button tone="primary" icon={Plus} onClick={() => setOpen("new")}>
          {t.newKey}
        </Button>
      }
    >
      <Loaded query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <p class="soft">{t.noKeys}</p>
          ) : (
            <Table label={`${t.keys} (${keys.length})`} rows={keys} columns={columns} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {open === "new" && <NewKey accountId={accountId} onClose={() => setOpen(undefined)} />}
      {open !== undefined && open !== "new" && <Revoke apiKey={open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
};
