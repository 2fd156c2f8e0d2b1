import { KeyRound, Plus } from "lucide-preact";
import { useState } from "preact/hooks";
import type { ApiKey, IssuedApiKey } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { given } from "../../frame/filters.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { FilterSelect } from "../../parts/lists/filters.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { MadeKey, MakeKey } from "./make.tsx";
import { keysTexts } from "./texts.ts";

/** The account's API keys. */
export const KeysPage = () => {
  const t = keysTexts();
  const list = useListState({ revoked: "" });
  const { revoked, cursor } = list.filters;
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<IssuedApiKey>();
  const keys = useQuery(`keys/${revoked}/${cursor}`, (signal) =>
    gateway.keys.list(given({ revoked: revoked !== "" || undefined, cursor, limit: 50 }), { signal }).page(),
  );
  const make = may("keys.write") && (
    <Button tone="primary" icon={Plus} onClick={() => setMaking(true)}>
      {t.make}
    </Button>
  );
  const isEmpty = keys.data?.items.length === 0;
  return (
    <ListPage
      name="keys"
      lead={t.lead}
      label={t.list}
      actions={!isEmpty && make}
      state={list}
      filters={
        <FilterSelect
          label={t.which}
          {...list.field("revoked")}
          options={[
            ["", t.inUse],
            ["true", t.all],
          ]}
        />
      }
      query={keys}
      columns={columns()}
      keyOf={({ id }) => id}
      empty={{ icon: KeyRound, title: t.empty, hint: t.emptyHint, children: make }}
    >
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
    </ListPage>
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

/** The number of scopes that a cell can hold. */
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
        <Confirm title={t.revokeTitle(name)} yes={t.revoke} act={act} onNo={() => setAsked(false)}>
          <p>{t.revokeText}</p>
        </Confirm>
      )}
    </>
  );
};
