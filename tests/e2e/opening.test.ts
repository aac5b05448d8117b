/** `idea` opens the window of a server that runs: what others can read of the browser's arguments opens nothing twice. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startBrowser, WITHOUT_GPU } from "../helpers/browser.ts";
import { chromium, requires } from "../helpers/requires.ts";
import { ROOT, startServer, type TestServer } from "../helpers/server.ts";
import { waitFor } from "../helpers/wait_for.ts";

/** The address that a browser of the machine is started with by `idea`. */
async function addressGiven({ env, folder }: TestServer): Promise<string> {
  const [browsers, args] = [join(folder, "browsers"), join(folder, "arguments")];
  await Deno.mkdir(browsers, { recursive: true });
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${args}'\nexec sleep 3\n`;
  await Deno.writeTextFile(join(browsers, "google-chrome-stable"), script, { mode: 0o755 });
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-P", "--no-prompt", join(ROOT, "main.ts")],
    cwd: folder,
    clearEnv: true,
    env: { ...env, DISPLAY: ":77", PATH: `${browsers}:${env["PATH"]}` },
    signal: AbortSignal.timeout(60_000),
  }).output();
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.equal(code, 0, said);
  assert.doesNotMatch(said, /token=|code=/);
  const given = (await Deno.readTextFile(args)).split("\n").find((line) => line.startsWith("--app="));
  assert.ok(given !== undefined);
  return given.slice("--app=".length);
}

Deno.test({
  name: "opening: the browser gets a code that opens once; neither it nor the token is in any argument or log",
  ...requires(chromium()),
  async fn() {
    await using idea = await startServer();
    const { url, token } = idea.server();
    const address = await addressGiven(idea);
    assert.match(address, new RegExp(`^${url}/\\?code=[\\w-]{43}$`));
    assert.ok(!address.includes(token));

    await using browser = await startBrowser(WITHOUT_GPU);
    const { page } = await browser.open();
    await page.goto(address);
    await page.getByRole("button", { name: "Open a project" }).first().waitFor();
    assert.equal(page.url(), `${url}/`);
    await page.reload();
    await page.getByRole("button", { name: "Open a project" }).first().waitFor();

    const other = await browser.open();
    const refused = await other.page.goto(address);
    assert.equal(refused?.status(), 401);
    await other.page.getByText("This window is not signed in").waitFor();

    const code = address.split("code=")[1] ?? "";
    const log = () => Deno.readTextFile(join(idea.dataFolder, "logs", "idea.jsonl"));
    await waitFor("the log is written", async () => (await log()).includes("started"));
    const text = await log() + idea.log().replaceAll(`Open ${url}/?token=${token}`, "");
    for (const secret of [code, token]) assert.ok(!text.includes(secret));
  },
});
