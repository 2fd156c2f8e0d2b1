import { afterAll, beforeAll, beforeEach } from "bun:test";
import { type LlmWorld, startLlmWorld } from "../../llm/world.ts";
import { startToolServer, type ToolServer } from "../../servers/tool-server.ts";
import { fill } from "../../use-world.ts";
import { type Chat, newChat } from "./ai-chat.ts";
import { giveTool } from "./tools.ts";

/** A world with a simulated provider and a server of tools, and chats with an agent that may call them. */
export type ToolWorld = Omit<LlmWorld, "stop"> & {
  server: ToolServer;
  /** A chat with an agent that has a tool; `more` are fields of the tool, `agent` those of the agent. */
  chat(more?: Record<string, unknown>, agent?: object): Promise<Chat & { toolId: string }>;
  /** What the tools of the provider's last request answered, without the marks around it. */
  toolAnswers(): string[];
};

/** The calls that the transcript shows for the contact's last turn. */
export const shownCalls = async (chat: Chat, from?: string): Promise<any[]> =>
  (await chat.turns(from)).findLast(({ role }: any) => role === "USER")?.toolCalls ?? [];

export const useToolWorld = (): ToolWorld => {
  const s = { w: {}, llm: {}, server: {} } as Pick<ToolWorld, "w" | "llm" | "server">;
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const started = await startLlmWorld({ logLevel: "debug" });
    const server = startToolServer();
    fill(s.w, started.w);
    fill(s.llm, started.llm);
    fill(s.server, server);
    stops.push(started.stop, server.stop);
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });
  beforeEach(async () => {
    await s.w.settle();
    s.llm.reset();
    s.server.reset();
  });
  return {
    ...s,
    async chat(more = {}, agent = {}) {
      const chat = await newChat(s, agent);
      const { status, body, text } = await giveTool(s.w, chat, { url: s.server.url, ...more });
      if (status !== 201) throw new Error(`the tool was not made: ${status} ${text}`);
      return { ...chat, toolId: body.id };
    },
    toolAnswers: () =>
      s.llm
        .chats()
        .at(-1)
        ?.body.messages.filter(({ role }: any) => role === "tool")
        .map(({ content }: any) => content.split("\n").slice(1, -1).join("\n")) ?? [],
  };
};
