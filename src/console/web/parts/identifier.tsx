import { CopyLine } from "./copy.tsx";

/** An id with its name above, because it needs the whole width. */
export const Identifier = ({ name, value }: { name: string; value: string }) => (
  <div class="identifier">
    <p class="small soft">{name}</p>
    <CopyLine text={value} />
  </div>
);
