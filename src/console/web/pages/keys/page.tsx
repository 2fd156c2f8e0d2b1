import { KeyRound, Plus } from "lucide-preact";
import { useState } from "preact/hooks";
import type { ApiKey, IssuedApiKey } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { FilterSelect, Filters, Pager } from "../../parts/lists/filters.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { MadeKey, MakeKey } from "./make.tsx";
import { keysTexts } from "./texts.ts";

const FILTERS = { revoked: "", cursor: "" };

/** The account's API keys. */
export const KeysPage = () => {
  const t = keysTexts();
  const [{ revoked, cursor }, setFilters] = useFilters(FILTERS);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<IssuedApiKey>();
  const keys = useQuery(`keys/${revoked}/${cursor}`, (signal) =>
    gateway.keys
      .list({ ...(revoked ? { revoked: true } : {}), ...(cursor ? { cursor } : {}), limit: 50 }, { signal })
      .page(),
  );
  const make = may("keys.write") && (
    <Button tone="primary" icon={Plus} onClick={() => setMaking(true)}>
      {t.make}
    </Button>
  );
  const isEmpty = keys.data?.items.length === 0 && revoked === "" && cursor === "";
  return (
    <>
      <PageHeader title={pageNames().keys} lead={t.lead}>
        {!isEmpty && make}
      </PageHeader>
      <Filters>
        <FilterSelect
          label={t.which}
          value={revoked}
          options={[
            ["", t.inUse],
            ["true", t.all],
          ]}
          onChange={(value) => setFilters({ revoked: value })}
        />
      </Filters>
      <Loaded query={keys}>
        {({ items, nextCursor }) =>
          isEmpty ? (
            <Empty icon={KeyRound} title={t.empty} hint={t.emptyHint}>
              {make}
            </Empty>
          ) : (
            <>
              <Table label={t.list} rows={items} columns={columns()} keyOf={({ id }) => id} />
              <Pager cursor={cursor} nextCursor={nextCursor} onCursor={(next) => setFilters({ cursor: next })} />
            </>
          )
        }
      </Loaded>
      {isMaking && (
        <MakeKey
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setMade(key);
            refresh("keys/");
          }}
        />
      )}
      {made && <MadeKey made={made} onClose={() => setMade(undefined)} />}
    </>
  );
};

const columns = (): Column<ApiKey>[] => {
  const t = keysTexts();
  return [
    { title: t.name, isMain: true, cell: ({ name }) => <bdi class="phone-cut">{name}</bdi> },
    { title: t.prefix, cell: ({ prefix }) => <code>{prefix}…</code> },
    { title: t.scopes, cell: (key) => rightsOf(key), isMinor: true },
    { title: t.used, cell: ({ lastUsedAt }) => (lastUsedAt ? <When at={lastUsedAt} /> : t.never) },
    { title: t.created, cell: ({ createdAt }) => <When at={createdAt} />, isMinor: true },
    { title: t.state, cell: (key) => <State apiKey={key} /> },
    { title: t.act, cell: (key) => <Revoke apiKey={key} />, isNumber: true },
  ];
};

/** As many scopes as a cell can hold. */
const SHOWN_SCOPES = 3;

const rightsOf = ({ limitedTo, readOnly, scopes }: ApiKey): string => {
  const t = keysTexts();
  if (limitedTo === null) return t.everything;
  if (readOnly && scopes.length === 0) return t.reading;
  const more = limitedTo.length - SHOWN_SCOPES;
  return `${limitedTo.slice(0, SHOWN_SCOPES).join(", ")}${more > 0 ? ` +${more}` : ""}`;
};

const State = ({ apiKey: { revokedAt, expiresAt } }: { apiKey: ApiKey }) => {
  const t = keysTexts();
  if (revokedAt !== null) return <Badge>{t.revokedState}</Badge>;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return <Badge tone="bad">{t.expired}</Badge>;
  return (
    <span>
      <Badge tone="good">{t.active}</Badge>
      {expiresAt !== null && (
        <span class="small soft">
          {" "}
          {t.until} <When at={expiresAt} />
        </span>
      )}
    </span>
  );
};

const Revoke = ({ apiKey: { id, name, revokedAt } }: { apiKey: ApiKey }) => {
  const t = keysTexts();
  const [isAsked, setAsked] = useState(false);
  const act = useAct(async () => {
    await gateway.keys.revoke(id);
    setAsked(false);
    refresh("keys/");
    notify(t.revoked);
  });
  if (revokedAt !== null || !may("keys.write")) return null;
  return (
    <>
      <Button aria-label={`${t.revoke}: ${name}`} onClick={() => setAsked(true)}>
        {t.revoke}
      </Button>
      {isAsked && (
        <Confirm
          title={t.revokeTitle(name)}
          act={t.revoke}
          isBusy={act.isRunning}
          error={act.error}
          onYes={() => void act.run()}
          onNo={() => setAsked(false)}
        >
          <p>{t.revokeText}</p>
        </Confirm>
      )}
    </>
  );
};
