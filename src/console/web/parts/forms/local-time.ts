// Times in the form of the browser's field: in the person's zone, to the minute.

/** Such as "2026-11-23T14:05". */
export const localTime = (at: string | number | Date): string => {
  const moment = new Date(at);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** The moment of a field's value; undefined if the value is no time. */
export const momentOf = (value: string): Date | undefined => {
  const moment = new Date(value);
  return value === "" || Number.isNaN(moment.getTime()) ? undefined : moment;
};

/** The person's zone, such as "America/Sao_Paulo (GMT-3)". */
export const zoneName = (at: Date = new Date()): string => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "shortOffset" }).formatToParts(at);
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  return `${timeZone.replaceAll("_", " ")} (${offset})`;
};
