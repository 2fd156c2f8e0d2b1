type Result = { delivered: boolean; statusCode: number | null };

/** What two tests, one signed rightly and one wrongly, say of an endpoint. */
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
