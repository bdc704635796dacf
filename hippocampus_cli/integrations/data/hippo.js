/**
 * Memory by hippo: the brief at the start of a session, what the memory is sure of at a prompt, large outputs of
 * commands kept outside the window, and what a compaction leaves out. Where hippo is missing, fails or takes too long,
 * opencode goes on without it.
 */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

// What is read is about to be worked on, so its tools are not among these.
const LOUD = /^(bash|webfetch|websearch|.+_.+)$/;

export const Hippo = async ({ directory }) => {
	const briefs = new Map(); // of each session one, the same text until a compaction
	const begin = (session_id, source) =>
		void briefs.set(session_id, ask("opencode", "SessionStart", { session_id, source }, directory));
	const database = join(process.env.XDG_DATA_HOME || join(homedir(), ".local/share"), "opencode/opencode.db");
	return {
		"experimental.chat.system.transform": async ({ sessionID }, { system }) => {
			if (!sessionID || !system.length) return;
			if (!briefs.has(sessionID)) begin(sessionID, "startup");
			const { context } = await briefs.get(sessionID);
			if (context) system[0] += `\n\n${context}`;
		},
		"chat.message": async ({ sessionID }, { parts }) => {
			const texts = parts.filter((part) => part.type === "text" && !part.synthetic);
			const prompt = texts.map((part) => part.text).join("\n");
			const { context } = await ask("opencode", "UserPromptSubmit", { session_id: sessionID, prompt }, directory);
			const last = texts.at(-1);
			if (context && last) parts.push({ ...last, id: `${last.id}h`, text: context, synthetic: true });
		},
		"tool.execute.after": async ({ tool, sessionID, args }, result) => {
			if (!LOUD.test(tool) || typeof result.output !== "string") return;
			const file = result.metadata?.truncated && result.metadata.outputPath;
			const whole = file ? await readFile(file, "utf8").catch(() => undefined) : result.output;
			if (whole === undefined) return;
			const record = { session_id: sessionID, tool_name: tool, tool_input: args, tool_response: whole };
			const { output } = await ask("opencode", "PostToolUse", record, directory);
			if (output) result.output = output;
		},
		"experimental.session.compacting": async ({ sessionID }, { context }) => {
			const record = { session_id: sessionID, transcript_path: `${database}#${sessionID}` };
			const { instructions } = await ask("opencode", "PreCompact", record, directory);
			if (instructions) context.push(instructions);
		},
		event: async ({ event }) => {
			const sessionID = event.properties?.sessionID;
			if (event.type === "session.compacted" && sessionID) begin(sessionID, "compact");
			if (event.type === "session.idle" && sessionID) await ask("opencode", "Stop", { session_id: sessionID }, directory);
		},
	};
};
