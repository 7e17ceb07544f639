// Rule files whose patterns take as much as they may: how long they hold the event loop in one stretch.
import { decide, emptyMemory, readRules } from '../rules/product.ts'

const noise = 'abcdefghijklm opq '.repeat(6000)
const ruleOf = (condition: string, index: number) =>
  `  - name: r${index}\n    if: ${condition}\n    then: { subscribe: true }\n`
const expressions = (count: number, expression: (index: number) => string) =>
  `version: 1\nrules:\n${Array.from({ length: count }, (_, index) => ruleOf(`{ description: { matches: ${JSON.stringify(expression(index))} } }`, index)).join('')}`
const globs = (count: number, glob: (index: number) => string) =>
  `version: 1\nrules:\n${Array.from({ length: count }, (_, index) => ruleOf(`{ changed_files: { any: ${JSON.stringify(glob(index))} } }`, index)).join('')}`

interface Hostile {
  rules: string
  description: string
  files: number
}

export const hostileFiles: Record<string, Hostile> = {
  'the largest expressions': {
    rules: expressions(10, (index) => `${index}?(?:[a-m].{0,230}x)?(?:[a-m].{0,230}y)?[!-/]$`),
    description: noise.slice(0, 1050),
    files: 1,
  },
  'many small expressions over a long text': {
    rules: expressions(180, (index) => `${index}?(?:[a-m].{0,5}x)?(?:[a-m].{0,5}y)?[!-/]$`),
    description: noise.slice(0, 20_000),
    files: 1,
  },
  'many globs over 3,000 files': { rules: globs(400, (index) => `*a*b*${index}/{x,y}*`), description: '', files: 3000 },
}

/** Decides about a merge request by a hostile file, in one stretch without a look at the event loop. */
export function decideBy({ rules, description, files }: Hostile): () => void {
  const read = readRules(rules, 'f', { trust: 'repository' })
  if (!read.ok) throw new Error(`it is refused: ${read.problems[0]?.message}`)
  const ok = (body: unknown) => ({ ok: true as const, body, complete: true })
  const sha = 'a'.repeat(40)
  const mergeRequest = {
    iid: 7,
    state: 'opened',
    title: 'It',
    description,
    sha,
    diff_refs: { head_sha: sha },
    labels: [],
  }
  const changed = Array.from({ length: files }, (_, index) => ({
    old_path: `src/a${index}/file.ts`,
    new_path: `src/a${index}/file.ts`,
    diff: '',
  }))
  const input = {
    files: [{ rules: read.rules, path: 'f', blob: 'b', trust: 'repository' as const, broken: false }],
    mergeRequest: { project: 1, iid: 7 },
    answers: { mergeRequest: ok(mergeRequest), changes: ok({ ...mergeRequest, changes: changed }) },
    memory: emptyMemory(),
    events: [],
    now: '2026-01-11T00:00:00Z',
    bot: { id: 9, username: 'bellhop' },
    project: { mergeRequestPipelines: false },
  }
  return () => void decide(input)
}
