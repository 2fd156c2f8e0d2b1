ALTER TABLE `agents` ADD `transcribes_voice` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `speaks` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `voice` text;--> statement-breakpoint
ALTER TABLE `agents` ADD `sees_images` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `sees_documents` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `llm_settings` ADD `transcription_model` text;--> statement-breakpoint
ALTER TABLE `llm_settings` ADD `transcription_language` text;--> statement-breakpoint
ALTER TABLE `llm_settings` ADD `speech_model` text;