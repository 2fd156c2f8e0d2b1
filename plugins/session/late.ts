type Call = (...args: never[]) => Promise<unknown>;

/** The calls of an API that is loaded with the first of them. */
export const late = <Api, Name extends keyof Api & string>(
  load: () => Promise<Api>,
  names: readonly Name[],
): Required<Pick<Api, Name>> => {
  const call =
    (name: Name) =>
    async (...args: never[]) =>
      ((await load())[name] as Call)(...args);
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Required<Pick<Api, Name>>;
};
