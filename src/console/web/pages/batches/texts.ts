import { catalogue, counted } from "../../frame/texts/languages.ts";
import type { Fault } from "./mapping.ts";
import { es } from "./texts-es.ts";
import { pt } from "./texts-pt.ts";

const en = {
  lead: "One message to many people, from a CSV file, at a pace that the network accepts.",
  make: "New batch",
  empty: "No batches yet",
  emptyHint: "Choose a CSV file with telephone numbers, write the message once, and follow every delivery here.",
  noneFound: "No batch fits these filters",
  noPhones: "Add a phone first",
  noPhonesHint: "A batch is sent through one of the account's phones.",
  name: "Name",
  nameHint: "For your own people: recipients do not see it.",
  draftKept: "The batch that you began is still here.",
  startOver: "Begin anew",
  unnamed: (time: string) => `Batch of ${time}`,
  phone: "Phone",
  state: "State",
  progress: "Progress",
  made: "Made",
  states: {
    all: "All",
    QUEUED: "Waiting",
    RUNNING: "Sending",
    COMPLETED: "Completed",
    FAILED: "Failed",
    CANCELLED: "Cancelled",
    paused: "Paused",
    planned: "Planned",
    closed: "Outside business hours",
    away: "Phone not connected",
  },
  file: {
    title: "1. The file",
    hint: "A CSV file or an Excel workbook (.xlsx) with a column of telephone numbers. Other columns become variables of the message.",
    choose: "Choose a CSV file or a workbook",
    drop: "or drop it here",
    other: "Choose another file",
    summary: (name: string, lines: string, encoding: string) => `${name}: ${lines}, ${encoding}`,
    lines: (count: number) => counted(count, { one: "line", other: "lines" }),
    sheet: (name: string) => `sheet ${name}`,
    sheetChoice: "Sheet",
    separator: "Separator",
    separators: { ",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Bar" },
    head: "The first line has the names of the columns",
    country: "Country code for numbers without one",
    countryHint: "Digits, such as 1 or 55. Empty: every number has its own.",
    columns: "Columns",
    role: (column: string) => `Use of the column ${column}`,
    roles: { number: "Telephone number", variable: "Variable", unused: "Not used" },
    variable: (column: string) => `Name of the variable of the column ${column}`,
    titles: (text: string) => `Above the table, and not sent to: ${text}`,
    openQuote: (line: string) =>
      `The quotation mark in line ${line} is never closed, so everything behind it is one cell. Correct the file and choose it again.`,
    tooMany: (most: string) => `A batch has at most ${most} recipients. Split the file.`,
    empty: "The file has no lines.",
    noNumbers: "No column has telephone numbers. Choose the column that has them.",
    unreadable: "The file could not be read.",
    refused: {
      old: "This is a file of an old format, such as .xls: save it as .xlsx in your spreadsheet, and choose that file.",
      ods: "This is an OpenDocument workbook (.ods): save it as .xlsx in your spreadsheet, and choose that file.",
      encrypted: "A password protects this workbook: save it without one, and choose that file.",
      archive:
        "This is an archive, such as a .zip or a workbook of Numbers: export it as .xlsx or CSV, and choose that file.",
      page: "This is a web page or XML under another name: open it in your spreadsheet, save it as .xlsx, and choose that file.",
      other:
        "This is not a table. Choose a CSV file or a workbook (.xlsx) that a spreadsheet or an address book has exported.",
      large: "This workbook is too large: at most 10 MB are read. Delete its pictures and other sheets, or split it.",
      long: "This workbook is too long: a sheet may have 50,000 rows, and all sheets together 200,000. Split it.",
      broken:
        "This workbook could not be read. Save it again as .xlsx or CSV in your spreadsheet, and choose that file.",
    },
  },
  faults: {
    good: (count: number) => counted(count, { one: "line can be sent", other: "lines can be sent" }),
    all: "Every line can be sent.",
    bad: (count: number) => counted(count, { one: "line is left out", other: "lines are left out" }),
    list: "Lines that are left out",
    more: (count: string) => `and ${count} more: download them to see all`,
    download: "Download these lines",
    line: (line: string) => `Line ${line}`,
    text(fault: Fault): string {
      switch (fault.is) {
        case "empty":
          return "has no number";
        case "number":
          return `“${fault.cell}” is not a telephone number`;
        case "several":
          return `“${fault.cell}” has more than one number: leave one`;
        case "date":
          return `“${fault.cell}” is a date`;
        case "taxpayer":
          return `“${fault.cell}” is a CPF or CNPJ, not a telephone number`;
        case "unknown":
          return fault.country === ""
            ? `“${fault.cell}” is not a telephone number with a country code`
            : `“${fault.cell}” is not a number of +${fault.country}: check its area code and its digits. Numbers of other countries begin with +`;
        case "unclear":
          return `“${fault.cell}” can be read as two numbers: write it with + and its country code`;
        case "shortened":
          return `“${fault.cell}” was shortened by a spreadsheet: format the column as text and export it again`;
        case "duplicate":
          return `“${fault.cell}” is already in line ${fault.of}`;
        default:
          return `“${fault.cell}” has no value for {{${fault.variable}}}`;
      }
    },
    reason: "Reason",
  },
  message: {
    title: "2. The message",
    kind: "Kind of message",
    text: "Text",
    template: "Template",
    write: "Text of the message",
    writeHint: "*bold*, _italic_, ~struck~. Click a variable to insert it.",
    insert: (name: string) => `Insert the variable ${name}`,
    window: "More than 24 hours after a person's last message, this network delivers only approved templates.",
    unknown: (names: string, known: string) =>
      `The file has no column for ${names}.${known === "" ? "" : ` It has: ${known}.`}`,
    chooseTemplate: "Template",
    noTemplates: "This phone has no approved template yet.",
    toTemplates: "Make a template",
    valueHint: "A text, or a variable such as {{name}}",
    preview: "Preview",
    previewOf: (line: string) => `Preview for line ${line}`,
    before: "Line before",
    after: "Next line",
  },
  send: {
    title: "3. Sending",
    pace: "Pace",
    paces: (perMinute: string) => `${perMinute} per minute`,
    perHour: (count: string) => `${count} per hour`,
    when: "Start",
    respectHours: "Only during business hours",
    now: "Now",
    later: "At a time",
    at: "Time of the start",
    plan: (messages: string, span: string) => `${messages}, in about ${span}.`,
    messages: (count: number) => counted(count, { one: "message", other: "messages" }),
    ends: (time: string) => `It ends at about ${time}.`,
    tryIt: "Dry run",
    tried: (valid: string) => `The server has checked it: ${valid} would be sent. Nothing was sent.`,
    cost: (amount: string) => `It would cost about ${amount} by today's price list.`,
    unrated: (messages: string) => `${messages} have no known price and are not in it.`,
    forecast: {
      refused: "The server would refuse this batch. Nothing was sent.",
      latest: (time: string) =>
        `If everybody is new to the phone, its daily limit of new chats makes the batch last until ${time}.`,
      country: (country: string, messages: string, amount: string) => `${country}: ${messages}, ${amount}`,
      reasons: {
        RECIPIENT_INVALID: (count: string) => `${count} have no usable number.`,
        DUPLICATE_RECIPIENT: (count: string) => `${count} are in the file twice.`,
        TEMPLATE_NOT_APPROVED: () => "The network has not approved the template.",
        ANSWER_WINDOW_CLOSED: (count: string) =>
          `${count} have not written lately: the network takes only a template for them.`,
        RECIPIENT_OPTED_OUT: (count: string) => `${count} want answers alone, and get no message.`,
        DAY_LIMIT_REACHED: (count: string) => `The plan's daily limit is exceeded by ${count}.`,
        NEW_PEOPLE_LIMIT_REACHED: (count: string) =>
          `The network's limit of new people in 24 hours is exceeded by ${count}.`,
        BATCH_LIMIT_REACHED: () => "The phone already runs three batches, the maximum.",
      },
    },
    ask: {
      title: "Start this batch?",
      planTitle: "Plan this batch?",
      to: "To",
      people: (count: number) => counted(count, { one: "person", other: "people" }),
      from: "From",
      takes: "Takes",
      about: (span: string, end: string) => `about ${span}, until about ${end}`,
      starts: "Starts",
      costs: "Costs",
      free: "Nothing: this network does not charge for messages",
      amount: (amount: string) => `about ${amount} by today's price list`,
      banRisk:
        "WhatsApp may block a number that writes to many people who do not know it. Send only to people who expect this message.",
      yes: (people: string) => `Send to ${people}`,
      planYes: (people: string) => `Plan for ${people}`,
    },
    start: "Start the batch",
    planIt: "Plan the batch",
    making: (done: string, all: string) => `Handing over ${done} of ${all} recipients`,
    undone: "It was not possible to hand over all recipients. The batch was cancelled, and nothing was sent.",
    missing: {
      file: "Choose a file with at least one valid line.",
      variable: "Correct the message: it uses a variable that the file does not have.",
      phone: "Choose a phone.",
      text: "Write the message.",
      template: "Choose a template and give its values.",
      fallback: "Complete what the other phone sends, or switch it off.",
      time: "Choose a time in the future.",
    },
  },
  one: {
    pause: "Pause",
    resume: "Resume",
    cancel: "Cancel the batch",
    cancelTitle: "Cancel this batch?",
    cancelText: (pending: string) =>
      `${pending} are not sent, and this batch cannot send them later. Sent messages stay sent.`,
    cancelled: "The batch is cancelled.",
    sent: "Sent",
    failed: "Failed",
    pending: "Waiting",
    cancelledCount: "Cancelled",
    rate: "Per minute",
    end: "Expected end",
    started: "Started",
    ended: "Ended",
    planned: "Starts",
    opens: "Goes on",
    awayHint: (since: string) =>
      `The phone has not been connected since ${since}. The batch continues when the phone connects, and fails after 24 hours.`,
    toPhone: "See the phone",
    message: "Message",
    recipients: "Recipients",
    recipient: "Recipient",
    reason: "Reason",
    values: "Values",
    none: "No recipient is in this state",
    download: "Download as CSV",
    states: { PENDING: "Waiting", QUEUED: "On its way", SENT: "Sent", FAILED: "Failed", CANCELLED: "Cancelled" },
    arrived: { QUEUED: "On its way", SENT: "Sent", DELIVERED: "Delivered", READ: "Read", FAILED: "Failed" },
    progress: "Progress of the batch",
  },
};

export const batchesTexts = catalogue({ en, pt, es });
