/**
 * Memory by hippo: the brief in the system prompt, what the memory is sure of at a prompt, large outputs kept outside
 * the window, results that fade and can be fetched, and compaction: what is to be compacted goes to
 * `hippo compact --stdin`, and its answer is the summary. Where hippo is missing, fails or takes too long, Pi goes on
 * without it.
 */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname } from "node:path";

const PROGRAM: string[] = ["hippo"];
const LIMIT_MS = 30_000;
const HOOK_MS = 9_000;
const LATE = "no answer within";
const LARGEST = 16 * 1024 * 1024;
const LOUD = 4_000; // characters from which an output may be worth asking for
const READING = new Set(["read", "edit", "write", "ls", "grep", "find"]); // what they give is about to be worked on
const FADES_AFTER = 4; // answers of the model, after which a tool's result fades
const FADES_AT_ONCE = 16_000; // characters that have to come together: each fading costs the cache of the prompt
const KEPT = "Kept outside the window by hippo";
const LEAVES_AFTER = 16; // answers, after which of a faded result a line is left
const LEAVE_AT_ONCE = 8;
const FAILED = /Full output: ([^\n\]]+)\](\n\nCommand [\w ]+)$/; // of a command that failed, Pi says it in the text alone
const RECORD = "hippo-faded"; // what faded, in the session's own file: it outlasts a restart

interface Message {
	role?: string;
	timestamp?: number;
}

interface Preparation {
	firstKeptEntryId: string;
	tokensBefore: number;
	messagesToSummarize?: Message[];
	turnPrefixMessages?: Message[];
}

interface Compaction {
	firstKeptEntryId: string;
	tokensBefore: number;
	summary: string;
	details?: unknown;
}

interface CompactEvent {
	preparation: Preparation;
	branchEntries?: { id: string; type?: string; timestamp?: string; message?: unknown }[];
	customInstructions?: string;
	signal?: AbortSignal;
}

interface Context {
	cwd: string;
	sessionManager?: {
		getSessionId(): string;
		getSessionFile(): string | undefined;
		getEntries?(): { customType?: string; data?: unknown }[];
	};
	ui: { notify(message: string, type?: "info" | "warning" | "error"): void };
}

interface Block {
	type: string;
	text?: string;
}

interface ToolResult {
	role?: string;
	toolCallId: string;
	toolName: string;
	input?: Record<string, unknown>;
	content: Block[];
	details?: { fullOutputPath?: string };
}

interface Tool {
	name: string;
	label: string;
	description: string;
	parameters: unknown;
	execute(
		id: string,
		given: Record<string, string | undefined>,
		signal: AbortSignal | undefined,
		update: unknown,
		ctx: Context,
	): Promise<unknown>;
}

interface Pi {
	// biome-ignore lint/suspicious/noExplicitAny: each event has a shape of its own
	on(event: string, handler: (event: any, ctx: Context) => Promise<unknown>): void;
	registerTool?(tool: Tool): void;
	appendEntry?(customType: string, data: unknown): void;
}

/** What hippo answers; rejected when it cannot be started, fails, is aborted or takes too long. */
function run(given: string[], input: string, cwd: string, limit: number, signal?: AbortSignal): Promise<string> {
	return new Promise((resolve, reject) => {
		const [command, ...words] = [...PROGRAM, ...given];
		const child = spawn(command, words, { cwd, windowsHide: true });
		const out: Buffer[] = [];
		let size = 0;
		let said = "";
		const fail = (reason: string): void => {
			settle();
			child.kill("SIGKILL");
			child.stdout.destroy();
			child.stderr.destroy();
			reject(new Error(reason));
		};
		const abort = (): void => fail("it was aborted");
		const timer = setTimeout(() => fail(`${LATE} ${limit / 1000} s`), limit);
		const settle = (): void => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", abort);
		};
		signal?.addEventListener("abort", abort, { once: true });
		child.on("error", (error) => fail(error.message));
		child.stdin.on("error", () => {}); // it may leave before it has read all; its exit says why
		child.stdout.on("data", (chunk: Buffer) => {
			size += chunk.length;
			if (size > LARGEST) fail("the answer is too large");
			else out.push(chunk);
		});
		child.stderr.on("data", (chunk: Buffer) => {
			said = (said + chunk.toString()).slice(0, 500);
		});
		child.on("close", (code) => {
			settle();
			if (code === 0) resolve(Buffer.concat(out).toString("utf8"));
			else reject(new Error(said.split("\n")[0] || `exit code ${code}`));
		});
		child.stdin.end(input);
	});
}

const late = new Set<string | undefined>(); // sessions that waited in vain once: they ask nothing more

/** What hippo has to say of an event: `context`, `output`; nothing where it does not answer. */
async function hook(event: string, ctx: Context, record: object): Promise<{ context?: string; output?: string }> {
	const session = ctx.sessionManager?.getSessionId();
	if (late.has(session)) return {};
	try {
		const given = JSON.stringify({ session_id: session, cwd: ctx.cwd, ...record });
		const { context, output } = JSON.parse(await run(["hook", event, "--agent", "pi"], given, ctx.cwd, HOOK_MS));
		return {
			context: typeof context === "string" ? context : undefined,
			output: typeof output === "string" ? numbered(output, ctx) : undefined,
		};
	} catch (error) {
		if (error instanceof Error && error.message.startsWith(LATE)) late.add(session);
		return {};
	}
}

/** An entry of a session that goes on after its end: its store is another, so the store's number is in the id. */
function numbered(entry: string, { sessionManager }: Context): string {
	const [, rest] = entry.split(`--session ${sessionManager?.getSessionId()}-`);
	const number = rest?.match(/^\d+/);
	return number ? entry.replace(/\[(ctx_\d+)\]/, `[$1-${number[0]}]`) : entry;
}

/** The session's id and file, and each message's id in it, so that what is said of a message can be fetched there. */
function session({ preparation, branchEntries }: CompactEvent, { sessionManager }: Context): unknown {
	const ids = new Map((branchEntries ?? []).map((entry) => [entry.message, entry.id]));
	const given = [...(preparation.messagesToSummarize ?? []), ...(preparation.turnPrefixMessages ?? [])];
	// What an extension put into the window is made into a message anew: only its time says which entry it is of.
	const customs = (branchEntries ?? []).filter((entry) => entry.type === "custom_message");
	const times = new Map(customs.map((entry) => [Date.parse(entry.timestamp ?? ""), entry.id]));
	const custom = ({ role, timestamp }: Message) => (role === "custom" ? times.get(timestamp ?? 0) : undefined);
	const entryIds = given.map((message) => ids.get(message) ?? custom(message) ?? null);
	return { id: sessionManager?.getSessionId(), file: sessionManager?.getSessionFile(), entryIds };
}

/** The compaction in hippo's answer; undefined where it found nothing to compact. */
function read(answer: string, preparation: Preparation): Compaction | undefined {
	const found = (JSON.parse(answer) as { compaction?: Partial<Compaction> } | null)?.compaction;
	if (typeof found?.summary !== "string" || !found.summary.trim()) return undefined;
	const { firstKeptEntryId, tokensBefore } = preparation;
	return { summary: found.summary, firstKeptEntryId, tokensBefore, details: found.details };
}

/** A tool's result as text, all of it where Pi put the whole into a file; undefined where there is more than text. */
async function wholeOf({ content, details }: ToolResult): Promise<string | undefined> {
	if (!content.every((block) => block.type === "text")) return undefined;
	const text = content.map((block) => block.text ?? "").join("\n");
	const [, log = "", ended = ""] = text.match(FAILED) ?? [];
	// A command can print such a line itself: only a log of Pi's own is read.
	const own = dirname(log) === tmpdir() && /^pi-\w+-\w+\.log$/.test(basename(log));
	const file = details?.fullOutputPath ?? (own ? log : undefined);
	return file ? readFile(file, "utf8").then((whole) => whole + ended).catch(() => undefined) : text;
}

function isLong({ content }: ToolResult): boolean {
	const [first, ...rest] = content;
	const text = first?.type === "text" && !rest.length ? (first.text ?? "") : "";
	return text.length > LOUD && !text.includes(KEPT);
}

/** What is left of an entry: the line that names it. */
function lineOf(entry: string): string {
	const head = entry.split("\n")[1] ?? "";
	return `${head.replace(/^\[\w+ /, "").replace(/\]$/, "")}; faded, memory_fetch gives it back`;
}

/** Results that were replaced, by their calls: first by an entry, later by a line of it. */
class Faded {
	private shown = new Map<string, string>();
	private left = new Set<string>();
	private restored: string | undefined;
	private record: (faded: Record<string, string>) => void;

	constructor(record: (faded: Record<string, string>) => void) {
		this.record = record;
	}

	/** What faded before Pi was started again; of a call that is there twice the second is a line. */
	private restore({ sessionManager }: Context): void {
		const session = sessionManager?.getSessionId();
		if (!session || session === this.restored) return;
		this.restored = session;
		for (const { customType, data } of sessionManager?.getEntries?.() ?? []) {
			if (customType !== RECORD) continue;
			for (const [call, text] of Object.entries((data ?? {}) as Record<string, string>)) {
				if (this.shown.has(call)) this.left.add(call);
				this.shown.set(call, text);
			}
		}
	}

	/** The messages with old results as entries; the same array where nothing fades. */
	async apply(messages: ToolResult[], ctx: Context): Promise<ToolResult[]> {
		this.restore(ctx);
		const changed: Record<string, string> = {};
		const due = this.older(messages, FADES_AFTER).filter((one) => isLong(one) && !this.shown.has(one.toolCallId));
		const size = due.reduce((sum, one) => sum + (one.content[0]?.text?.length ?? 0), 0);
		if (size >= FADES_AT_ONCE) {
			for (const one of due) {
				const { output } = await hook("PostToolUse", ctx, {
					tool_name: one.toolName,
					tool_input: this.inputOf(messages, one.toolCallId),
					tool_response: one.content[0]?.text,
					fading: true,
				});
				if (output) changed[one.toolCallId] = output;
			}
			for (const [call, output] of Object.entries(changed)) this.shown.set(call, output);
			if (Object.keys(changed).length) this.record(changed);
		}
		const leaving = this.older(messages, LEAVES_AFTER).filter(
			({ toolCallId }) => this.shown.has(toolCallId) && !this.left.has(toolCallId),
		);
		if (leaving.length >= LEAVE_AT_ONCE) {
			const lines: Record<string, string> = {};
			for (const { toolCallId } of leaving) {
				this.left.add(toolCallId);
				lines[toolCallId] = lineOf(this.shown.get(toolCallId) ?? "");
				this.shown.set(toolCallId, lines[toolCallId]);
			}
			this.record(lines);
		}
		return messages.map((one) => {
			const text = one.role === "toolResult" ? this.shown.get(one.toolCallId) : undefined;
			return text === undefined ? one : { ...one, content: [{ type: "text", text }] };
		});
	}

	/** The results before the last so many answers of the model. */
	private older(messages: ToolResult[], answers: number): ToolResult[] {
		let left = answers;
		const at = messages.findLastIndex((one) => one.role === "assistant" && left-- === 0);
		return messages.slice(0, Math.max(0, at)).filter((one) => one.role === "toolResult");
	}

	private inputOf(messages: ToolResult[], call: string): unknown {
		const blocks = messages.flatMap(({ role, content }) => (role === "assistant" ? content : []));
		const found = blocks.find((block) => block.type === "toolCall" && (block as { id?: string }).id === call);
		return (found as { arguments?: unknown } | undefined)?.arguments ?? {};
	}
}

function registerTools(pi: Pi): void {
	const text = { type: "string" };
	const answer = async (words: string[], ctx: Context, signal?: AbortSignal) => ({
		content: [{ type: "text", text: await run(words, "", ctx.cwd, LIMIT_MS, signal) }],
		details: {},
	});
	pi.registerTool?.({
		name: "memory_recall",
		label: "Recall",
		description: "Search the long-term memory of this workspace: earlier work, people, decisions, commands, settings.",
		parameters: { type: "object", properties: { query: text }, required: ["query"] },
		execute: (_id, { query = "" }, signal, _update, ctx) =>
			answer(["query", "--fence", "--tokens", "800", "--", query], ctx, signal),
	});
	pi.registerTool?.({
		name: "memory_fetch",
		label: "Fetch",
		description:
			"Get back what stands behind an id: ctx_001 of an output that was kept outside the window, or #ID of a summary. " +
			"lines (10-20) or grep give a part.",
		parameters: { type: "object", properties: { id: text, lines: text, grep: text }, required: ["id"] },
		execute: (_id, { id = "", lines, grep }, signal, _update, ctx) => {
			const session = ctx.sessionManager?.getSessionId();
			const [, entry, number = ""] = id.match(/^(ctx_\d+)(-\d+)?$/) ?? [];
			const kept = entry && ["context", "get", entry, ...(session ? ["--session", session + number] : [])];
			const words = kept || ["fetch", id];
			const part = [...(lines ? ["--lines", lines] : []), ...(grep ? ["--grep", grep] : [])];
			return answer([...words, ...part, "--fence"], ctx, signal);
		},
	});
}

export default function hippo(pi: Pi): void {
	const briefs = new Map<string, Promise<{ context?: string }>>();
	const faded = new Faded((data) => pi.appendEntry?.(RECORD, data));
	registerTools(pi);

	pi.on("before_agent_start", async (event: { prompt: string; systemPrompt: string }, ctx) => {
		const session = ctx.sessionManager?.getSessionId() ?? "";
		const start = briefs.get(session) ?? hook("SessionStart", ctx, { source: "startup" });
		briefs.set(session, start); // the same text as long as the session lasts
		const { context: brief } = await start;
		const { context } = await hook("UserPromptSubmit", ctx, { prompt: event.prompt });
		return {
			...(brief ? { systemPrompt: `${event.systemPrompt}\n\n${brief}` } : {}),
			...(context ? { message: { customType: "hippo", content: context, display: false } } : {}),
		};
	});

	pi.on("tool_result", async (event: ToolResult, ctx) => {
		const shown = event.content.reduce((sum, block) => sum + (block.text?.length ?? 0), 0);
		if (shown < LOUD || READING.has(event.toolName) || event.toolName.startsWith("memory_")) return undefined;
		const whole = await wholeOf(event);
		if (whole === undefined) return undefined;
		const record = { tool_name: event.toolName, tool_input: event.input, tool_response: whole };
		const { output } = await hook("PostToolUse", ctx, record);
		return output ? { content: [{ type: "text", text: output }] } : undefined;
	});

	pi.on("context", async ({ messages }: { messages: ToolResult[] }, ctx) => ({
		messages: await faded.apply(messages, ctx),
	}));

	pi.on("agent_end", async (_event, ctx) => void (await hook("Stop", ctx, {})));

	pi.on("session_shutdown", async (_event, ctx) => {
		await hook("SessionEnd", ctx, { transcript_path: ctx.sessionManager?.getSessionFile() });
	});

	pi.on("session_before_compact", async (event: CompactEvent, ctx) => {
		const { preparation, customInstructions, signal } = event;
		try {
			const listed = (_key: string, value: unknown) => (value instanceof Set ? [...value] : value);
			const given = JSON.stringify({ ...preparation, session: session(event, ctx) }, listed);
			const answer = await run(["compact", "--stdin"], given, ctx.cwd, LIMIT_MS, signal);
			const compaction = read(answer, preparation);
			if (!compaction) return undefined;
			const left = customInstructions ? "; instructions are for a model, and were left aside" : "";
			ctx.ui.notify(`hippo: compacted; hippo fetch ID gives back what stands behind #ID${left}`, "info");
			return { compaction };
		} catch (error) {
			if (signal?.aborted) return { cancel: true };
			const reason = error instanceof Error ? error.message : String(error);
			ctx.ui.notify(`hippo: ${reason}; Pi compacts by itself`, "warning");
			return undefined;
		}
	});
}
