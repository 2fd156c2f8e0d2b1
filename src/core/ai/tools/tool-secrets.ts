import type { ToolRow } from "../../../store/tables/ai/tools.ts";
import type { HeldHeaders } from "../../events/own-headers.ts";

/** The row that the sealed secret of a tool is bound to. */
export const secretRow = (id: string): string => `agent_tools:${id}:secret`;

/** A tool's sealed headers, and the row that they are bound to. */
export const toolHeaders = ({ id, headers }: Pick<ToolRow, "id" | "headers">): HeldHeaders => ({
  row: `agent_tools:${id}:headers`,
  sealed: headers,
});
