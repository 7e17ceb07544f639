// Reads the keys of a rule file other than its rules: projects, mode, and files of other projects that it includes.
import { projectPatterns } from '../patterns/patterns.ts'
import { modeShape } from '../policy.ts'
import type { Include, Json, RuleFile } from '../values/rule-types.ts'
import { fields, type Issue, listOf, refuseKey, type Shape, text, textThat } from '../values/shapes.ts'

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

const MOST_INCLUDES = 10
const LONGEST_PATH = 500
const pathThat = (expected: string, fits: (path: string) => boolean) =>
  textThat(expected, (path) => path.length <= LONGEST_PATH && fits(path), { maxLength: LONGEST_PATH })

const project = pathThat('the full path of a project, such as hotel/rules', (path) =>
  /^[\w.-]+(\/[\w.-]+)+$/.test(path),
)

// Only one spelling of a path, so that a merge request that changes the file is recognized.
const file = pathThat(
  'the path of a .yml file in that project',
  (path) => /^[^\p{Cc}]+\.ya?ml$/u.test(path) && !path.split('/').some((step) => ['', '.', '..'].includes(step)),
)

const one = fields({ project, file, ref: text(255, 'a commit (40 digits) or a tag') }, ['project', 'file'])

/** `include: { project: hotel/rules, file: merge.yml, ref: v1 }`, or a list of them. */
export const includes = listOf(one, MOST_INCLUDES)

/** The included file's name in decisions and problems. */
export function nameOf({ project: of, file: path, ref }: Include): string {
  return `${of}:${path}${ref === undefined ? '' : `@${ref}`}`
}
