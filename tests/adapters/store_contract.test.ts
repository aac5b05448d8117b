/** The contract of folders, on the fake and on this machine's disk. */
import { dirname } from "node:path";
import { createClock } from "../../adapters/clock/mod.ts";
import { createFolders } from "../../adapters/store/mod.ts";
import { testFolderContract } from "../contracts/folder.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { createFakeDisk } from "../fakes/folder.ts";

testFolderContract("fake", () => {
  const disk = createFakeDisk(createFakeClock());
  disk.makeFolder("/base");
  return Promise.resolve({
    folders: disk.folders,
    base: "/base",
    write: (path, content) => Promise.resolve(disk.write(path, content)),
    read: (path) => Promise.resolve(disk.read(path)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
});

testFolderContract("disk", async () => {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "idea-store-" }));
  return {
    folders: createFolders(createClock()),
    base,
    async write(path, content) {
      await Deno.mkdir(dirname(path), { recursive: true });
      if (typeof content === "string") await Deno.writeTextFile(path, content);
      else await Deno.writeFile(path, content);
    },
    read: (path) => Deno.readTextFile(path).catch(() => undefined),
    [Symbol.asyncDispose]: () => Deno.remove(base, { recursive: true }),
  };
});
