import { AppError, reasonOf, refusalText } from "../../../kernel/errors.ts";
import { type CommandContext, EXIT } from "../../command.ts";
import { SourceFault } from "../found.ts";
import type { FoundHistory } from "./found.ts";
import { type Asked, type HistoryPort, type HistoryTaken, lookInto, takeInto } from "./take.ts";

/** The result of an import of messages alone. */
export type HistoryReport = { name: string; phoneNumber: string | null; problems: string[]; history?: HistoryTaken };

/** `phone`: the one that the operator has named. */
type HistoriesAsked = {
  accountId: string | undefined;
  phone: string | undefined;
  isDry: boolean;
  asked: Asked;
};

/** Why something failed, in one line. */
export const problemOf = (thrown: unknown): string =>
  thrown instanceof AppError ? refusalText(thrown) : messageOf(thrown);

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : reasonOf(thrown));

/** Says why a command failed. */
export const faulty = ({ err }: Pick<CommandContext, "err">, text: string): number => {
  err(`recado import: ${text}`);
  return EXIT.fault;
};

/** The messages of phones that are here already. */
export const takeHistories = async (
  histories: HistoryPort,
  found: readonly FoundHistory[],
  { accountId, isDry, asked, phone }: HistoriesAsked,
): Promise<HistoryReport[]> => {
  const reports: HistoryReport[] = [];
  for (const history of found) {
    const named = phone ?? history.phoneNumber;
    const home = accountId === undefined || named === undefined ? undefined : { accountId, phone: named };
    const report = { name: history.name, phoneNumber: history.phoneNumber ?? null };
    try {
      if (!home && !isDry) throw new SourceFault("the source does not say its number: name the phone with --phone");
      const counts =
        home && !isDry
          ? await takeInto(histories, history, home, asked)
          : await lookInto(histories, history, home, asked);
      reports.push({ ...report, problems: [], history: counts });
    } catch (thrown) {
      reports.push({ ...report, problems: [problemOf(thrown)] });
    }
  }
  return reports;
};

/** What came of a history, and what did not. */
export const historyLines = (history: HistoryTaken | undefined): string[] => {
  if (!history) return [];
  const { messages, contacts, known, leftOut, files } = history;
  return [
    `  history: ${messages} messages, ${contacts} contacts${known > 0 ? `; ${known} were known` : ""}`,
    ...Object.entries(leftOut).map(([reason, count]) => `  left out: ${count} × ${reason}`),
    ...(files.count > 0 ? [`  files: ${files.count}, with ${files.bytes} bytes`] : []),
    ...Object.entries(files.without).map(([reason, count]) => `  without its file: ${count} × ${reason}`),
  ];
};

/** The lines of a report of messages alone. */
export const historyReportLines = (
  { name, phoneNumber, problems, history }: HistoryReport,
  isDry: boolean,
): string[] => {
  const outcome = problems.length > 0 ? "cannot be imported" : isDry ? "can be imported" : "was imported";
  return [
    `${name} (${phoneNumber ?? "no number"}): its history ${outcome}`,
    ...problems.map((problem) => `  problem: ${problem}`),
    ...historyLines(history),
  ];
};
