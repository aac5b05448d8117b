import assert from "node:assert/strict";
import { createAgentSecrets } from "../../core/app/agent_secrets.ts";
import { createId } from "../../core/ids.ts";
import { isSameSecret } from "../../core/secrets.ts";

const projectId = createId("project", "p1");
const main = { projectId, agentId: createId("agent", "a1") };
const other = { projectId, agentId: createId("agent", "a2") };

function secrets() {
  let count = 0;
  return createAgentSecrets({ newId: () => "id", newSecret: () => `secret-${++count}`, random: () => 0 });
}

Deno.test("secrets: equal only when every character and the length are", () => {
  assert.equal(isSameSecret("abc", "abc"), true);
  for (const [given, kept] of [["abc", "abd"], ["ab", "abc"], ["abcd", "abc"], ["", "abc"], ["abc", ""], ["", ""]]) {
    assert.equal(isSameSecret(given ?? "", kept ?? ""), false, `${given} against ${kept}`);
  }
});

Deno.test("agent secrets: each names its agent, a new one ends the old, and revoked is unknown", () => {
  const kept = secrets();
  const first = kept.issue(main);
  const second = kept.issue(other);
  assert.deepEqual([kept.identify(first), kept.identify(second)], [main, other]);
  const renewed = kept.issue(main);
  assert.deepEqual([kept.identify(first), kept.identify(renewed)], [undefined, main]);
  kept.revoke(main);
  assert.deepEqual([kept.identify(renewed), kept.identify(second), kept.identify("")], [undefined, other, undefined]);
});
