// The same rules in each language: as a rule file, as hand-written closures, and as bench/peers has them.
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

interface Rule {
  yaml: string
  closure: Closure
  cel: string
  /** For json-logic-js. */
  logic: unknown
  /** For json-rules-engine. */
  conditions: unknown
}
export type Language = Exclude<keyof Rule, 'yaml' | 'closure'>

/** Each rule's globs are compiled once. */
function compiled(glob: string): (path: string) => boolean {
  const pattern = new Minimatch(glob, { dot: true })
  return (path) => pattern.match(path)
}

/** Kinds of rules as they are found in real files: paths, authors, titles, gates. */
const kinds: ((index: number) => Rule)[] = [
  (index) => {
    const glob = `area-${index % 40}/**`
    const pattern = compiled(glob)
    return {
      yaml: `{ changed_files: { any: "${glob}" } }`,
      closure: (mr) => mr.files.some((path) => pattern(path)),
      cel: `files.exists(path, fits(path, "${glob}"))`,
      logic: { some: [{ var: 'files' }, { fits: [{ var: '' }, glob] }] },
      conditions: { all: [{ fact: 'files', operator: 'hasOneLike', value: glob }] },
    }
  },
  (index) => {
    const globs = [index % 2 === 0 ? 'docs/**' : '**/*.md', `area-${index % 40}/**`] as const
    const [one, other] = [compiled(globs[0]), compiled(globs[1])]
    return {
      yaml: `{ changed_files: { all: ["${globs[0]}", "${globs[1]}"] }, draft: false }`,
      closure: (mr) => !mr.draft && mr.files.every((path) => one(path) || other(path)),
      cel: `!draft && files.all(path, fits(path, "${globs[0]}") || fits(path, "${globs[1]}"))`,
      logic: {
        and: [
          { '!': { var: 'draft' } },
          { all: [{ var: 'files' }, { or: globs.map((glob) => ({ fits: [{ var: '' }, glob] })) }] },
        ],
      },
      conditions: {
        all: [
          { fact: 'draft', operator: 'equal', value: false },
          { fact: 'files', operator: 'areLike', value: globs },
        ],
      },
    }
  },
  (index) => ({
    yaml: `{ author: [user-${index}, renovate-bot], labels: { any: [dependencies], none: [hold, "blocked::*"] }, pipeline: success }`,
    closure: (mr) =>
      (mr.author === `user-${index}` || mr.author === 'renovate-bot') &&
      mr.labels.includes('dependencies') &&
      !mr.labels.some((label) => label === 'hold' || label.startsWith('blocked::')) &&
      mr.pipeline === 'success',
    cel: `author in ["user-${index}", "renovate-bot"] && "dependencies" in labels && !labels.exists(label, label == "hold" || label.startsWith("blocked::")) && pipeline == "success"`,
    logic: {
      and: [
        { in: [{ var: 'author' }, [`user-${index}`, 'renovate-bot']] },
        { in: ['dependencies', { var: 'labels' }] },
        { none: [{ var: 'labels' }, { or: [{ '==': [{ var: '' }, 'hold'] }, { fits: [{ var: '' }, 'blocked::*'] }] }] },
        { '==': [{ var: 'pipeline' }, 'success'] },
      ],
    },
    conditions: {
      all: [
        { fact: 'author', operator: 'in', value: [`user-${index}`, 'renovate-bot'] },
        { fact: 'labels', operator: 'contains', value: 'dependencies' },
        { fact: 'labels', operator: 'doesNotContain', value: 'hold' },
        { not: { fact: 'labels', operator: 'hasOneLike', value: 'blocked::*' } },
        { fact: 'pipeline', operator: 'equal', value: 'success' },
      ],
    },
  }),
  (index) => {
    const expression = `^(feat|fix)\\(part-${index}\\): `
    const pattern = RE2JS.compile(expression)
    return {
      yaml: `{ title: { matches: ${JSON.stringify(expression)} } }`,
      closure: (mr) => pattern.matcher(mr.title).find(),
      cel: `finds(title, ${JSON.stringify(expression)})`,
      logic: { finds: [{ var: 'title' }, expression] },
      conditions: { all: [{ fact: 'title', operator: 'finds', value: expression }] },
    }
  },
  (index) => ({
    yaml: `{ any: [{ target_branch: release-${index} }, { labels: [urgent-${index}] }], draft: false }`,
    closure: (mr) => !mr.draft && (mr.targetBranch === `release-${index}` || mr.labels.includes(`urgent-${index}`)),
    cel: `!draft && (targetBranch == "release-${index}" || "urgent-${index}" in labels)`,
    logic: {
      and: [
        { '!': { var: 'draft' } },
        {
          or: [{ '==': [{ var: 'targetBranch' }, `release-${index}`] }, { in: [`urgent-${index}`, { var: 'labels' }] }],
        },
      ],
    },
    conditions: {
      all: [
        { fact: 'draft', operator: 'equal', value: false },
        {
          any: [
            { fact: 'targetBranch', operator: 'equal', value: `release-${index}` },
            { fact: 'labels', operator: 'contains', value: `urgent-${index}` },
          ],
        },
      ],
    },
  }),
]

const rulesOf = (count: number): Rule[] =>
  Array.from({ length: count }, (_, index) => (kinds[index % kinds.length] as (typeof kinds)[number])(index))

/** A rule file's text with so many rules. */
export function textOf(count: number, from = 0): string {
  const rules = rulesOf(from + count).slice(from)
  return `version: 1\nrules:\n${rules.map(({ yaml }, index) => `  - name: rule ${from + index}\n    if: ${yaml}\n    then: { label: { add: label-${from + index} } }\n`).join('')}`
}

export function closures(count: number): Closure[] {
  return rulesOf(count).map(({ closure }) => closure)
}

export function rulesIn(language: Language, count: number): unknown[] {
  return rulesOf(count).map((rule) => rule[language])
}

/** For languages that can neither: each glob and expression is compiled once. */
export function matching(): Record<'fits' | 'finds', (text: string, pattern: string) => boolean> {
  const globs = new Map<string, (path: string) => boolean>()
  const expressions = new Map<string, RE2JS>()
  const once = <T>(known: Map<string, T>, pattern: string, compile: (pattern: string) => T): T => {
    const found = known.get(pattern) ?? compile(pattern)
    known.set(pattern, found)
    return found
  }
  return {
    fits: (path, glob) => once(globs, glob, compiled)(path),
    finds: (text, expression) =>
      once(expressions, expression, (each) => RE2JS.compile(each))
        .matcher(text)
        .find(),
  }
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
