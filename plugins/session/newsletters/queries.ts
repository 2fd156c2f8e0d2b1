import type { WASocket } from "@whiskeysockets/baileys";
import { unavailable } from "../../../src/contract/upstream.ts";
import { Ended, refusal, WORDS } from "../ask.ts";
import { mexAnswer } from "../outbound/mex.ts";

/**
 * TABLE: the network's questions about newsletters, by number and the field that answers. The network ends old numbers
 * at times. `list` and `read` are those of the web client of September 2026, and want every variable; the others are
 * those of Baileys 7.0.0-rc14.
 */
export const QUESTIONS = {
  list: { queryId: "25399611239711790", field: "xwa2_newsletter_subscribed" },
  read: { queryId: "27456920720571478", field: "xwa2_newsletter" },
  create: { queryId: "8823471724422422", field: "xwa2_newsletter_create" },
  update: { queryId: "24250201037901610", field: "xwa2_newsletter_update" },
  remove: { queryId: "30062808666639665", field: "xwa2_newsletter_delete_v2" },
  follow: { queryId: "24404358912487870", field: "xwa2_newsletter_join_v2" },
  unfollow: { queryId: "9767147403369991", field: "xwa2_newsletter_leave_v2" },
  mute: { queryId: "29766401636284406", field: "xwa2_newsletter_mute_v2" },
  unmute: { queryId: "9864994326891137", field: "xwa2_newsletter_unmute_v2" },
} as const;

export type Question = keyof typeof QUESTIONS;

/**
 * Asks the network about newsletters, and gives the field that answers.
 * @throws Ended for an error of the network, or an answer that cannot be read
 */
export const askNewsletters = async (
  sock: Pick<WASocket, "query">,
  question: Question,
  variables: object,
): Promise<unknown> => {
  const { queryId, field } = QUESTIONS[question];
  const answer = await mexAnswer(sock, { queryId, variables });
  if (!answer) throw new Ended({ ...unavailable("the network gave no answer"), mayHaveHappened: true });
  const { data, error } = answer;
  const found = data[field];
  if (error === undefined && found !== undefined && found !== null) return found;
  const code = error === undefined ? 404 : Number(error);
  if (code >= 500)
    throw new Ended({ ...unavailable(`the network answered with error ${code}`), mayHaveHappened: true });
  throw new Ended(refusal(WORDS[code] ?? `the network refused it (${error})`, Number.isInteger(code) ? code : null));
};
