import { type Issue, issue } from "../../kernel/schema.ts";
import type { ListedCategory } from "../events.ts";

/** A template with this time to live sets no limit of its own: its messages wait at most 30 days for delivery. */
const UNLIMITED = -1;

/**
 * TABLE: the bounds of a template's time to live by category, in seconds:
 * https://developers.facebook.com/docs/whatsapp/business-management-api/message-templates/time-to-live
 */
const BOUNDS: Record<ListedCategory, { min: number; max: number; mayBeUnlimited: boolean }> = {
  AUTHENTICATION: { min: 30, max: 900, mayBeUnlimited: true },
  UTILITY: { min: 30, max: 43_200, mayBeUnlimited: true },
  MARKETING: { min: 43_200, max: 2_592_000, mayBeUnlimited: false },
  UNKNOWN: { min: 30, max: 2_592_000, mayBeUnlimited: true },
};

/** The issues of a time to live for a template of this category; empty if it fits or is absent. */
export const ttlIssues = (category: ListedCategory, seconds: number | undefined): Issue[] => {
  const { min, max, mayBeUnlimited } = BOUNDS[category];
  if (seconds === undefined || (seconds === UNLIMITED && mayBeUnlimited)) return [];
  if (seconds >= min && seconds <= max) return [];
  return [
    issue(
      "messageSendTtlSeconds",
      seconds < min ? "minimum" : "maximum",
      `must be ${min} to ${max}${mayBeUnlimited ? ", or -1 for 30 days" : ""} for a template of category ${category}`,
    ),
  ];
};
