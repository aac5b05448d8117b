/** The skills an MCP client of a project may use as prompts: the project's own, then the person's. */
import type { Folder } from "../ports/folder.ts";
import { err, ok } from "../result.ts";
import { skillPath, SKILLS_INDEX_PATH, skillsFormat } from "../skills/skills_document.ts";
import { parseDocument } from "../workspace/document.ts";
import type { Skills } from "./app.ts";
import type { Projects } from "./projects.ts";

export function createSkills(projects: Pick<Projects, "opened">, dataFolder: Folder): Skills {
  return {
    async list(projectId) {
      const project = projects.opened(projectId);
      if (project === undefined) return err({ kind: "projectNotOpen", projectId });
      const own = await readSkills(project.folder);
      const names = new Set(own.map(({ name }) => name.toLowerCase()));
      const global = (await readSkills(dataFolder)).filter(({ name }) => !names.has(name.toLowerCase()));
      return ok([...own, ...global]);
    },
  };
}

/** A skill whose file is gone is left out: its entry says nothing that could be done. */
async function readSkills(folder: Folder): Promise<readonly { readonly name: string; readonly content: string }[]> {
  const index = await folder.readText(SKILLS_INDEX_PATH);
  if (!index.ok || index.value === undefined) return [];
  const parsed = parseDocument(skillsFormat, index.value.text);
  if (!parsed.ok) return [];
  const texts = await Promise.all(parsed.value.skills.map(async ({ id, name }) => {
    const text = await folder.readText(skillPath(id));
    return text.ok && text.value !== undefined ? [{ name, content: text.value.text }] : [];
  }));
  return texts.flat();
}
