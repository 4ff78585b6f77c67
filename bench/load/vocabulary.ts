/** The words of synthetic catalogues: what workers of companies do, in the words that their authors use and in those of people who look for it. */

/** An object of a domain, and what somebody calls it who doesn't know the worker. */
export type Noun = readonly [name: string, called: string];

export interface Domain {
  readonly name: string;
  readonly objects: readonly Noun[];
}

const domain = (name: string, ...objects: Noun[]): Domain => ({ name, objects });

export const DOMAINS: readonly Domain[] = [
  domain(
    "billing",
    ["invoice", "bill"],
    ["payment", "money received"],
    ["refund", "money back"],
    ["subscription", "recurring plan"],
  ),
  domain("mail", ["message", "e-mail"], ["attachment", "enclosed file"], ["mailbox", "inbox"], ["signature", "closing lines"]),
  domain(
    "calendar",
    ["event", "appointment"],
    ["invitation", "meeting request"],
    ["reminder", "alarm"],
    ["availability", "free time"],
  ),
  domain(
    "storage",
    ["file", "document"],
    ["folder", "directory"],
    ["bucket", "container of objects"],
    ["snapshot", "point-in-time copy"],
  ),
  domain("deploy", ["release", "version"], ["rollout", "gradual release"], ["environment", "stage"], ["pipeline", "build chain"]),
  domain("monitor", ["alert", "warning"], ["dashboard", "overview page"], ["metric", "measured value"], ["incident", "outage"]),
  domain(
    "support",
    ["ticket", "customer request"],
    ["conversation", "chat with a customer"],
    ["macro", "canned answer"],
    ["escalation", "urgent case"],
  ),
  domain(
    "people",
    ["employee", "colleague"],
    ["vacation", "days off"],
    ["payslip", "salary statement"],
    ["onboarding", "first weeks"],
  ),
  domain("sales", ["lead", "prospect"], ["quote", "price offer"], ["contract", "agreement"], ["pipeline", "open deals"]),
  domain("shop", ["order", "purchase"], ["cart", "basket"], ["product", "article"], ["coupon", "discount code"]),
  domain(
    "logistics",
    ["shipment", "parcel"],
    ["route", "way of the truck"],
    ["warehouse", "stock room"],
    ["label", "sticker of a parcel"],
  ),
  domain("identity", ["account", "user"], ["role", "set of rights"], ["session", "login"], ["token", "access key"]),
  domain(
    "database",
    ["table", "relation"],
    ["query", "question to the data"],
    ["migration", "schema change"],
    ["backup", "safety copy"],
  ),
  domain(
    "analytics",
    ["report", "evaluation"],
    ["funnel", "conversion steps"],
    ["segment", "group of visitors"],
    ["experiment", "A/B test"],
  ),
  domain(
    "network",
    ["gateway", "entry point"],
    ["certificate", "TLS proof"],
    ["record", "DNS entry"],
    ["firewall", "packet filter"],
  ),
  domain("media", ["image", "picture"], ["video", "film"], ["transcript", "spoken words as text"], ["thumbnail", "small preview"]),
  domain(
    "translate",
    ["glossary", "list of terms"],
    ["text", "passage"],
    ["locale", "language of a region"],
    ["memory", "earlier translations"],
  ),
  domain(
    "survey",
    ["form", "questionnaire"],
    ["response", "answer"],
    ["panel", "group of participants"],
    ["score", "satisfaction number"],
  ),
  domain(
    "finance",
    ["budget", "planned spending"],
    ["expense", "spent money"],
    ["ledger", "book of accounts"],
    ["forecast", "outlook"],
  ),
  domain(
    "legal",
    ["clause", "paragraph"],
    ["consent", "permission of a person"],
    ["retention", "how long data is kept"],
    ["case", "dispute"],
  ),
  domain("fleet", ["vehicle", "car"], ["driver", "person at the wheel"], ["trip", "journey"], ["maintenance", "repair visit"]),
  domain("energy", ["meter", "counter"], ["tariff", "price of power"], ["outage", "power cut"], ["inverter", "solar converter"]),
  domain(
    "clinic",
    ["patient", "sick person"],
    ["prescription", "medicine order"],
    ["referral", "transfer to a specialist"],
    ["vaccination", "shot"],
  ),
  domain("school", ["course", "class"], ["grade", "mark"], ["timetable", "lesson plan"], ["assignment", "homework"]),
  domain(
    "code",
    ["repository", "source project"],
    ["branch", "line of work"],
    ["review", "second look"],
    ["commit", "recorded change"],
  ),
  domain(
    "queue",
    ["job", "background task"],
    ["topic", "stream of messages"],
    ["schedule", "timed run"],
    ["worker", "process that does the work"],
  ),
  domain("chat", ["channel", "room"], ["thread", "discussion"], ["mention", "ping of a person"], ["reaction", "emoji answer"]),
  domain("geo", ["address", "place"], ["boundary", "border of an area"], ["elevation", "height"], ["tile", "map square"]),
  domain(
    "weather",
    ["forecast", "weather of tomorrow"],
    ["station", "measuring site"],
    ["warning", "storm notice"],
    ["observation", "current weather"],
  ),
  domain(
    "travel",
    ["booking", "reservation"],
    ["flight", "plane"],
    ["hotel", "place to sleep"],
    ["itinerary", "plan of a journey"],
  ),
  domain(
    "press",
    ["article", "story"],
    ["headline", "title"],
    ["embargo", "date of publication"],
    ["newsletter", "regular mail to readers"],
  ),
  domain(
    "vault",
    ["secret", "password"],
    ["key", "encryption key"],
    ["policy", "rule of access"],
    ["lease", "time-limited access"],
  ),
];

export interface Verb {
  readonly name: string;
  /** As a description begins. */
  readonly does: string;
  /** As somebody asks. */
  readonly asked: string;
}

const verb = (name: string, does: string, asked: string): Verb => ({ name, does, asked });

export const VERBS: readonly Verb[] = [
  verb("create", "Creates", "add"),
  verb("get", "Returns", "look up"),
  verb("list", "Lists", "show all"),
  verb("update", "Updates", "change"),
  verb("delete", "Deletes", "remove"),
  verb("search", "Searches", "find"),
  verb("send", "Sends", "deliver"),
  verb("export", "Exports", "download"),
  verb("import", "Imports", "load"),
  verb("archive", "Archives", "put away"),
  verb("restore", "Restores", "bring back"),
  verb("approve", "Approves", "accept"),
  verb("reject", "Rejects", "turn down"),
  verb("assign", "Assigns", "hand over"),
  verb("merge", "Merges", "combine"),
  verb("compare", "Compares", "tell the difference of"),
  verb("validate", "Validates", "check"),
  verb("summarize", "Summarizes", "sum up"),
  verb("watch", "Watches", "be told of"),
  verb("cancel", "Cancels", "call off"),
  verb("duplicate", "Duplicates", "copy"),
  verb("rename", "Renames", "give another name to"),
  verb("lock", "Locks", "block"),
  verb("estimate", "Estimates", "guess the cost of"),
];

export const CIRCUMSTANCES: readonly string[] = [
  "by its identifier",
  "for one customer",
  "of a given period",
  "that matches a filter",
  "in the current workspace",
  "with all of its history",
  "across every region",
  "that was changed last",
  "of a whole team",
  "as a background job",
  "without notifying anyone",
  "before it expires",
  "with a reason for the audit log",
  "in several languages",
  "from a template",
  "page by page",
];

export const FURTHER: readonly string[] = [
  "Fails when the caller lacks the right to see it.",
  "The result is sorted by the time of the last change.",
  "Repeating the call with the same key has no further effect.",
  "Large results are cut and come with a cursor for the next page.",
  "Times are given in the time zone of the workspace.",
  "Dry runs answer what would happen and change nothing.",
  "Needs a connected account of the provider.",
  "Attachments are answered as links that expire after an hour.",
];

/** Names of arguments, and what their schema says of them. */
export const ARGUMENTS: readonly Noun[] = [
  ["limit", "Most entries in one answer."],
  ["cursor", "Where the last page ended."],
  ["since", "Only what was changed after this time."],
  ["until", "Only what was changed before this time."],
  ["owner", "Who is responsible for it."],
  ["workspace", "Whose data is meant; default is the caller's."],
  ["dry_run", "Answers what would be done and does nothing."],
  ["reason", "Shown in the audit log."],
  ["format", "One of json, csv and pdf."],
  ["locale", "Language of texts in the answer."],
  ["notify", "Whether people concerned get a message."],
  ["tags", "Free words to group things by."],
  ["priority", "From 1, which can wait, to 5."],
  ["currency", "Three letters, as in EUR."],
  ["timezone", "Name of the zone, as in Europe/Berlin."],
  ["idempotency_key", "Repetitions with the same key are one call."],
];

/** Made names of products consist of these: catalogues of companies are full of words that no dictionary has. */
export const SYLLABLES: readonly string[] = [
  ...[
    "ar",
    "bel",
    "cor",
    "dan",
    "el",
    "fir",
    "gal",
    "hex",
    "iv",
    "jun",
    "kor",
    "lum",
    "mer",
    "nov",
    "or",
    "pax",
    "quil",
    "ren",
    "sol",
  ],
  ...[
    "tri",
    "ul",
    "ver",
    "wil",
    "xan",
    "yor",
    "zen",
    "bri",
    "cal",
    "dor",
    "fen",
    "gri",
    "lo",
    "mi",
    "na",
    "pra",
    "ska",
    "tel",
    "vi",
  ],
];
