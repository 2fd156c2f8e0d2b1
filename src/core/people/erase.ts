import { SECOND_MS } from "../../kernel/clock.ts";
import { AppError, reasonOf } from "../../kernel/errors.ts";
import { type BatchId, newId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/engine/db.ts";
import { PERSONAL, redactTexts } from "../../store/laws/personal.ts";
import { deleteStored } from "../../store/tables/collections.ts";
import { mergeSearch } from "../../store/tables/conversations/contacts.ts";
import { type ErasureRow, findErasure, insertErasure, updateErasure } from "../../store/tables/erasures.ts";
import { findBatch } from "../../store/tables/messaging/batches.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import type { Effects, PersonalRow } from "../../store/tables/table-laws.ts";
import { forgetKeyRows } from "../channels/settings/vault.ts";
import { goOn } from "../messaging/batches/batch-settle.ts";
import { type Requester, recordAct, THE_SERVER } from "../tenancy/audit/audit.ts";
import type { PeopleEnv } from "./env.ts";
import { requirePerson } from "./export.ts";
import { personHash, type Reach, somebody } from "./person.ts";
import { type Found, findAgain, findPage, type Search, searchFor } from "./rows.ts";

/** Work in progress on a row has ended after this time. */
const WAIT_MS = 5 * SECOND_MS;
/**
 * Work in progress may write after the erasure has passed its table. So the erasure repeats until it finds nothing, at
 * most this often.
 */
const MAX_PASSES = 5;

const TABLES = Object.keys(PERSONAL);

export type Erasure = Pick<ErasureRow, "id" | "tenantId" | "person" | "rows" | "createdAt" | "finishedAt">;

/**
 * Enqueues the erasure of all stored data of a person. Messages and deliveries of that person that are still waiting
 * are not sent. Counters stay; they name no person.
 * @throws AppError VALIDATION, TENANT_NOT_FOUND.
 */
export const erasePerson = async (
  env: PeopleEnv,
  by: Requester,
  asked: { person: string; tenantId: Reach },
): Promise<Erasure> => {
  const { first, names } = await requirePerson(env, asked);
  const { tenantId } = asked;
  const person = personHash(env, first);
  const erasure = {
    id: newId(env),
    tenantId: tenantId ?? null,
    person,
    names,
    position: null,
    rows: 0,
    createdAt: env.clock.now(),
    finishedAt: null,
  };
  await env.db.write(async (tx) => {
    await insertErasure(tx, erasure);
    await recordAct(env, tx, by, { action: "person.erase", target: erasure.id, tenantId, details: { person } });
    env.jobs.enqueue(tx, "person.erase", { erasureId: erasure.id });
  });
  return erasure;
};

/** @throws AppError ERASURE_NOT_FOUND. */
export const getErasure = async (env: Pick<PeopleEnv, "db">, id: string): Promise<Erasure> => {
  const erasure = await env.db.read((reader) => findErasure(reader, id));
  if (!erasure) throw new AppError("ERASURE_NOT_FOUND", { message: "There is no such erasure." });
  return erasure;
};

type ErasePayload = { erasureId: string };
type Position = NonNullable<ErasureRow["position"]>;

/** The position after the last row of the last table. */
const END: Position = { table: TABLES.at(-1) ?? "", after: Number.MAX_SAFE_INTEGER, pass: MAX_PASSES, found: false };
const BEGINNING: Position = { table: TABLES[0] ?? "", after: 0, pass: 1, found: false };

/** Erases page by page, and stores the position after each page. Another process continues from there. */
export const runErasure = async (env: PeopleEnv, job: Job<ErasePayload>): Promise<JobOutcome> => {
  const erasure = await env.db.read((reader) => findErasure(reader, job.payload.erasureId));
  if (!erasure?.names) return { is: "done" };
  const search = await env.db.read((reader) =>
    searchFor(reader, erasure.tenantId ?? undefined, somebody(erasure.names ?? [])),
  );
  let position: Position | undefined = erasure.position ?? BEGINNING;
  let rows = erasure.rows;
  while (position) {
    const { table } = position;
    const { found, next } = await findPage(env, position, search);
    const failure = await removeFiles(env, table, found);
    if (failure !== undefined) return { is: "snooze", atMs: env.clock.now() + WAIT_MS, error: failure };
    position = after({ ...position, found: position.found || found.length > 0 }, next);
    if (found.length === 0) continue;
    rows += found.length;
    const noted = { position: position ?? END, rows };
    const isWaiting = await env.db.write((tx) => eraseRows(env, tx, { id: erasure.id, table, found, search, noted }));
    if (isWaiting) return { is: "snooze", atMs: env.clock.now() + WAIT_MS, error: "a row is in use" };
  }
  for (let isFirst = true; rows > 0 && (await env.db.write((tx) => mergeSearch(tx, { isFirst }))); ) isFirst = false;
  await env.db.write((tx) => finish(env, tx, { erasure, job, rows }));
  return { is: "settled" };
};

/** The next page, the next table, or another pass when this pass has found a row; undefined at the end. */
const after = (position: Position, next: number | undefined): Position | undefined => {
  if (next !== undefined) return { ...position, after: next };
  const table = TABLES[TABLES.indexOf(position.table) + 1];
  if (table !== undefined) return { ...position, table, after: 0 };
  return position.found && position.pass < MAX_PASSES ? { ...BEGINNING, pass: position.pass + 1 } : undefined;
};

/**
 * Deletes the files before the rows that name them. Returns the error of the first file that stays; undefined when all
 * are gone.
 */
const removeFiles = async (env: PeopleEnv, table: string, found: readonly Found[]): Promise<string | undefined> => {
  try {
    for (const { row, isTheirs } of found) {
      const file = isTheirs ? PERSONAL[table]?.effects?.(row).file : undefined;
      if (file !== undefined) await env.files.store.remove(file);
    }
    return undefined;
  } catch (thrown) {
    return reasonOf(thrown);
  }
};

type Page = {
  id: string;
  table: string;
  found: readonly Found[];
  search: Search;
  noted: Pick<ErasureRow, "position" | "rows">;
};

/**
 * Erases the rows of a page and stores the position. True when a job works on one of the rows: the other rows are
 * erased, and the page is read again.
 */
const eraseRows = async (
  env: PeopleEnv,
  tx: Tx,
  { id: erasureId, table, found, search, noted }: Page,
): Promise<boolean> => {
  if (table === "key_rows") tx.atCommit(forgetKeyRows);
  const effects: Effects[] = [];
  for (const { row } of found) {
    const now = await findAgain(env, tx, { table, at: row.at }, search);
    if (now?.isTheirs) effects.push(await eraseRow(tx, table, now.row, search));
    else if (now) redactTexts(tx, table, now.row, search.who);
  }
  for (const id of new Set(effects.flatMap(({ batchId }) => batchId ?? []))) {
    const batch = await findBatch(tx, EVERY_TENANT, id);
    if (batch) await goOn(env, tx, { ...batch, id: id as BatchId });
  }
  const isWaiting = effects.some(({ wait }) => wait === true);
  if (!isWaiting) await updateErasure(tx, erasureId, noted);
  return isWaiting;
};

/** The file of this row is already deleted. */
const eraseRow = async (tx: Tx, table: string, row: PersonalRow, { who }: Search): Promise<Effects> => {
  const file = PERSONAL[table]?.effects?.(row).file;
  if (file !== undefined) await deleteStored(tx, file);
  return (await PERSONAL[table]?.erase(tx, row, who)) ?? {};
};

type End = { erasure: ErasureRow; job: Job<ErasePayload>; rows: number };

const finish = async (env: PeopleEnv, tx: Tx, { erasure: { id, tenantId, person }, job, rows }: End): Promise<void> => {
  await updateErasure(tx, id, { position: null, rows, names: null, finishedAt: env.clock.now() });
  await recordAct(env, tx, THE_SERVER, {
    action: "person.erased",
    target: id,
    tenantId: tenantId ?? undefined,
    details: { person, rows },
  });
  job.end(tx);
};
