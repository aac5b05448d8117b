/** The skills of a project as MCP prompts: a person of any MCP client picks one, with what it is to be applied to. */
import type { App } from "../core/app/app.ts";
import type { ProjectId } from "../core/ids.ts";
import type { Prompts } from "./contents.ts";

export function createIdeaPrompts(app: Pick<App, "skills" | "events">, projectId: ProjectId): Prompts {
  async function skills() {
    const all = await app.skills.list(projectId);
    return all.ok ? all.value : [];
  }

  return {
    async list() {
      return (await skills()).map(({ name, content }) => ({
        name,
        title: name,
        description: firstLine(content),
        arguments: [{ name: "task", description: "What to apply it to", required: false }],
      }));
    },
    async get(name, { task = "" }) {
      const skill = (await skills()).find((one) => one.name === name);
      if (skill === undefined) return undefined;
      const text = task === "" ? skill.content : `${skill.content}\n\nApply this to: ${task}`;
      return { description: firstLine(skill.content), messages: [{ role: "user", content: { type: "text", text } }] };
    },
    onListChanged(listener) {
      return app.events.subscribe((event) => {
        const isSkills = event.kind === "projectChanged" && event.projectId === projectId &&
          event.what.some((path) => path.startsWith("skills/"));
        if (isSkills) listener();
      });
    },
    complete: () => Promise.resolve([]),
  };
}

function firstLine(content: string): string {
  const line = content.split("\n").find((one) => one.trim() !== "") ?? "";
  return line.replace(/^#+\s*/, "").slice(0, 200);
}
