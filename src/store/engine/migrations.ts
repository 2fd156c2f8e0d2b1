import m0 from "../../../migrations/0000_baseline.sql" with { type: "text" };
import m1 from "../../../migrations/0001_networks_of_2026.sql" with { type: "text" };
import m2 from "../../../migrations/0002_apis_as_a_product.sql" with { type: "text" };
import m3 from "../../../migrations/0003_the_console.sql" with { type: "text" };
import m4 from "../../../migrations/0004_arrive_and_stay.sql" with { type: "text" };
import m5 from "../../../migrations/0005_nothing_vanishes.sql" with { type: "text" };
import m6 from "../../../migrations/0006_request_ids.sql" with { type: "text" };
import m7 from "../../../migrations/0007_unanswered_turns.sql" with { type: "text" };
import m8 from "../../../migrations/0008_documents_embedding_model.sql" with { type: "text" };
import m9 from "../../../migrations/0009_agent_tools.sql" with { type: "text" };
import m10 from "../../../migrations/0010_senses_of_agents.sql" with { type: "text" };
import m11 from "../../../migrations/0011_trials.sql" with { type: "text" };
import m12 from "../../../migrations/0012_files_of_templates.sql" with { type: "text" };
import m13 from "../../../migrations/0013_embedding_provider.sql" with { type: "text" };
import m14 from "../../../migrations/0014_scheduled_files.sql" with { type: "text" };
import m15 from "../../../migrations/0015_templates_listed_at.sql" with { type: "text" };
import m16 from "../../../migrations/0016_envelope_heads.sql" with { type: "text" };
import m17 from "../../../migrations/0017_contact_opt_outs.sql" with { type: "text" };
import m18 from "../../../migrations/0018_send_options.sql" with { type: "text" };
import m19 from "../../../migrations/0019_answers.sql" with { type: "text" };
import m20 from "../../../migrations/0020_template_max_price.sql" with { type: "text" };
import m21 from "../../../migrations/0021_trial_tools.sql" with { type: "text" };
import m22 from "../../../migrations/0022_group_communities.sql" with { type: "text" };
import m23 from "../../../migrations/0023_chat_states.sql" with { type: "text" };
import m24 from "../../../migrations/0024_nested_files.sql" with { type: "text" };
import m25 from "../../../migrations/0025_chatwoot.sql" with { type: "text" };
import m26 from "../../../migrations/0026_history_imports.sql" with { type: "text" };
import m27 from "../../../migrations/0027_chat_work.sql" with { type: "text" };
import m28 from "../../../migrations/0028_message_labels.sql" with { type: "text" };
import m29 from "../../../migrations/0029_canned_replies.sql" with { type: "text" };

/** Every migration, oldest first; written by scripts/new-migration.ts. */
export const MIGRATIONS: readonly { tag: string; sql: string }[] = [
  { tag: "0000_baseline", sql: m0 },
  { tag: "0001_networks_of_2026", sql: m1 },
  { tag: "0002_apis_as_a_product", sql: m2 },
  { tag: "0003_the_console", sql: m3 },
  { tag: "0004_arrive_and_stay", sql: m4 },
  { tag: "0005_nothing_vanishes", sql: m5 },
  { tag: "0006_request_ids", sql: m6 },
  { tag: "0007_unanswered_turns", sql: m7 },
  { tag: "0008_documents_embedding_model", sql: m8 },
  { tag: "0009_agent_tools", sql: m9 },
  { tag: "0010_senses_of_agents", sql: m10 },
  { tag: "0011_trials", sql: m11 },
  { tag: "0012_files_of_templates", sql: m12 },
  { tag: "0013_embedding_provider", sql: m13 },
  { tag: "0014_scheduled_files", sql: m14 },
  { tag: "0015_templates_listed_at", sql: m15 },
  { tag: "0016_envelope_heads", sql: m16 },
  { tag: "0017_contact_opt_outs", sql: m17 },
  { tag: "0018_send_options", sql: m18 },
  { tag: "0019_answers", sql: m19 },
  { tag: "0020_template_max_price", sql: m20 },
  { tag: "0021_trial_tools", sql: m21 },
  { tag: "0022_group_communities", sql: m22 },
  { tag: "0023_chat_states", sql: m23 },
  { tag: "0024_nested_files", sql: m24 },
  { tag: "0025_chatwoot", sql: m25 },
  { tag: "0026_history_imports", sql: m26 },
  { tag: "0027_chat_work", sql: m27 },
  { tag: "0028_message_labels", sql: m28 },
  { tag: "0029_canned_replies", sql: m29 },
];
