import { lazily } from "../../../kernel/async.ts";
import { invalid } from "../../../kernel/errors.ts";
import { sourceOf } from "../../../kernel/network/client-address.ts";
import { issue } from "../../../kernel/schema.ts";
import type { TenancyEnv } from "../env.ts";
import type { Visitor } from "./sessions.ts";

/**
 * A new password. `isHeldToList`: whether the commonest passwords are refused, as for operators and in the console.
 * `RECADO_PASSWORDS=strong` refuses them everywhere. `names`: the institution's names, which are as easily guessed.
 */
export type NewPassword = { password: string; isHeldToList: boolean; names?: readonly string[]; field?: string };

const PRODUCT = "Recado";
/** Shorter names are part of too many good passwords. */
const MIN_NAME = 3;

/** The list is loaded with the first new password. */
const commonPasswords = lazily(async (): Promise<ReadonlySet<string>> => {
  const { default: common } = await import("./common-passwords.json", { with: { type: "json" } });
  return new Set(common.passwords.split(" "));
});

/** Whether each character follows the previous one by the same step: `aaaaaaaa`, `23456789`, `hgfedcba`. */
const isRun = (password: string): boolean => {
  const steps = new Set<number>();
  for (let n = 1; n < password.length; n++) steps.add(password.charCodeAt(n) - password.charCodeAt(n - 1));
  const [step = 2] = steps;
  return steps.size === 1 && Math.abs(step) <= 1;
};

const lettersOf = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, "");

/** Whether a password is a name with digits and signs: `Recado2026!`. */
const isName = (password: string, name: string): boolean => {
  const [letters, own] = [lettersOf(password), lettersOf(name)];
  return own.length >= MIN_NAME && letters.length > 0 && letters.replaceAll(own, "") === "";
};

/** Whether a password is among the first that an attacker would try. */
export const isCommonPassword = async (password: string, names: readonly string[] = []): Promise<boolean> => {
  const plain = password.normalize("NFKC").toLowerCase();
  return (
    (await commonPasswords()).has(plain) || isRun(plain) || [PRODUCT, ...names].some((name) => isName(password, name))
  );
};

/**
 * The hash of a new password.
 * @throws AppError VALIDATION for one of the commonest passwords if they are refused, OVERLOADED.
 */
export const hashNewPassword = async (
  env: Pick<TenancyEnv, "config" | "passwords">,
  { password, isHeldToList, names = [], field = "password" }: NewPassword,
  { address }: Pick<Visitor, "address">,
): Promise<string> => {
  if ((isHeldToList || env.config.passwords === "strong") && (await isCommonPassword(password, names)))
    throw invalid(issue(field, "forbidden", "is too easy to guess; choose another"));
  return env.passwords.hash(sourceOf(address), password);
};
