type Faults = Readonly<Record<string, readonly string[]>>;

/**
 * The faults of a refusal at the fields of a form. The API names a part of an object before its fault: `content` with
 * "options.1 is an option already" belongs to the field `content.options.1`, if the form has it.
 */
export const faultsAtFields = (refused: Faults, isField: (name: string) => boolean): Record<string, string[]> => {
  const placed: Record<string, string[]> = {};
  for (const [name, said] of Object.entries(refused))
    for (const fault of said) {
      const [part = ""] = fault.split(" ", 1);
      const isOfPart = !isField(name) && isField(`${name}.${part}`);
      const [field, text] = isOfPart ? [`${name}.${part}`, fault.slice(part.length + 1)] : [name, fault];
      (placed[field] ??= []).push(text);
    }
  return placed;
};
