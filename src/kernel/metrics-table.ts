/**
 * A metric: its help text and its labels. A label has few values, all known in advance: never a phone, a tenant, a
 * person or an address.
 */
export type Figure = { help: string; labels: readonly string[] };
/** A histogram, with the upper bounds of its buckets. */
export type Distribution = Figure & { buckets: readonly number[] };

/** Buckets in seconds, from a fast request to a network timeout. */
const SHORT = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10] as const;
const LONG = [0.05, 0.25, 1, 5, 15, 60, 300, 1800, 7200] as const;
const DISK = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 1] as const;

/** TABLE: the counters. */
export const COUNTERS = {
  recado_messages_accepted_total: {
    help: "Messages accepted to be sent, by kind of channel and type of message.",
    labels: ["kind", "type"],
  },
  recado_send_attempts_total: {
    help: "Tries to hand a message to its network. refused and unknown are final for a try, retry is made again.",
    labels: ["kind", "outcome"],
  },
  recado_upstream_events_total: {
    help: "Events of networks: received is a message, receipt a status of a sent one.",
    labels: ["kind", "event"],
  },
  recado_link_endings_total: {
    help: "Connections to networks that ended, by what their end asks for; retry is an interruption.",
    labels: ["kind", "reason"],
  },
  recado_unknown_received_total: {
    help: "What networks sent and Recado does not know, by a name of the network's. At most 100 names of a process; the others count as other.",
    labels: ["kind", "what"],
  },
  recado_job_runs_total: {
    help: "Runs of background jobs. retried and snoozed run again later, the latter without counting as an attempt; failed is a fault of ours, discarded a job that was given up.",
    labels: ["name", "outcome"],
  },
  recado_adapter_faults_total: {
    help: "What loaded adapters did against their contract: threw, hung, malformed (a value of another shape), flooded, strayed (a request to a host that it does not declare), blocked (the event loop stood still for over a second) or bloated (over 200 MB more memory).",
    labels: ["plugin", "fault"],
  },
  recado_media_downloads_total: {
    help: "Tries to fetch the file of a message from its network.",
    labels: ["kind", "outcome"],
  },
  recado_media_stored_bytes_total: { help: "Bytes of files that were stored.", labels: [] },
  recado_llm_calls_refused_total: {
    help: "Calls to language models that were not made because a budget of the day was used up.",
    labels: ["budget"],
  },
  recado_agent_tool_calls_total: {
    help: "Calls of tools that agents made, by the source of the tool and what became of the call.",
    labels: ["kind", "outcome"],
  },
  recado_mails_total: { help: "Mails handed to the mail server.", labels: ["outcome"] },
  recado_limit_refusals_total: {
    help: "What was refused because a user, an account, a channel or an agent has as much as it may.",
    labels: ["collection"],
  },
  recado_rate_limited_total: { help: "Requests that were answered 429.", labels: ["api"] },
  recado_log_lines_total: { help: "Lines of the log that are warnings or errors.", labels: ["level"] },
  recado_console_sign_ins_total: {
    help: "Sign-ins to the console. second: the password was right, and a second step follows; refused: a wrong password or step, or too many guesses.",
    labels: ["outcome"],
  },
  recado_console_requests_total: {
    help: "Requests of signed-in people through the console's doors to the APIs; refused: without a session, or from elsewhere.",
    labels: ["door", "outcome"],
  },
  recado_backup_runs_total: { help: "Backups that were made, or failed.", labels: ["outcome"] },
} as const satisfies Record<string, Figure>;

/** The series that begin at zero, because an alert cannot see the increase of a series that does not exist yet. */
export const FROM_ZERO = [
  ["recado_log_lines_total", { level: "warn" }],
  ["recado_log_lines_total", { level: "error" }],
  ["recado_backup_runs_total", { outcome: "failed" }],
  ["recado_console_sign_ins_total", { outcome: "refused" }],
] as const satisfies readonly (readonly [keyof typeof COUNTERS, Record<string, string>])[];

/** TABLE: the histograms. */
export const DISTRIBUTIONS = {
  recado_http_request_duration_seconds: {
    help: "Requests, until the answer begins, by the route's pattern and the class of the status.",
    labels: ["api", "route", "method", "status"],
    buckets: SHORT,
  },
  recado_message_sending_seconds: {
    help: "From a message's acceptance until its network has taken it.",
    labels: ["kind"],
    buckets: LONG,
  },
  recado_delivery_lag_seconds: {
    help: "From an event to the first try to deliver it.",
    labels: ["api"],
    buckets: LONG,
  },
  recado_delivery_duration_seconds: {
    help: "Tries to deliver an event. outcome is delivered or what went wrong; blocked: the address may not be reached.",
    labels: ["api", "outcome"],
    buckets: SHORT,
  },
  recado_outbound_request_duration_seconds: {
    help: "HTTP requests to others, by what they are for. outcome is the class of the status, or why there was no answer.",
    labels: ["peer", "outcome"],
    buckets: SHORT,
  },
  recado_write_group_size: {
    help: "Writes that shared a transaction.",
    labels: [],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 512],
  },
  recado_write_commit_seconds: {
    help: "From when the first write of a transaction was asked for until it was committed.",
    labels: [],
    buckets: DISK,
  },
  recado_disk_sync_seconds: { help: "How long the disk took to make transactions durable.", labels: [], buckets: DISK },
} as const satisfies Record<string, Distribution>;

/** TABLE: the gauges, read at each scrape. The help text names the bound of a bounded count. */
export const GAUGES = {
  recado_build_info: { help: "Always 1; the labels say which program this is.", labels: ["version", "commit"] },
  recado_database_up: {
    help: "1 when the database answered; without it the gauges of its contents are missing.",
    labels: [],
  },
  recado_channels: { help: "Channels by kind and state.", labels: ["kind", "state"] },
  recado_channels_lost: {
    help: "Channels whose connection the network ended, not their owner, and that have not come back, among the 1000 disconnected last.",
    labels: ["kind"],
  },
  recado_client_expires_timestamp_seconds: {
    help: "When the network stops accepting the client version in use; left out while it has named no date.",
    labels: ["kind"],
  },
  recado_session_silence_seconds: {
    help: "Time since the last data on an open session connection, the longest of all sessions.",
    labels: [],
  },
  recado_jobs_waiting: { help: "Jobs that wait, due or not; at most 10000.", labels: [] },
  recado_jobs_running: { help: "Jobs that run in this process.", labels: [] },
  recado_request_body_bytes: { help: "Bytes of request bodies that are held in memory.", labels: [] },
  recado_job_oldest_due_seconds: { help: "How long the job that could run has been due for longest.", labels: [] },
  recado_discarded_jobs: { help: "Jobs that were discarded in the last seven days; at most 10000.", labels: [] },
  recado_queues_due: { help: "Queues with a job that could run now; at most 10000.", labels: [] },
  recado_queues_paused: {
    help: "Queues that are paused. endpoint: the webhook's breaker is open; channel: its pace, or it is not connected. At most 1000 in all.",
    labels: ["queue"],
  },
  recado_deliveries_pending: { help: "Deliveries under way or waiting for their next try; at most 10000.", labels: [] },
  recado_dead_letters: { help: "Deliveries in the dead-letter store; at most 10000.", labels: [] },
  recado_limit: {
    help: "How much a user, an account, a channel or an agent may have at most.",
    labels: ["collection"],
  },
  recado_largest_account: { help: "The most that any account has.", labels: ["collection"] },
  recado_write_queue_length: { help: "Writes that waited when the last transaction ended.", labels: [] },
  recado_database_bytes: { help: "Size of the database file.", labels: [] },
  recado_wal_bytes: { help: "Size of the database's write-ahead log.", labels: [] },
  recado_database_durable: {
    help: "1: an acknowledged write is on the disk of the database. 0: a loss of power there loses some. Left out if a server does not report it.",
    labels: [],
  },
  recado_disk_free_bytes: { help: "Free space on the disk of the data directory.", labels: [] },
  recado_table_rows: {
    help: "Rows of the database, about, by what they are of, as of the last hour.",
    labels: ["group"],
  },
  recado_table_rows_written_per_day: {
    help: "Rows written a day, by what they are of, over the last week at most.",
    labels: ["group"],
  },
  recado_database_growth_bytes_per_day: {
    help: "By how much the used part of the database grows a day, over the last week at most.",
    labels: [],
  },
  recado_disk_full_seconds: {
    help: "When the disk will be full if it fills as in the last week; left out while it does not fill.",
    labels: [],
  },
  recado_console_sessions: { help: "Open sessions of the console; at most 10000.", labels: [] },
  recado_stream_clients: {
    help: "Clients that follow the event stream of this process, the console's included.",
    labels: [],
  },
  recado_delivery_more_places: {
    help: "Deliveries that may run at once beyond 8 for each endpoint, because endpoints answer slowly; at most 256.",
    labels: [],
  },
  recado_nodes_alive: { help: "Nodes that serve this database, this one included.", labels: [] },
  recado_backup_last_success_timestamp_seconds: {
    help: "When the last good backup was made; 0 if none is known.",
    labels: [],
  },
  recado_backup_last_duration_seconds: { help: "How long the last good backup took.", labels: [] },
  recado_backup_last_size_bytes: { help: "Size of the last good backup.", labels: [] },
} as const satisfies Record<string, Figure>;
