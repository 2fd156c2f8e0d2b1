import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import { newNumericId } from "../ids.ts";
import type { TemplateSeed } from "../seeds.ts";
import type { State } from "../state.ts";
import type { Template } from "./model.ts";

/** The templates of an account that exist, in the order they were made. */
export const templatesOf = (state: State, businessAccountId: string): Template[] =>
  [...state.templates.values()].filter(
    (one) => one.businessAccountId === businessAccountId && one.status !== "DELETED",
  );

/** Whether the account ever had a template. */
export const hasTemplates = (state: State, businessAccountId: string): boolean => {
  for (const one of state.templates.values()) if (one.businessAccountId === businessAccountId) return true;
  return false;
};

/** The template of a name in a language, deleted ones aside. */
export const findTemplate = (
  state: State,
  businessAccountId: string,
  name: string,
  language: string,
): Template | undefined => {
  for (const one of state.templates.values())
    if (
      one.name === name &&
      one.language === language &&
      one.businessAccountId === businessAccountId &&
      one.status !== "DELETED"
    )
      return one;
  return undefined;
};

/**
 * Stores a template for a test, with an age of an hour. It replaces a template of the same name and language. Returns
 * its id.
 */
export const addTemplate = (
  state: State,
  { category = "UTILITY", status = "APPROVED", parameterFormat = "POSITIONAL", ...seed }: TemplateSeed,
): string => {
  const id = findTemplate(state, seed.businessAccountId, seed.name, seed.language)?.id ?? newNumericId(state.random);
  state.templates.set(id, {
    ...seed,
    category,
    status,
    parameterFormat,
    id,
    rejectedReason: "NONE",
    createdAt: state.clock.now() - HOUR_MS,
    editedAt: [],
    lockedUntil: 0,
  });
  return id;
};
