/** TABLE: Recado's own tools of an agent, each switched on by its name. */
export const BUILT_IN_TOOLS = [
  "hand_over",
  "send_template",
  "send_file",
  "look_up_contact",
  "set_tag",
  "business_hours",
] as const;
export type BuiltInTool = (typeof BUILT_IN_TOOLS)[number];
