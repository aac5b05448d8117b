/** Skills of a project, or of the person: an index, and one Markdown file each. */
import { z } from "zod";
import type { SkillId } from "../ids.ts";
import type { DocumentFormat } from "../workspace/document.ts";
import { idSchema } from "../workspace/id_schema.ts";

export interface SkillEntry {
  readonly id: SkillId;
  readonly name: string;
  readonly contentHash: string;
}

export interface SkillsIndex {
  readonly version: number;
  readonly skills: readonly SkillEntry[];
}

export const SKILLS_INDEX_PATH = "skills/index.json";
export const NO_SKILLS: SkillsIndex = { version: 1, skills: [] };

export const skillsFormat: DocumentFormat<SkillsIndex> = {
  version: 1,
  schema: z.looseObject({
    version: z.number().int().positive().default(1),
    skills: z.array(z.looseObject({
      id: idSchema("skill"),
      name: z.string().min(1).max(128),
      contentHash: z.string(),
    })),
  }),
};

export function skillPath(skillId: SkillId): string {
  return `skills/md/${skillId}.md`;
}

/** One skill a name: writing it again replaces it. */
export function putSkill(index: SkillsIndex, entry: SkillEntry): SkillsIndex {
  const others = index.skills.filter((skill) => skill.id !== entry.id);
  return { ...index, skills: [...others, entry] };
}
