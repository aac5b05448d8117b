import assert from "node:assert/strict";
import {
  addAgent,
  planContextPath,
  removeAgent,
  renameAgent,
  setProfile,
  setSkills,
} from "../../core/agents/edit_manifest.ts";
import { type AgentsManifest, EMPTY_MANIFEST, findAgentsByTarget, manifestFormat } from "../../core/agents/manifest.ts";
import { createId } from "../../core/ids.ts";
import { formatDocument, parseDocument } from "../../core/workspace/document.ts";
import { error, value } from "../contracts/folder.ts";

const profileId = createId("profile", "claude");
const agentId = (name: string) => createId("agent", `id-${name}`);

function add(manifest: AgentsManifest, name: string, existing: readonly string[] = []): AgentsManifest {
  const mdPath = planContextPath(manifest, name, existing);
  return value(addAgent(manifest, { agentId: agentId(manifest.agents.length.toString()), name, mdPath, profileId }));
}

const read = (agents: readonly unknown[]) => parseDocument(manifestFormat, JSON.stringify({ version: 1, agents }));

Deno.test("manifest: agents are added with a context path of their own", () => {
  const manifest = add(add(add(EMPTY_MANIFEST, " Main "), "Ma-in", ["ma-in.md"]), "main!");
  assert.deepEqual(manifest.agents.map(({ name, mdPath }) => [name, mdPath]), [
    ["Main", "agents/main.md"],
    ["Ma-in", "agents/ma-in-2.md"],
    ["main!", "agents/main-2.md"],
  ]);
  assert.deepEqual(value(parseDocument(manifestFormat, formatDocument(manifest))), manifest);
});

Deno.test("manifest: names are unique whatever their case, and must be names", () => {
  const manifest = add(add(EMPTY_MANIFEST, "Main"), "Git");
  const fresh = { agentId: agentId("new"), mdPath: "agents/new.md", profileId };
  assert.deepEqual(error(addAgent(manifest, { ...fresh, name: "MAIN " })), { kind: "agentNameTaken", name: "MAIN" });
  assert.deepEqual(error(renameAgent(manifest, agentId("0"), "git")), { kind: "agentNameTaken", name: "git" });
  assert.deepEqual(error(addAgent(manifest, { ...fresh, name: "a\u0007" })), {
    kind: "invalidName",
    name: "a\u0007",
    reason: "controlCharacter",
  });
  const renamed = value(renameAgent(manifest, agentId("0"), "MAIN"));
  assert.deepEqual(renamed.agents[0], { ...manifest.agents[0], name: "MAIN" });
});

Deno.test("manifest: edits touch one agent and keep what they do not know", () => {
  const entry = {
    agentId: "a1",
    name: "A",
    mdPath: "agents/a.md",
    profileId: "p1",
    synchronized: false,
    color: "red",
  };
  const manifest = value(read([entry, { ...entry, agentId: "a2", name: "B", mdPath: "agents/b.md" }]));
  const a1 = createId("agent", "a1");
  const skills = [{ skillId: createId("skill", "s1"), scope: "project" }] as const;
  const edited = value(setSkills(value(setProfile(manifest, a1, profileId)), a1, skills));
  assert.deepEqual(JSON.parse(formatDocument(edited)).agents[0], { ...entry, profileId: "claude", skills });
  assert.deepEqual(edited.agents[1], manifest.agents[1]);
  const nobody = createId("agent", "nobody");
  for (const result of [setProfile(manifest, nobody, profileId), removeAgent(manifest, nobody)]) {
    assert.deepEqual(error(result), { kind: "agentNotFound", agentId: nobody });
  }
  assert.deepEqual(value(removeAgent(manifest, a1)).agents, [manifest.agents[1]]);
});

Deno.test("manifest: files that break the invariants are refused, with the reason", () => {
  const entry = { agentId: "a1", name: "A", mdPath: "agents/a.md", profileId: "p1", synchronized: false };
  const detail = (agents: readonly unknown[]) => {
    const flaw = error(read(agents));
    return flaw.kind === "corrupt" ? flaw.detail : flaw.kind;
  };
  assert.match(detail([entry, { ...entry, mdPath: "agents/b.md" }]), /agentId is there twice/);
  assert.match(detail([entry, { ...entry, agentId: "a2", mdPath: "agents/A.md" }]), /mdPath is there twice/);
  assert.match(detail([{ ...entry, synchronized: true, templateId: "t" }]), /synchronized without/);
  for (const mdPath of ["../x.md", "/etc/passwd", "agents/../../x", "C:\\x", "agents//x", ""]) {
    assert.match(detail([{ ...entry, mdPath }]), /agents\.0\.mdPath: /, mdPath);
  }
  assert.match(detail([{ ...entry, agentId: "../x" }]), /agents\.0\.agentId: not an id/);
});

Deno.test("manifest: a target is an id, else an exact name, else a name in any case", () => {
  const entry = { mdPath: "agents/a.md", profileId: "p1", synchronized: false };
  const manifest = value(read([
    { ...entry, agentId: "a1", name: "Dev" },
    { ...entry, agentId: "a2", name: "dev", mdPath: "agents/b.md" },
    { ...entry, agentId: "Dev", name: "Other", mdPath: "agents/c.md" },
  ]));
  const ids = (target: string) => findAgentsByTarget(manifest, target).map((agent) => agent.agentId);
  assert.deepEqual(["Dev", "dev", "DEV", "a1", "other", "nobody"].map(ids), [
    ["Dev"],
    ["a2"],
    ["a1", "a2"],
    ["a1"],
    ["Dev"],
    [],
  ]);
});
