import { fetchFromOwn } from "../adapters/http/own-server.ts";
import { VERSION } from "../version.ts";
import { command, EXIT } from "./command.ts";
import { remoteOf, URL_FLAG } from "./remote.ts";

/** Serves the Model Context Protocol on stdin and stdout, for a program that starts it, until stdin ends. */
export const mcpCommand = command(
  {
    name: "mcp",
    about: "let a language model read the account's messages through the Model Context Protocol, on stdin and stdout",
    flags: { url: URL_FLAG, "allow-sends": { about: "offer the tools that write to people too" } },
  },
  async ({ env, err }, { flags }) => {
    const remote = remoteOf(env, flags);
    if (typeof remote === "string") {
      err(`recado mcp: ${remote}`);
      return EXIT.usage;
    }
    const { mcpOverStdio } = await import("../apis/mcp/stdio.ts"); // the other commands start without the protocol
    const { url: baseUrl, key } = remote;
    await mcpOverStdio({ version: VERSION, maySend: flags["allow-sends"], baseUrl, key, send: fetchFromOwn });
    return EXIT.ok;
  },
);
