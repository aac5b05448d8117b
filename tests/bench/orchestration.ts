/**
 * How long messages between agents take while 50 agents exchange at once: from the ask to the moment the colleague's
 * program has read the line, and from the reply to the asker's result. Goals: quality table, P6.
 *
 * Each against an empty tool call on the same connections, in two ways: the askers making nothing but empty calls, as
 * many at once, in rounds between those of exchanges (the goals are held against this one, whose server does nothing
 * else); and an empty call just before each ask, which meets the same crowd as the ask does. And once more with one pair
 * alone, where nothing hides what a message costs.
 *
 * Usage: deno task bench:orchestration [ROUNDS]
 */
import assert from "node:assert/strict";
import { median, printRow, quantile, verdict } from "./figures.ts";
import { type ScriptedAgent, type ScriptedAgents, startScriptedAgents } from "./scripted_agents.ts";

const AGENTS = 50;
/** Of each pair in each round. */
const EXCHANGES = 20;
/** Of one pair alone, in each round. */
const QUIET_EXCHANGES = 60;
const GOALS = [{ label: "p50", share: 0.5, goal: 3 }, { label: "p99", share: 0.99, goal: 6 }] as const;

type Pair = readonly [ScriptedAgent, ScriptedAgent];

interface Exchange {
  readonly besideMs: number;
  readonly deliveredMs: number;
  readonly answeredMs: number;
}

interface Round {
  readonly emptyMs: readonly number[];
  readonly exchanges: readonly Exchange[];
  /** That the exchanges took together. */
  readonly seconds: number;
}

async function main(): Promise<void> {
  const rounds = Number(Deno.args[0] ?? 7);
  if (Deno.build.os === "windows") return console.log("skipped: the scripted program needs a Unix terminal");
  await using scripted = await startScriptedAgents(AGENTS);
  const pairs = pairUp(scripted);
  // Conversations are begun, code is compiled.
  await measure(pairs, EXCHANGES);
  const busy: Round[] = [];
  const quiet: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    busy.push(await measure(pairs, EXCHANGES));
    const pair = pairs[round % pairs.length];
    if (pair !== undefined) quiet.push(await measure([pair], QUIET_EXCHANGES));
  }
  printRow("ms", "ours", "empty call", "ratio", "goal", "verdict", "one crowd");
  console.log(`${AGENTS} agents at once`);
  printRounds(busy, { withGoals: true });
  console.log(`two of ${AGENTS}, the others idle`);
  printRounds(quiet, { withGoals: false });
  const perSecond = median(busy.map(({ exchanges, seconds }) => exchanges.length / seconds));
  console.log(
    `\n${rounds} rounds of ${pairs.length * EXCHANGES} exchanges; ${perSecond.toFixed(0)} exchanges a second`,
  );
  console.log("The profile's own pause before Enter is 0 here: it is the CLI's, not ours.");
}

function pairUp({ agents }: ScriptedAgents): readonly Pair[] {
  return agents.flatMap((asker, index): readonly Pair[] => {
    const target = agents[index + 1];
    return index % 2 === 0 && target !== undefined ? [[asker, target]] : [];
  });
}

async function measure(pairs: readonly Pair[], count: number): Promise<Round> {
  const emptyMs = await callAtOnce(pairs, count);
  const begunMs = performance.now();
  const exchanges = await exchangeAtOnce(pairs, count);
  return { emptyMs, exchanges, seconds: (performance.now() - begunMs) / 1_000 };
}

async function callAtOnce(pairs: readonly Pair[], count: number): Promise<readonly number[]> {
  return await inAllPairs(pairs, count, timeEmptyCall);
}

async function exchangeAtOnce(pairs: readonly Pair[], count: number): Promise<readonly Exchange[]> {
  return await inAllPairs(pairs, count, exchange);
}

/** In every pair the two take turns in asking: both at once would wait for each other, which IdeA refuses. */
async function inAllPairs<T>(
  pairs: readonly Pair[],
  count: number,
  work: (asker: ScriptedAgent, target: ScriptedAgent) => Promise<T>,
): Promise<readonly T[]> {
  const all = await Promise.all(pairs.map(async ([one, other]) => {
    const own: T[] = [];
    for (let number = 0; number < count; number++) {
      own.push(await (number % 2 === 0 ? work(one, other) : work(other, one)));
    }
    return own;
  }));
  return all.flat();
}

async function exchange(asker: ScriptedAgent, target: ScriptedAgent): Promise<Exchange> {
  const besideMs = await timeEmptyCall(asker);
  const reading = target.nextLine();
  const askedAtMs = performance.now();
  const asking = asker.call("idea_ask_agent", { target: target.name, task: `What is the state of ${asker.name}?` })
    .then((text) => ({ text, atMs: performance.now() }));
  const { line, readAtMs } = await reading;
  const ticket = /ticket ([0-9a-f-]{36})/.exec(line)?.[1];
  const repliedAtMs = performance.now();
  const replying = target.call("idea_reply", { ticket, result: `All is well, ${ticket}.` });
  const answer = await asking;
  await replying;
  await target.endTurn();
  assert.ok(answer.text.includes(`All is well, ${ticket}.`), answer.text);
  return { besideMs, deliveredMs: readAtMs - askedAtMs, answeredMs: answer.atMs - repliedAtMs };
}

/** The emptiest call of a tool: it looks for a ticket that is not there, and is told so. */
async function timeEmptyCall(agent: ScriptedAgent): Promise<number> {
  const begunMs = performance.now();
  await agent.call("idea_wait_reply", { ticket: "none" });
  return performance.now() - begunMs;
}

function printRounds(rounds: readonly Round[], { withGoals }: { readonly withGoals: boolean }): void {
  for (const [name, key] of [["ask to delivered", "deliveredMs"], ["reply to asker", "answeredMs"]] as const) {
    for (const { label, share, goal } of GOALS) {
      const figures = rounds.map(({ emptyMs, exchanges }) => ({
        ours: quantile(exchanges.map((exchange) => exchange[key]), share),
        empty: quantile(emptyMs, share),
        beside: quantile(exchanges.map(({ besideMs }) => besideMs), share),
      }));
      const ratio = median(figures.map(({ ours, empty }) => ours / empty));
      printRow(
        `  ${name}, ${label}`,
        median(figures.map(({ ours }) => ours)).toFixed(2),
        median(figures.map(({ empty }) => empty)).toFixed(2),
        ratio.toFixed(2),
        withGoals ? `<= ${goal}` : "",
        withGoals ? verdict(ratio <= goal) : "",
        median(figures.map(({ ours, beside }) => ours / beside)).toFixed(2),
      );
    }
  }
}

await main();
