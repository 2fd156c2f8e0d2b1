import { errorOf } from "../../../../../clients/typescript/src/errors.ts";
import { href } from "../base.ts";
import { ownHeaders, session } from "../session.ts";
import { askProof, wantsProof } from "./proof.ts";

/**
 * Asks an endpoint of the console's own, such as `POST /sign-in`. If an act needs a fresh proof of identity, the person
 * gives it first.
 * @throws RecadoError for a refusal; TypeError when the server is not reached.
 */
export const askConsole = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
  const ask = () =>
    fetch(href(path), {
      method,
      headers: {
        ...ownHeaders(),
        accept: "application/json",
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const first = await ask();
  const answer = (await wantsProof(first)) && (await askProof()) ? await ask() : first;
  const text = await answer.text();
  if (answer.ok) return (text === "" ? undefined : JSON.parse(text)) as Answer;
  const error = errorOf(answer, text);
  if ((error.code as string) === "SESSION_REQUIRED") session.value = null;
  throw error;
};
