import { consoleHeaders } from "./people.ts";
import type { ConsoleStage } from "./use-console.ts";

/** A call of the admin API as the operator, through the door of the console. */
export const asOperator =
  (s: ConsoleStage) =>
  async (path: string, data: object): Promise<any> => {
    const { context } = await s.window.open({ person: s.people.operator });
    const url = `${s.server.consoleUrl}/gateway/v1/admin/${path}`;
    const answer = await context.request.post(url, { headers: consoleHeaders(s.server), data });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return answer.json();
  };
