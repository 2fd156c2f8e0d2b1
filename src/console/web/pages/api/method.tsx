const TONES: Readonly<Record<string, string>> = {
  GET: "info",
  POST: "good",
  PUT: "warning",
  PATCH: "warning",
  DELETE: "bad",
};

/** The method of a request, in its colour. */
export const Method = ({ method }: { method: string }) => (
  <span class={`method ${TONES[method] ?? "info"}`}>{method}</span>
);
