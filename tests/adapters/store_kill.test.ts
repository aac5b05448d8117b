/**
 * Processes that own a folder are killed: nothing that was acknowledged is lost, nothing is half-written, the next
 * owner gets in at once, and of several that want in at the same moment exactly one does.
 * IDEA_KILLS=200 for the full count.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createClock } from "../../adapters/clock/mod.ts";
import { createFolders } from "../../adapters/store/mod.ts";
import { value } from "../contracts/folder.ts";
import { createRandom } from "../helpers/random.ts";

const CHILD = fileURLToPath(new URL("store_child.ts", import.meta.url));
const KILLS = Number(Deno.env.get("IDEA_KILLS") ?? "15");

interface Child {
  readonly pid: number;
  /** The next line it says; undefined when it has ended. */
  nextLine(): Promise<string | undefined>;
  /** kill -9; gives what it had said before. */
  kill(): Promise<readonly string[]>;
}

function startChild(mode: string, root: string): Child {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", CHILD, mode, root],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = "";
  const nextLine = async (): Promise<string | undefined> => {
    while (!text.includes("\n")) {
      const chunk = await lines.next();
      if (chunk.done === true) return undefined;
      text += chunk.value;
    }
    const end = text.indexOf("\n");
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    return line;
  };
  return {
    pid: child.pid,
    nextLine,
    async kill() {
      child.kill("SIGKILL");
      const said: string[] = [];
      for (let line = await nextLine(); line !== undefined; line = await nextLine()) said.push(line);
      await child.status;
      return said;
    },
  };
}

async function withFolder(check: (root: string) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "idea-kill-" }));
  try {
    await check(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test(`store: ${KILLS} kills in the middle of writing lose nothing that was acknowledged`, () =>
  withFolder(async (root) => {
    const random = createRandom(20_261_130);
    const acknowledged = { appended: -1, written: -1 };
    const hear = (line: string) => {
      const [what = "", at = ""] = line.split(" ");
      if (what === "appended" || what === "written") acknowledged[what] = Number(at);
      else assert.equal(line, "open");
    };
    for (let kill = 0; kill < KILLS; kill++) {
      const child = startChild("write", root);
      for (let count = random.int(60); count >= 0; count--) hear(await child.nextLine() ?? "ended");
      (await child.kill()).forEach(hear);
      await using folder = value(await createFolders(createClock()).open(root));
      const { lines } = value(await folder.readLines("log.jsonl"));
      const numbers = lines.map((line) => (JSON.parse(line) as { at: number }).at);
      assert.deepEqual(numbers, numbers.map((_, at) => at), "each line once and in order");
      assert.ok(numbers.length > acknowledged.appended, `${acknowledged.appended} was acknowledged`);
      const document = value(await folder.readText("document.json"));
      if (acknowledged.written < 0) continue;
      assert.ok((JSON.parse(document?.text ?? "") as { at: number }).at >= acknowledged.written);
      const names = [...Deno.readDirSync(root)].map(({ name }) => name).filter((name) => name.includes("idea-tmp"));
      assert.deepEqual(names, []);
    }
  }));

Deno.test("store: a folder whose owner was killed is taken over at once", () =>
  withFolder(async (root) => {
    const folders = createFolders(createClock());
    const child = startChild("lock", root);
    assert.equal(await child.nextLine(), "open");
    const refused = await folders.open(root);
    assert.deepEqual(refused, { ok: false, error: { kind: "locked", path: root, pid: child.pid } });
    await child.kill();
    await using folder = value(await folders.open(root));
    const lock = JSON.parse(await Deno.readTextFile(`${folder.root}/idea.lock`)) as { pid: number };
    assert.equal(lock.pid, Deno.pid);
  }));

Deno.test("store: of several processes that take over a dead owner's lock exactly one wins", () =>
  withFolder(async (root) => {
    for (let round = 0; round < 2; round++) {
      const dead = startChild("lock", root);
      assert.equal(await dead.nextLine(), "open");
      await dead.kill();
      const children = Array.from({ length: 5 }, () => startChild("lock", root));
      const said = await Promise.all(children.map((child) => child.nextLine()));
      await Promise.all(children.map((child) => child.kill()));
      assert.equal(said.filter((line) => line === "open").length, 1, said.join(", "));
      assert.equal(said.filter((line) => line?.startsWith("locked")).length, 4, said.join(", "));
    }
  }));
