import { AppError } from "../../../kernel/errors.ts";
import type { Asked } from "./endpoint.ts";

const REFUSALS: readonly string[] = ["LOGIN_REFUSED", "SECOND_STEP_REFUSED", "TOO_MANY_GUESSES"];

/** Counts a step of a sign-in as a metric, by its outcome. Passes on its result or its refusal. */
export const countSignIn = async <Result>(
  { env: { metrics } }: Pick<Asked, "env">,
  step: Promise<Result>,
  outcomeOf: (result: Result) => "signed-in" | "second",
): Promise<Result> => {
  try {
    const result = await step;
    metrics.count("recado_console_sign_ins_total", { outcome: outcomeOf(result) });
    return result;
  } catch (thrown) {
    if (thrown instanceof AppError && REFUSALS.includes(thrown.code))
      metrics.count("recado_console_sign_ins_total", { outcome: "refused" });
    throw thrown;
  }
};
