import { AppError } from "../../kernel/errors.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import { findCall } from "../../store/tables/calls.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { acceptWithin, prepareMessage } from "../messaging/sending/accept.ts";
import type { CallsEnv } from "./env.ts";

type ReplyPayload = { callId: string; channelId: ChannelId; text: string };

/** What accepted the message, as its timeline shows it. */
const ACCEPTED_BY = "rejectCalls";

/** Sends the caller of a rejected call the text of the phone's settings. A text that is refused is not sent. */
export const replyToCaller = async (
  env: CallsEnv,
  { payload: { callId, channelId, text }, end }: Job<ReplyPayload>,
): Promise<JobOutcome> => {
  const call = await env.db.read((reader) => findCall(reader, EVERY_TENANT, callId));
  if (!call) return { is: "done" };
  try {
    const message = await prepareMessage(
      env,
      { tenantId: call.tenantId },
      { channelId, to: call.peer, type: "text", content: { text }, isAnswer: true },
      { environment: "live", mustBeConnected: false, acceptedBy: ACCEPTED_BY, requestId: null },
    );
    await env.db.write(async (tx) => {
      await acceptWithin(env, tx, message);
      end(tx);
    });
    return { is: "settled" };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "OVERLOADED") throw error;
    env.log.info({ channelId, callId, code: error.code }, "the reply to a rejected call was refused");
    return { is: "done" };
  }
};
