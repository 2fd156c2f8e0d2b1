import { othersServed } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import type { ConversationId, TenantId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../../store/tables/channels/channels.ts";
import { deleteIdentity, findIdentityById } from "../../../store/tables/channels/identities.ts";
import { writeKeyStore } from "../../../store/tables/channels/key-store.ts";
import { deleteContact, findContact, updateContact } from "../../../store/tables/conversations/contacts.ts";
import { findAnyConversation, isContactWithout } from "../../../store/tables/conversations/conversations.ts";
import { takeMedia } from "../../../store/tables/media.ts";
import {
  ADDED_KINDS,
  type AddedItem,
  type AddedKind,
  deleteHistoryImport,
  findAddedAt,
  findLastHistoryImport,
  type HistoryImportRow,
  hasAdded,
  listHistoryImports,
  takeAdded,
} from "../../../store/tables/messaging/history-imports.ts";
import { deleteEmptyConversation, deleteImportedMessages } from "../../../store/tables/messaging/imported-messages.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { namesOf } from "../../channels/identity.ts";
import { forgetKeyRows } from "../../channels/settings/vault.ts";
import { listContactsOfPerson } from "../../conversations/contacts.ts";
import { contactOf, contactOfKey } from "../../domain-event.ts";
import { eraseFile } from "../../media/media.ts";
import { getAccount } from "../../tenancy/accounts/accounts.ts";
import { type Requester, recordAct } from "../../tenancy/audit/audit.ts";
import type { MessagingEnv } from "../env.ts";
import { forgetEarlier } from "./earlier.ts";

/** The phones of one command: more than any source has. */
const MOST_IMPORTS = 10_000;
/** Rows that one write takes back, and writes of one request. */
const PER_WRITE = 200;
const WRITES = 20;

/** What was removed now. `isDone`: nothing of the import is left. */
export type Undone = { messages: number; contacts: number; conversations: number; files: number; isDone: boolean };

/**
 * Takes back what the last import of histories into an account's channels has added, a part at a time: call it until it
 * is done. What people have added since stays, and so does what holds it: a contact who has written, or whom somebody
 * has changed.
 * @throws AppError TENANT_NOT_FOUND, or VALIDATION if there is no import, or nothing of it is known any more
 */
export const undoHistory = async (
  env: MessagingEnv,
  by: Requester,
  { accountId }: { accountId: string },
): Promise<Undone> => {
  const { id: tenantId } = await getAccount(env, accountId);
  const imports = await importsToUndo(env, tenantId);
  const undone: Undone = { messages: 0, contacts: 0, conversations: 0, files: 0, isDone: false };
  let writes = 0;
  for (const one of imports) {
    await forgetEarlier(env, one);
    for (let isMore = true; isMore; writes += 1) {
      if (writes === WRITES) return undone;
      isMore = await env.db.write((tx) => undoSome(env, tx, { by, of: one, undone }));
      await othersServed();
    }
  }
  return { ...undone, isDone: true };
};

const importsToUndo = async (env: MessagingEnv, tenantId: TenantId): Promise<HistoryImportRow[]> => {
  const imports = await env.db.read(async (reader) => {
    const last = await findLastHistoryImport(reader, tenantId);
    const ofRun = last ? await listHistoryImports(reader, tenantId, { run: last.run, limit: MOST_IMPORTS }) : [];
    const added: HistoryImportRow[] = [];
    for (const one of ofRun) if (await hasAdded(reader, one.channelId)) added.push(one);
    return added;
  });
  if (imports.length === 0)
    throw invalid(issue("accountId", "format", "has no import of a history that can be undone"));
  return imports;
};

/** Takes back rows of the first kind that has some. False when nothing is left. */
const undoSome = async (
  env: MessagingEnv,
  tx: Tx,
  { by, of: { channelId }, undone }: { by: Requester; of: HistoryImportRow; undone: Undone },
): Promise<boolean> => {
  const channel = await findChannel(tx, EVERY_TENANT, channelId);
  if (!channel) return false; // its rows go with it
  for (const kind of ADDED_KINDS) {
    const items = await takeAdded(tx, channelId, { kind, limit: PER_WRITE });
    if (items.length === 0) continue;
    const removed = await REMOVALS[kind](env, tx, { channel, items });
    tx.afterCommit(() => {
      if (kind === "file") undone.files += removed;
      if (kind === "message") undone.messages += removed;
      if (kind === "contact") undone.contacts += removed;
      if (kind === "conversation") undone.conversations += removed;
    });
    return true;
  }
  deleteHistoryImport(tx, channelId);
  const { tenantId, kind } = channel;
  await recordAct(env, tx, by, { action: "channel.undo-import", target: channelId, tenantId, details: { kind } });
  return false;
};

type Removing = { channel: ChannelRow; items: readonly AddedItem[] };
/** Gives the number of removed rows. */
type Removal = (env: MessagingEnv, tx: Tx, removing: Removing) => Promise<number>;

const each = async (items: readonly AddedItem[], remove: (item: AddedItem) => Promise<boolean>): Promise<number> => {
  let removed = 0;
  for (const item of items) if (await remove(item)) removed += 1;
  return removed;
};

const refsOf = (items: readonly AddedItem[]): string[] => items.map(({ ref }) => ref);

/** TABLE: how the rows of each kind are taken back. */
const REMOVALS: Readonly<Record<AddedKind, Removal>> = {
  file: (env, tx, { channel, items }) =>
    each(items, async ({ ref }) => {
      const file = await takeMedia(tx, channel.id, ref);
      if (file) eraseFile(env, tx, file);
      return file !== undefined;
    }),
  message: (_, tx, { channel, items }) => deleteImportedMessages(tx, channel.id, refsOf(items)),
  conversation: (_, tx, { items }) => each(items, ({ ref }) => deleteEmptyConversation(tx, ref as ConversationId)),
  contact: (_, tx, { channel: { id: channelId, tenantId }, items }) =>
    each(items, async ({ ref: id, addedAt }) => {
      const contact = await findContact(tx, { tenantId, environment: "live" }, id);
      // the import may have named it later
      const lastAt = (await findAddedAt(tx, channelId, { kind: "name", ref: id })) ?? addedAt;
      if (!contact || contact.updatedAt > lastAt || !(await isContactWithout(tx, contact.id))) return false;
      const { email, tags, metadata, optedOutAt } = contact;
      if (email !== null || tags.length > 0 || Object.keys(metadata).length > 0 || optedOutAt !== null) return false;
      return deleteContact(tx, { tenantId }, id);
    }),
  name: (_, tx, { channel: { tenantId }, items }) =>
    each(items, async ({ ref: id, addedAt }) => {
      const contact = await findContact(tx, { tenantId, environment: "live" }, id);
      if (!contact || contact.updatedAt > addedAt) return false;
      return (await updateContact(tx, { tenantId }, contact.id, { name: null })) !== undefined;
    }),
  identity: (_, tx, { channel: { tenantId }, items }) =>
    each(items, async ({ ref, addedAt }) => {
      const row = await findIdentityById(tx, Number(ref));
      if (!row || row.updatedAt > addedAt) return false;
      const viewer = { tenantId, environment: "live" } as const;
      if ((await listContactsOfPerson(tx, viewer, contactOf(namesOf(row)))).length > 0) return false;
      await deleteIdentity(tx, row.id);
      return true;
    }),
  async key(_, tx, { channel: { id: channelId, tenantId }, items }) {
    const viewer = { tenantId, environment: "live" } as const;
    const gone: { kind: string; id: string; sealed: null }[] = [];
    for (const ref of refsOf(items)) {
      const [kind = "", ...rest] = ref.split("/");
      const id = rest.join("/");
      const [contact] = await listContactsOfPerson(tx, viewer, contactOfKey(id));
      const conversation =
        contact && (await findAnyConversation(tx, { channelId, contactId: contact.id, environment: "live" }));
      if (conversation === undefined) gone.push({ kind, id, sealed: null });
    }
    writeKeyStore(tx, channelId, gone);
    if (gone.length > 0) tx.atCommit(forgetKeyRows);
    return gone.length;
  },
};
