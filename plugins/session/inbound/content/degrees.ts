/** Whether it is a place on the globe: senders may write any number. `limit`: 90 for latitudes, 180 for longitudes. */
export const isDegrees = (value: number | null | undefined, limit: number): value is number =>
  typeof value === "number" && Math.abs(value) <= limit;
