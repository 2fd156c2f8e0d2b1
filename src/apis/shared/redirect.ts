/** Sends the client on to an address that is good for a while only, so that nobody may keep the answer. */
export const redirectTo = (location: string): Response =>
  new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
