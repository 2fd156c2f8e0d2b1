import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { callingAs, type Gateway } from "./calling.ts";
import { createMcpServer, type McpOptions } from "./server.ts";

/** Serves the protocol on stdin and stdout until stdin ends. */
export const mcpOverStdio = async ({
  version,
  maySend,
  ...gateway
}: Omit<McpOptions, "callAs"> & Gateway): Promise<void> => {
  const server = createMcpServer({ version, maySend, callAs: callingAs(gateway) });
  const { promise, resolve } = Promise.withResolvers<void>();
  process.stdin.once("end", resolve);
  process.stdin.once("close", resolve);
  await server.connect(new StdioServerTransport());
  await promise;
  await server.close();
};
