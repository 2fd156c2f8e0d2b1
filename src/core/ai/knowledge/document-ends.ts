import type { TenantId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type DocumentRow, loadDocument, updateDocument } from "../../../store/tables/ai/knowledge.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import type { DomainEvent } from "../../domain-event.ts";
import { channelOrRest, publish } from "../../events/publish.ts";
import type { AiEnv } from "../env.ts";
import { noteAgentChange } from "../trials/changes.ts";

/** Ends the processing of a document; false if it has ended or is deleted. */
export const endDocument = (env: AiEnv, tx: Tx, id: string, changes: Partial<DocumentRow>): Promise<boolean> =>
  updateDocument(tx, id, ["PENDING", "PROCESSING"], { ...changes, inlineText: null, updatedAt: env.clock.now() });

/** Marks a document as FAILED, and enqueues the removal of its chunks. */
export const failDocument = async (env: AiEnv, tx: Tx, document: DocumentRow, errorReason: string): Promise<void> => {
  const { id, channelId, title } = document;
  if (!(await endDocument(env, tx, id, { status: "FAILED", errorReason }))) return;
  env.jobs.enqueue(tx, "document.forget", { documentId: id, channelId });
  await publishEnd(env, tx, document, { status: "FAILED", title, chunkCount: 0, errorReason });
};

type Ended = Pick<Extract<DomainEvent, { type: "agent.document" }>, "status" | "title" | "chunkCount" | "errorReason">;

/** Publishes how the processing of a document has ended. A learnt document changes the agent. */
export const publishEnd = async (
  env: AiEnv,
  tx: Tx,
  { id, tenantId, channelId }: DocumentRow,
  ended: Ended,
): Promise<void> => {
  if (ended.status === "READY") await noteAgentChange(env, tx, channelId);
  return publish(
    env,
    tx,
    { tenantId, channel: await channelOrRest(tx, channelId) },
    { type: "agent.document", documentId: id, ...ended },
  );
};

/** Marks the document of a discarded job as FAILED. */
export const discardDocument = async (
  env: AiEnv,
  tx: Tx,
  { documentId }: { documentId: string; tenantId: TenantId },
): Promise<void> => {
  const document = await loadDocument(tx, EVERY_TENANT, documentId);
  if (document) await failDocument(env, tx, document, "INTERNAL_ERROR: the server could not process it");
};
