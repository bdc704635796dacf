/**
 * Memory by hippo: the brief in the system prompt, and beside a prompt what the memory is sure of. Where hippo is
 * missing, fails or takes too long, OpenClaw goes on without it.
 */
const briefs = new Map(); // of each session one, the same text as long as it lasts

export default {
	id: "hippo",
	name: "hippo",
	register(api) {
		const asked = (event, record, ctx) =>
			ask("openclaw", event, { ...record, session_id: ctx.sessionId }, ctx.workspaceDir);
		api.on("before_prompt_build", async (event, ctx) => {
			if (!ctx.sessionId || !ctx.workspaceDir) return undefined;
			if (!briefs.has(ctx.sessionId)) {
				briefs.set(ctx.sessionId, asked("SessionStart", { source: "startup" }, ctx));
			}
			const { context: brief } = await briefs.get(ctx.sessionId);
			const prompt = event.currentUserMessage ?? event.prompt;
			const { context } = await asked("UserPromptSubmit", { prompt }, ctx);
			return {
				...(brief ? { appendSystemContext: brief } : {}),
				...(context ? { prependContext: context } : {}),
			};
		});
		api.on("session_end", (_event, ctx) => void briefs.delete(ctx.sessionId));
	},
};
