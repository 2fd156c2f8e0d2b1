ALTER TABLE `llm_settings` ADD `embedding_base_url` text;--> statement-breakpoint
ALTER TABLE `llm_settings` ADD `embedding_key` text;--> statement-breakpoint
ALTER TABLE `llm_settings` ADD `embedding_key_hint` text;