/** The days in the order of a week that begins on Monday. */
export const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

type Times = { from: string; to: string }[];

/** `09:00-12:00, 13:00-18:00`. */
export const timesText = (times: readonly { from: string; to: string }[]): string =>
  times.map(({ from, to }) => `${from}-${to}`).join(", ");

/** A text that is no time is sent unchanged, and the server names its field. */
export const timesIn = (text: string): Times =>
  text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const [from = "", to = ""] = part.split(/[-–]/).map((time) => time.trim().padStart(5, "0"));
      return { from, to };
    });

/** A day per line, with its times behind it. */
export const datesText = (dates: readonly { date: string; times: readonly { from: string; to: string }[] }[]): string =>
  dates.map(({ date, times }) => `${date} ${timesText(times)}`.trim()).join("\n");

export const datesIn = (text: string): { date: string; times: Times }[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [date = "", ...times] = line.split(/\s+/);
      return { date, times: timesIn(times.join(" ")) };
    });
