type Result = { delivered: boolean; statusCode: number | null };

/** The verdict of two tests on an endpoint: one with the right signature, one with a wrong one. */
export const verdictOf = ({
  right,
  wrong,
}: {
  right: Result;
  wrong: Result;
}): "good" | "unsafe" | "failing" | "closed" => {
  if (right.delivered) return wrong.delivered ? "unsafe" : "good";
  const isRefused = right.statusCode === 401 || right.statusCode === 403;
  return isRefused ? "closed" : "failing";
};
