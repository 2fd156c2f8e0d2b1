/** Redirects to a URL that expires; the response must not be cached. */
export const redirectTo = (location: string): Response =>
  new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
