// The same rules twice: as a rule file, and as closures that a person would write by hand for them.
import { Minimatch } from 'minimatch'
import { RE2JS } from 're2js'
import type { RuleFileInForce } from '../../src/rules/types.ts'
import { readRules } from './product.ts'

/** What a hand-written rule looks at. */
export interface Plain {
  files: string[]
  labels: string[]
  author: string
  title: string
  draft: boolean
  targetBranch: string
  pipeline: string
}
export type Closure = (mr: Plain) => boolean

interface Twin {
  yaml: string
  closure: Closure
}

/** Each rule's globs are compiled once. */
function compiled(glob: string): (path: string) => boolean {
  const pattern = new Minimatch(glob, { dot: true })
  return (path) => pattern.match(path)
}

/** Kinds of rules as they are found in real files: paths, authors, titles, gates. */
const kinds: ((index: number) => Twin)[] = [
  (index) => {
    const glob = `area-${index % 40}/**`
    const pattern = compiled(glob)
    return { yaml: `{ changed_files: { any: "${glob}" } }`, closure: (mr) => mr.files.some((path) => pattern(path)) }
  },
  (index) => {
    const globs = [index % 2 === 0 ? 'docs/**' : '**/*.md', `area-${index % 40}/**`] as const
    const [one, other] = [compiled(globs[0]), compiled(globs[1])]
    return {
      yaml: `{ changed_files: { all: ["${globs[0]}", "${globs[1]}"] }, draft: false }`,
      closure: (mr) => !mr.draft && mr.files.every((path) => one(path) || other(path)),
    }
  },
  (index) => ({
    yaml: `{ author: [user-${index}, renovate-bot], labels: { any: [dependencies], none: [hold, "blocked::*"] }, pipeline: success }`,
    closure: (mr) =>
      (mr.author === `user-${index}` || mr.author === 'renovate-bot') &&
      mr.labels.includes('dependencies') &&
      !mr.labels.some((label) => label === 'hold' || label.startsWith('blocked::')) &&
      mr.pipeline === 'success',
  }),
  (index) => {
    const pattern = RE2JS.compile(`^(feat|fix)\\(part-${index}\\): `)
    return { yaml: `{ title: { matches: "^(feat|fix)\\\\(part-${index}\\\\): " } }`, closure: (mr) => pattern.matcher(mr.title).find() }
  },
  (index) => ({
    yaml: `{ any: [{ target_branch: release-${index} }, { labels: [urgent-${index}] }], draft: false }`,
    closure: (mr) => !mr.draft && (mr.targetBranch === `release-${index}` || mr.labels.includes(`urgent-${index}`)),
  }),
]

const twins = (count: number): Twin[] =>
  Array.from({ length: count }, (_, index) => (kinds[index % kinds.length] as (typeof kinds)[number])(index))

/** A rule file's text with so many rules. */
export function textOf(count: number, from = 0): string {
  const rules = twins(from + count).slice(from)
  return `version: 1\nrules:\n${rules.map(({ yaml }, index) => `  - name: rule ${from + index}\n    if: ${yaml}\n    then: { label: { add: label-${from + index} } }\n`).join('')}`
}

export function closures(count: number): Closure[] {
  return twins(count).map(({ closure }) => closure)
}

/** As many files as hold them: a file has at most 500 rules. */
export function filesInForce(count: number): RuleFileInForce[] {
  const files: RuleFileInForce[] = []
  for (let from = 0; from < count; from += 500) {
    const path = `rules/${from}.yml`
    const read = readRules(textOf(Math.min(500, count - from), from), path, { trust: 'operator' })
    if (!read.ok) throw new Error(JSON.stringify(read.problems[0]))
    files.push({ rules: read.rules, path, blob: String(from), trust: 'operator', broken: false })
  }
  return files
}
