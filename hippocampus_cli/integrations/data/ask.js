import { spawn } from "node:child_process";

const PROGRAM = ["hippo"];
const LIMIT_MS = 9_000;

/** What hippo has to say of an event: `context`, `output`; nothing where it does not answer. */
function ask(agent, event, record, cwd) {
	return new Promise((resolve) => {
		const [command, ...words] = [...PROGRAM, "hook", event, "--agent", agent];
		const child = spawn(command, words, { cwd, windowsHide: true, stdio: ["pipe", "pipe", "ignore"] });
		const out = [];
		const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
		child.on("error", () => {
			clearTimeout(timer);
			resolve({});
		});
		child.stdin.on("error", () => {});
		child.stdout.on("data", (chunk) => out.push(chunk));
		child.on("close", () => {
			clearTimeout(timer);
			try {
				resolve(JSON.parse(Buffer.concat(out).toString("utf8")));
			} catch {
				resolve({});
			}
		});
		child.stdin.end(JSON.stringify({ ...record, cwd }));
	});
}

