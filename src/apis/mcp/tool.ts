import type { Static, TObject } from "@sinclair/typebox";

export type Method = "GET" | "POST" | "DELETE";

/**
 * A request to the gateway API with the rights of one key. Resolves to the body of a 2xx.
 * @throws ToolRefused for any other answer
 */
export type Call = (
  method: Method,
  path: string,
  given?: { query?: Record<string, string | number | undefined>; body?: object },
) => Promise<unknown>;

/** A refusal of the API, as the model reads it. */
export class ToolRefused extends Error {
  readonly status: number;
  readonly answer: unknown;
  constructor(status: number, answer: unknown) {
    super(`the gateway answered ${status}`);
    this.status = status;
    this.answer = answer;
  }
}

/**
 * A tool of a model. `isSend`: it writes to people or changes something, and exists only if sends are allowed. `run`
 * gets input that its schema allows.
 */
export type Tool = {
  name: string;
  title: string;
  about: string;
  input: TObject;
  isSend: boolean;
  run(call: Call, input: Record<string, unknown>): Promise<unknown>;
};

/** Makes a tool whose `run` knows the type of its input. */
export const tool = <const Input extends TObject>(
  spec: Omit<Tool, "input" | "run"> & { input: Input; run(call: Call, input: Static<Input>): Promise<unknown> },
): Tool => ({ ...spec, run: (call, input) => spec.run(call, input) });

/** A path with ids in it. */
export const at = (parts: TemplateStringsArray, ...ids: readonly string[]): string =>
  String.raw({ raw: parts }, ...ids.map(encodeURIComponent));
