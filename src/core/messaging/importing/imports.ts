import type { MovingApi } from "../../../contract/abilities/moving.ts";
import type { ChannelPlugin } from "../../../contract/plugin.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import { asDigits } from "../../../kernel/numbers/phone-numbers.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Reader } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannel, listByPhoneNumber } from "../../../store/tables/channels/channels.ts";
import { findHistoryImport, type HistoryImportRow } from "../../../store/tables/messaging/history-imports.ts";
import { unknownChannel } from "../../channels/refusals.ts";
import { getAccount } from "../../tenancy/accounts/accounts.ts";
import type { MessagingEnv } from "../env.ts";

/** An adapter that reads histories. */
export type Historian = ChannelPlugin & {
  moving: MovingApi & Required<Pick<MovingApi, "historyFormats" | "readHistory">>;
};

/** @throws AppError VALIDATION for a format that no adapter reads */
export const historianOf = ({ registry }: Pick<MessagingEnv, "registry">, format: string): Historian => {
  const isHistorian = (adapter: ChannelPlugin): adapter is Historian =>
    adapter.moving?.readHistory !== undefined && adapter.moving.historyFormats?.includes(format) === true;
  const found = registry.adapters.find(isHistorian);
  if (!found) throw invalid(issue("format", "enum", "is not a format of a history that an adapter here reads"));
  return found;
};

/** `phone`: the id of a channel of the account, or the number of exactly one. */
export type HistoryHome = { accountId: string; phone: string };

/** @throws AppError TENANT_NOT_FOUND, CHANNEL_NOT_FOUND, CHANNEL_EXISTS for a number that several channels have */
export const channelOf = async (
  env: MessagingEnv,
  { kind }: Pick<Historian, "kind">,
  { accountId, phone }: HistoryHome,
): Promise<ChannelRow> => {
  const { id: tenantId } = await getAccount(env, accountId);
  return env.db.read(async (reader) => {
    const named = await findChannel(reader, { tenantId }, phone);
    const numbered = named ? [] : await listByPhoneNumber(reader, kind, asDigits(phone));
    const [only, second] = named ? [named] : numbered.filter((channel) => channel.tenantId === tenantId);
    if (!only || only.kind !== kind) throw unknownChannel();
    if (second)
      throw new AppError("CHANNEL_EXISTS", { message: "Several channels have this number: name one by its id." });
    return only;
  });
};

/**
 * `source`: a hash of what names the source, so that an import that was interrupted goes on. `run`: the imports of one
 * command have the same, and are undone together.
 */
export type HistorySource = { format: string; source: string; run: string };

/** The import of a channel, if it was begun by this command. @throws AppError VALIDATION */
export const requireImport = async (
  r: Reader,
  channelId: ChannelId,
  { source, run }: Pick<HistoryImportRow, "source" | "run">,
): Promise<HistoryImportRow> => {
  const row = await findHistoryImport(r, channelId);
  if (row?.source !== source || row.run !== run)
    throw invalid(issue("run", "format", "is not the import that was begun last: begin it again"));
  return row;
};

/** The import, if it expects the part after this place. @throws AppError VALIDATION */
export const requireTurn = async (
  r: Reader,
  channelId: ChannelId,
  { source, run, from }: Pick<HistoryImportRow, "source" | "run"> & { from: string },
): Promise<HistoryImportRow> => {
  const row = await requireImport(r, channelId, { source, run });
  if (row.isDone || row.cursor !== from) throw invalid(issue("from", "format", `is not the place of the import`));
  return row;
};
