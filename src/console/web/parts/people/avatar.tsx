import { initialsOf, tintOf } from "./contact-names.ts";

/** The letters of a name, in a tint that stays with the person. It adds nothing to the name beside it. */
export const Avatar = ({ name, of, isLarge = false }: { name: string; of: string; isLarge?: boolean }) => (
  <span class={`initials ${tintOf(of)} ${isLarge ? "large" : ""}`} aria-hidden="true">
    {initialsOf(name)}
  </span>
);
