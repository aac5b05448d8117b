/** What is left out of the environment, what a shell is asked, how its answer is read: pure parts. */
import assert from "node:assert/strict";
import { withoutLauncher } from "../../adapters/process/launcher_environment.ts";
import { environmentArgs, joinPaths, parseEnvironment } from "../../adapters/process/login_shell.ts";
import { withoutOuterTerminal } from "../../adapters/process/outer_terminal.ts";
import { isAbsolutePath, programCandidates, searchPathOf } from "../../adapters/process/search_path.ts";

Deno.test("launcher: ours leaves no trace, and the person's own cache folder comes back", () => {
  const theirs = { PATH: "/bin", HOME: "/home/me", IDEA_HOME: "/data", DENO_DIR: "/home/me/deno" };
  const started = {
    ...theirs,
    IDEA_SELF: "/opt/idea",
    IDEA_NET: "0.0.0.0",
    IDEA_USER_DENO_DIR: theirs.DENO_DIR,
    DENO_DIR: "/cache/ours",
    DENO_NO_UPDATE_CHECK: "1",
  };
  assert.deepEqual(withoutLauncher(started), theirs);
  const { IDEA_USER_DENO_DIR: _, ...withoutOwn } = started;
  const { DENO_DIR: __, ...expected } = theirs;
  assert.deepEqual(withoutLauncher(withoutOwn), expected);
  // From source: nothing is ours.
  assert.deepEqual(withoutLauncher(theirs), theirs);
});

Deno.test("launcher: a bundle's paths are taken out of every list, and lists of nothing else disappear", () => {
  const root = "/tmp/.mount_IdeAx1";
  assert.deepEqual(
    withoutLauncher({
      APPDIR: root,
      APPIMAGE: "/home/me/IdeA.AppImage",
      ARGV0: "IdeA.AppImage",
      OWD: "/home/me",
      PATH: `${root}/usr/bin:/usr/bin:/bin:${root}`,
      LD_LIBRARY_PATH: `${root}/usr/lib/:`,
      GSETTINGS_SCHEMA_DIR: `${root}/usr/share/glib-2.0/schemas`,
      XDG_DATA_DIRS: `${root}/usr/share:/usr/local/share:/usr/share`,
      NEIGHBOUR: `${root}2/lib`,
      URL: "http://localhost:8080",
      EMPTY: "",
    }),
    {
      PATH: "/usr/bin:/bin",
      XDG_DATA_DIRS: "/usr/local/share:/usr/share",
      NEIGHBOUR: `${root}2/lib`,
      URL: "http://localhost:8080",
      EMPTY: "",
    },
  );
  assert.deepEqual(
    withoutLauncher({ SNAP: "/snap/code/1", SNAP_NAME: "code", GTK_PATH: "/snap/code/1/gtk", A: "/snap/code/11" }),
    { A: "/snap/code/11" },
  );
  // A root that would be everything is none.
  assert.deepEqual(withoutLauncher({ APPDIR: "/", PATH: "/bin" }), { APPDIR: "/", PATH: "/bin" });
});

Deno.test("outer terminal: what tells of another terminal is left out", () => {
  const kept = { PATH: "/bin", LANG: "fr_FR.UTF-8", TERMINFO_DIRS: "/x", NO_COLOR: "1", SSH_TTY: "/dev/pts/1" };
  const told = {
    TERM: "xterm-kitty",
    TMUX: "/tmp/t",
    KITTY_WINDOW_ID: "1",
    VSCODE_IPC: "x",
    WT_SESSION: "y",
    LINES: "4",
  };
  assert.deepEqual(withoutOuterTerminal({ ...kept, ...told }), kept);
});

Deno.test("login shell: each family is asked in its own way, unknown ones not at all", () => {
  const [interactive, loginFlag, command, script] = environmentArgs("/usr/bin/zsh", "mark") ?? [];
  assert.deepEqual([interactive, loginFlag, command], ["-i", "-l", "-c"]);
  assert.equal(script, "printf '%s' 'mark'; /usr/bin/env -0 || /usr/bin/env; printf '%s' 'mark'");
  assert.deepEqual(environmentArgs("/bin/tcsh", "mark")?.slice(0, 2), ["-i", "-c"]);
  assert.equal(environmentArgs("/usr/bin/nu", "mark"), undefined);
});

Deno.test("login shell: the answer is what stands between the markers, several lines and odd names included", () => {
  const answer =
    "PATH=/bin\0TEXT=two\nlines=2\0EMPTY=\0SHLVL=2\0_=/usr/bin/env\0PWD=/x\0IDEA_RESOLVING_ENVIRONMENT=1\0noise\0";
  assert.deepEqual(parseEnvironment(`Welcome!\n#m#${answer}#m#bye`, "#m#"), {
    PATH: "/bin",
    TEXT: "two\nlines=2",
    EMPTY: "",
  });
  const plain = "PATH=/bin\nTEXT=two\nlines, and more\nBASH_FUNC_x%%=() { :;\n}\nZ=\n";
  assert.deepEqual(parseEnvironment(`#m#${plain}#m#`, "#m#"), {
    PATH: "/bin",
    TEXT: "two\nlines, and more\nBASH_FUNC_x%%=() { :;\n}",
    Z: "",
  });
  assert.equal(parseEnvironment(`#m#${answer}`, "#m#"), undefined);
  assert.equal(parseEnvironment("Welcome!", "#m#"), undefined);
  assert.equal(parseEnvironment("#m##m#", "#m#"), undefined);
});

Deno.test("login shell: its search path comes first, and nothing of ours is lost", () => {
  assert.equal(joinPaths("/home/me/bin:/usr/bin", "/kit:/usr/bin::/bin"), "/home/me/bin:/usr/bin:/kit:/bin");
  assert.equal(joinPaths(undefined, "/bin"), "/bin");
  assert.equal(joinPaths("/bin", undefined), "/bin");
});

Deno.test("search path: candidates in the order of the system", () => {
  const unix = (program: string, searchPath?: string) =>
    programCandidates({ program, searchPath, folder: "/w", platform: "unix" });
  assert.deepEqual(unix("git", "/a:/b"), ["/a/git", "/b/git"]);
  assert.deepEqual(unix("git"), ["/usr/local/bin/git", "/usr/bin/git", "/bin/git"]);
  assert.deepEqual(unix("./x", "/a"), ["/w/./x"]);
  assert.deepEqual(unix("/x", "/a"), ["/x"]);
  assert.deepEqual(unix("", "/a"), []);

  const windows = (program: string, searchPath?: string) =>
    programCandidates({ program, searchPath, folder: "C:\\w", platform: "windows" });
  assert.deepEqual(windows("git.exe", 'C:\\git\\;;"D:\\my tools"'), ["C:\\git\\git.exe", "D:\\my tools\\git.exe"]);
  assert.deepEqual(windows("npm", "C:\\n"), ["C:\\n\\npm.com", "C:\\n\\npm.exe", "C:\\n\\npm.bat", "C:\\n\\npm.cmd"]);
  assert.deepEqual(windows("bin\\x.cmd", "C:\\n"), ["C:\\w\\bin\\x.cmd"]);
  assert.deepEqual(windows("C:\\x.exe", "C:\\n"), ["C:\\x.exe"]);
  assert.deepEqual(windows("git.exe"), []);

  assert.equal(searchPathOf({ Path: "C:\\n" }, "windows"), "C:\\n");
  assert.equal(searchPathOf({ Path: "/bin" }, "unix"), undefined);
  assert.deepEqual(
    ["C:\\x", "c:/x", "\\\\server\\x", "\\x", "x", "C:x"].map((path) => isAbsolutePath(path, "windows")),
    [true, true, true, false, false, false],
  );
});
