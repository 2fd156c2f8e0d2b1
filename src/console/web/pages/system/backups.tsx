import { DatabaseBackup } from "lucide-preact";
import type { Backups, StoredBackup } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { admin } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { bytes, number } from "../../frame/texts/format.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Bar, Card, Details } from "../../parts/layout.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { Failure, Loaded, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { systemTexts } from "./texts.ts";

const KEY = "system backups";

/** The progress of the current backup. */
const Progress = ({ progress }: Pick<Backups, "progress">) => {
  const t = systemTexts();
  const total = progress?.totalBytes ?? null;
  const isCopied = progress !== null && total !== null && progress.copiedBytes >= total;
  const copying = progress && total !== null ? t.backupCopying(bytes(progress.copiedBytes), bytes(total)) : "";
  return (
    <div role="status">
      <Bar
        name={t.backupRunning}
        used={progress?.copiedBytes ?? 0}
        limit={total}
        text={isCopied ? t.backupChecking : copying}
      />
    </div>
  );
};

const Stored = ({ items }: { items: readonly StoredBackup[] }) => {
  const t = systemTexts();
  const columns: Column<StoredBackup>[] = [
    { title: t.made, cell: ({ createdAt }) => <When at={createdAt} isFull />, isMain: true },
    { title: t.size, cell: ({ sizeBytes }) => bytes(sizeBytes), isNumber: true },
    { title: t.checked, cell: ({ isChecked }) => (isChecked ? frameTexts().yes : frameTexts().no) },
  ];
  return (
    <details>
      <summary>
        {t.backupList} ({number(items.length)})
      </summary>
      <Table label={t.backupList} rows={items} columns={columns} keyOf={({ name }) => name} />
    </details>
  );
};

const State = ({ backups }: { backups: Backups }) => {
  const t = systemTexts();
  const { lastMade, last, place, schedule, keep, isEncrypted, fault, items } = backups;
  return (
    <div class="stack">
      {backups.isRunning && <Progress progress={backups.progress} />}
      {last && !last.isMade && (
        <Notice tone="bad">
          {t.backupFailed} (<When at={last.at} />
          ): <span lang="en">{last.error}</span>
        </Notice>
      )}
      {fault !== null && (
        <Notice tone="bad">
          {t.backupListFailed}: <span lang="en">{fault}</span>
        </Notice>
      )}
      <Details
        items={[
          [
            t.backupLast,
            lastMade ? (
              <>
                <When at={lastMade.at} /> · {bytes(lastMade.sizeBytes ?? 0)}
              </>
            ) : (
              t.backupNever
            ),
          ],
          [t.backupPlace, <code key="place">{place}</code>],
          [
            t.backupSchedule,
            <>
              <code>{schedule}</code> · {t.backupKept(number(keep ?? 0))}
            </>,
          ],
          [t.backupEncrypted, isEncrypted ? frameTexts().yes : frameTexts().no],
        ]}
      />
      {items.length > 0 && <Stored items={items} />}
    </div>
  );
};

/** Backups: the last good one, the stored ones, and a button for a new one, with its progress. */
export const BackupsCard = () => {
  const t = systemTexts();
  const query = useQuery(KEY, () => admin.backups.list().page(), { everyMs: 2000 });
  const make = useAct(async () => {
    await admin.backups.make();
    notify(t.backupAsked);
    refresh(KEY);
  });
  const isConfigured = query.data?.isConfigured ?? false;
  return (
    <Card
      title={t.backups}
      actions={
        isConfigured && (
          <Button
            tone="primary"
            icon={DatabaseBackup}
            isBusy={make.isRunning || (query.data?.isRunning ?? false)}
            onClick={() => void make.run()}
          >
            {t.backupNow}
          </Button>
        )
      }
    >
      {make.error !== undefined && <Failure error={make.error} />}
      <Loaded query={query} lines={4}>
        {(backups) =>
          isConfigured ? (
            <State backups={backups} />
          ) : (
            <Notice tone="warning">
              <p>
                <strong>{t.backupNone}</strong>
              </p>
              <p>{t.backupNoneHint}</p>
            </Notice>
          )
        }
      </Loaded>
    </Card>
  );
};
