import { type Caller, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";

/** The form of a tool's name. Other names are not recorded. */
const NAME = /^[a-z][a-z_]{0,63}$/;

/** Records in the audit log that a language model used a tool with a key. */
export const recordToolCall = async (
  env: Pick<TenancyEnv, "db" | "clock" | "log">,
  caller: Caller,
  tool: string,
): Promise<void> => {
  if (!NAME.test(tool)) return;
  await env.db.write((tx) =>
    recordAct(env, tx, caller, { action: "mcp.call", target: tool, tenantId: caller.tenantId }),
  );
};
