CREATE TABLE `agent_tools` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`parameters` text NOT NULL,
	`url` text NOT NULL,
	`secret` text NOT NULL,
	`headers` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `agent_tools_by_name` ON `agent_tools` (`channel_id`,`name`);--> statement-breakpoint
CREATE TABLE `ai_tool_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`turn_id` text NOT NULL,
	`call_key` text NOT NULL,
	`tool` text NOT NULL,
	`kind` text NOT NULL,
	`arguments` text NOT NULL,
	`outcome` text NOT NULL,
	`answer` text NOT NULL,
	`http_status` integer,
	`duration_ms` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `ai_tool_calls_by_turn` ON `ai_tool_calls` (`turn_id`,`call_key`);--> statement-breakpoint
CREATE INDEX `ai_tool_calls_by_conversation` ON `ai_tool_calls` (`conversation_id`,`id`);--> statement-breakpoint
DROP INDEX `documents_with_file`;--> statement-breakpoint
ALTER TABLE `documents` ADD `is_sendable` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `documents_with_file` ON `documents` ((source_ref)) WHERE source = 'OBJECT_FILE' AND (status IN ('PENDING', 'PROCESSING') OR is_sendable = 1) AND source_ref IS NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `built_in_tools` text DEFAULT '[]' NOT NULL;