import type { Node, System } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { admin } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { bytes, number } from "../../frame/texts/format.ts";
import { Badge } from "../../parts/badge.tsx";
import { Bar, Card, Details } from "../../parts/layout.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { NewerRelease } from "../../parts/newer-release.tsx";
import { Loaded } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { systemTexts } from "./texts.ts";

const useSystem = () => useQuery("system system", (signal) => admin.system.get({ signal }), { everyMs: 30_000 });

const Storage = ({ disk, database, media }: System) => {
  const t = systemTexts();
  const used = disk.totalBytes - disk.freeBytes;
  return (
    <div class="stack">
      <Bar name={t.disk} used={used} limit={disk.totalBytes} text={t.diskText(bytes(used), bytes(disk.totalBytes))} />
      <Details
        items={[
          ...(disk.fullAt === null ? [] : [[t.diskFull, <When key="full" at={disk.fullAt} />] as const]),
          [t.database, database.sizeBytes === null ? t.databaseRemote : bytes(database.sizeBytes)],
          ...(database.logBytes === null ? [] : [[t.databaseLog, bytes(database.logBytes)] as const]),
          [t.media, `${bytes(media.sizeBytes)}${media.place === "s3" ? " · S3" : ""}`],
        ]}
      />
    </div>
  );
};

/** The disk as a bar, and its contents. */
export const StorageCard = () => (
  <Card title={systemTexts().storage}>
    <Loaded query={useSystem()} lines={4}>
      {(system) => <Storage {...system} />}
    </Loaded>
  </Card>
);

/** When Recado read that this version is the newest, or why it does not know. */
const UpdateState = ({ isOn, readAt, failure, newer }: System["updates"]) => {
  const t = systemTexts();
  if (!isOn) return <>{t.updatesOff}</>;
  if (failure !== null) return <>{t.updatesFailed(failure)}</>;
  if (readAt === null) return <>{t.updatesUnread}</>;
  return (
    <>
      {newer ? t.updatesNewer : t.updatesNone} · {t.checkedAt} <When at={readAt} />
    </>
  );
};

const Program = ({
  version,
  commit,
  startedAt,
  runtime,
  platform,
  memoryBytes,
  addresses,
  clients,
  updates,
}: System) => {
  const t = systemTexts();
  return (
    <div class="stack">
      {updates.newer && <NewerRelease {...updates.newer} />}
      <Details
        items={[
          [t.version, version],
          [t.updates, <UpdateState key="updates" {...updates} />],
          [t.commit, <code key="commit">{commit.slice(0, 12)}</code>],
          [t.started, <When key="started" at={startedAt} />],
          [t.runtime, runtime],
          [t.platform, platform],
          [t.memory, bytes(memoryBytes)],
          [t.address, <code key="listen">{addresses.listen}</code>],
          [t.dataDir, <code key="dir">{addresses.dataDir}</code>],
        ]}
      />
      <h3>{t.clients}</h3>
      {clients.length === 0 ? (
        <p class="soft">{t.noClients}</p>
      ) : (
        <Details
          items={clients.map(({ kind, version: spoken, expiresAt }) => [
            kind,
            <>
              <code>{spoken}</code> ·{" "}
              {expiresAt === null ? (
                t.clientNoEnd
              ) : (
                <>
                  {t.clientEnds} <When at={expiresAt} />
                </>
              )}
            </>,
          ])}
        />
      )}
    </div>
  );
};

/** The running version, its start, and the versions that it speaks to networks. */
export const ProgramCard = () => (
  <Card title={systemTexts().program}>
    <Loaded query={useSystem()} lines={8}>
      {(system) => <Program {...system} />}
    </Loaded>
  </Card>
);

const Nodes = ({ nodes }: { nodes: readonly Node[] }) => {
  const t = systemTexts();
  const columns: Column<Node>[] = [
    {
      title: t.node,
      isMain: true,
      cell: ({ id, isSelf }) => (
        <>
          <code>{id.slice(0, 8)}</code> {isSelf && <span class="soft small">({t.nodeSelf})</span>}
        </>
      ),
    },
    {
      title: t.state,
      cell: ({ isLive }) => <Badge tone={isLive ? "good" : "bad"}>{isLive ? t.nodeLive : t.nodeGone}</Badge>,
    },
    { title: t.started, cell: ({ startedAt }) => <When at={startedAt} /> },
    { title: t.reached, cell: ({ url }) => (url === null ? <span class="soft">–</span> : <code>{url}</code>) },
    { title: t.links, cell: ({ channels }) => number(channels), isNumber: true },
  ];
  return <Table label={`${t.nodes} (${nodes.length})`} rows={nodes} columns={columns} keyOf={({ id }) => id} />;
};

/** The processes that serve the database. */
export const NodesCard = () => {
  const query = useQuery("system nodes", () => admin.nodes.list().page(), { everyMs: 15_000 });
  return (
    <Card title={systemTexts().nodes}>
      <Loaded query={query} lines={2}>
        {({ items }) => <Nodes nodes={items} />}
      </Loaded>
    </Card>
  );
};
