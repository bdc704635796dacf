import { spawn } from "node:child_process";

const PROGRAM = ["hippo"];
const LIMIT_MS = 9_000;
const LARGEST = 1024 * 1024;
const late = new Set(); // sessions that waited in vain once: they ask nothing more

/** What hippo has to say of an event: `context`, `output`; nothing where it does not answer. */
function ask(agent, event, record, cwd) {
	return new Promise((resolve) => {
		let child;
		let answer = "";
		const finish = (found) => {
			clearTimeout(timer);
			child?.stdout.destroy(); // what hippo itself started may still hold it
			resolve(found);
		};
		const stop = () => {
			finish({});
			child?.kill("SIGKILL");
		};
		const timer = setTimeout(() => {
			late.add(record.session_id);
			stop();
		}, LIMIT_MS);
		if (late.has(record.session_id)) return finish({});
		try {
			const [command, ...words] = [...PROGRAM, "hook", event, "--agent", agent];
			child = spawn(command, words, { cwd, windowsHide: true, stdio: ["pipe", "pipe", "ignore"] });
			child.on("error", () => finish({}));
			child.on("close", (code) => finish(code === 0 ? read(answer) : {}));
			child.stdin.on("error", () => {});
			child.stdout.setEncoding("utf8");
			child.stdout.on("data", (chunk) => {
				answer += chunk;
				if (answer.length > LARGEST) stop();
			});
			child.stdin.end(JSON.stringify({ ...record, cwd }));
		} catch {
			stop();
		}
	});
}

/** The texts of an answer; what is none is nothing. */
function read(answer) {
	try {
		const found = Object.entries(JSON.parse(answer)).filter(([, text]) => typeof text === "string");
		return Object.fromEntries(found);
	} catch {
		return {};
	}
}
