type Node = { pattern?: string; words: Map<string, Node>; any?: Node };

const newNode = (): Node => ({ words: new Map() });

const childFor = (node: Node, segment: string): Node => {
  if (segment.startsWith(":")) return (node.any ??= newNode());
  const known = node.words.get(segment) ?? newNode();
  node.words.set(segment, known);
  return known;
};

const find = (node: Node, segments: readonly string[], at: number): string | undefined => {
  const segment = segments[at];
  if (segment === undefined) return node.pattern;
  const word = node.words.get(segment);
  return (word && find(word, segments, at + 1)) ?? (node.any && segment !== "" ? find(node.any, segments, at + 1) : undefined);
};

/**
 * Tells by which pattern (`/v1/messages/:id`) a path below `prefix` is routed, whatever the method: a wrong method is not a wrong path. Undefined where there is
 * no such route. A word goes before a parameter; a slash at the end says nothing.
 */
export const routePatterns = (routes: readonly { path: string }[], prefix: string): ((pathname: string) => string | undefined) => {
  const root = newNode();
  const segmentsOf = (path: string): string[] => path.slice(prefix.length).replace(/\/$/, "").split("/").slice(1);
  for (const { path } of routes) {
    const segments = segmentsOf(path);
    segments.reduce(childFor, root).pattern = `/${segments.join("/")}`;
  }
  return (pathname) => find(root, segmentsOf(pathname), 0);
};
