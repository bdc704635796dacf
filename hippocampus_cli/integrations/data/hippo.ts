/**
 * Compaction by hippo: what is to be compacted goes to `hippo compact --stdin`, and its answer is the summary.
 * Where hippo is missing, fails or takes too long, Pi compacts by itself.
 */
import { spawn } from "node:child_process";

const PROGRAM: string[] = ["hippo"];
const LIMIT_MS = 30_000;
const LARGEST = 16 * 1024 * 1024;

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
	sessionManager?: { getSessionId(): string; getSessionFile(): string | undefined };
	ui: { notify(message: string, type?: "info" | "warning" | "error"): void };
}

interface Pi {
	on(
		event: "session_before_compact",
		handler: (event: CompactEvent, ctx: Context) => Promise<unknown>,
	): void;
}

/** What hippo answers; rejected when it cannot be started, fails, is aborted or takes too long. */
function ask(input: string, cwd: string, signal?: AbortSignal): Promise<string> {
	return new Promise((resolve, reject) => {
		const [command, ...words] = [...PROGRAM, "compact", "--stdin"];
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
		const timer = setTimeout(() => fail(`no answer within ${LIMIT_MS / 1000} s`), LIMIT_MS);
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

export default function hippo(pi: Pi): void {
	pi.on("session_before_compact", async (event, ctx) => {
		const { preparation, customInstructions, signal } = event;
		try {
			const listed = (_key: string, value: unknown) => (value instanceof Set ? [...value] : value);
			const given = JSON.stringify({ ...preparation, session: session(event, ctx) }, listed);
			const answer = await ask(given, ctx.cwd, signal);
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
