/* Asking the studio: a verb with its data, answered line by line. Going away stops the work. */
const SILENT = "the studio does not answer; start it again (dynamis studio): this page keeps your robot";

/* A sentence for the user; `line` is that of the file where it is known. */
export class Failure extends Error {
  constructor(sentence, line = null) {
    super(sentence);
    this.line = line;
  }
}
export class Stopped extends Error {}

export async function ask(verb, data = {}, { signal, tell = () => {} } = {}) {
  try {
    const answer = await fetch("/run", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ verb, ...data }), signal });
    if (!answer.ok) throw new Failure(await answer.text());
    return await lines(answer.body.getReader(), tell);
  } catch (error) {
    if (error.name === "AbortError") throw new Stopped();
    throw error instanceof Failure ? error : new Failure(SILENT);
  }
}

async function lines(reader, tell) {
  const decoder = new TextDecoder();
  for (let rest = ""; ;) {
    const { done, value } = await reader.read();
    if (done) throw new Failure(SILENT);
    const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = parts.pop();
    for (const message of parts.filter(Boolean).map((line) => JSON.parse(line))) {
      if ("error" in message) throw new Failure(message.error, message.line);
      if ("result" in message) return { ...message.result, notes: message.notes ?? [] };
      tell(message);
    }
  }
}
