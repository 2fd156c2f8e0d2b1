/** Tells whether a request's path belongs to a route, whatever its method: a wrong method is not a wrong path. */
export const knownPaths = (face: { routes: readonly { path: string }[] }): ((request: Request) => boolean) => {
  const patterns = new Set(
    face.routes.map(({ path }) =>
      path
        .replace(/\/$/, "")
        .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
        .replace(/:\w+/g, "[^/]+"),
    ),
  );
  const known = new RegExp(`^(?:${[...patterns].join("|")})/?$`);
  return (request) => known.test(new URL(request.url).pathname);
};
