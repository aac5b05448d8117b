/** Gets the browser that the end-to-end tests drive, where that needs nobody's password. */

/** Installs Debian's Chromium when we may; else says what to do, and the tests that need it skip (in CI: fail). */
export async function installChromium(): Promise<void> {
  const mayInstall = Deno.build.os === "linux" && Deno.uid() === 0 && await succeeds("apt-get", ["--version"]);
  if (!mayInstall) {
    console.error("Chromium is missing and cannot be installed from here: the tests of the window need it.");
    console.error("Install it (on Debian: sudo apt-get install chromium), or set IDEA_CHROMIUM to a browser.");
    return;
  }
  console.log("\n== installing Chromium (the tests of the window need it)");
  const install = ["install", "-y", "-q", "--no-install-recommends", "chromium", "fonts-dejavu-core"];
  if (await succeeds("apt-get", install)) return;
  // The package lists of a fresh machine are empty or old.
  if (await succeeds("apt-get", ["update", "-q"]) && await succeeds("apt-get", install)) return;
  console.error("apt-get could not install Chromium.");
}

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  try {
    const command = new Deno.Command(program, { args: [...args], env: { DEBIAN_FRONTEND: "noninteractive" } });
    return (await command.output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
