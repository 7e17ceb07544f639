// Reads the keys of a rule file other than its rules: projects, mode, include.
import { includes } from '../include.ts'
import { projectPatterns } from '../patterns/project-patterns.ts'
import { modeShape } from '../policy.ts'
import type { Json, RuleFile } from '../values/rule-types.ts'
import { type Issue, refuseKey, type Shape } from '../values/shapes.ts'

/** Who wrote the file. Its allowed keys depend on it. */
export type FileKind = 'operator' | 'repository' | 'included'

export const headKeys = ['mode', 'projects', 'include', 'queues'] as const

/** Keys that only some kinds of files may have. */
const restrictedKeys: Record<string, { kinds: readonly FileKind[]; expected: string }> = {
  projects: { kinds: ['operator'], expected: 'a rule file of the operator' },
  include: { kinds: ['repository'], expected: "a repository's own rule file" },
  queues: { kinds: ['operator', 'repository'], expected: 'a file that is not included' },
}
const kindNames: Record<FileKind, string> = {
  operator: 'a rule file of the operator',
  repository: "a repository's rule file",
  included: 'a file that is included itself',
}

/** Reads these keys, and refuses those that this kind of file may not have. */
export function readHead(
  value: Record<string, unknown>,
  kind: FileKind,
  issues: Issue[],
): Omit<RuleFile, 'file' | 'rules'> {
  for (const [key, only] of Object.entries(restrictedKeys)) {
    if (Object.hasOwn(value, key) && !only.kinds.includes(kind))
      refuseKey(issues, [key], only.expected, `${key} in ${kindNames[kind]}`)
  }
  const read = <T extends Json>(key: string, shape: Shape<T>) =>
    Object.hasOwn(value, key) ? shape.read(value[key], [key], issues) : undefined
  const mode = read('mode', modeShape)
  const projects = kind === 'operator' ? read('projects', projectPatterns) : undefined
  const include = kind === 'repository' ? read('include', includes) : undefined
  return { mode, projects, include }
}
