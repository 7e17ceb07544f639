// Options of marge-bot as rules: those of its configuration file, or of a command line that starts it.
import { problemOfExpression } from '../../rules/language/patterns/patterns.ts'
import { isMap } from '../../rules/language/values/shapes.ts'
import type { Imported, Missing, Written } from './imported.ts'

/** Of the program itself, or what Bellhop does anyway. */
const NOT_NEEDED: ReadonlySet<string> = new Set(
  [
    'auth-token auth-token-file gitlab-url use-https ssh-key ssh-key-file debug cli config-file git-timeout',
    'git-reference-repo approval-reset-timeout rebase-remotely guarantee-final-pipeline',
  ].flatMap((names) => names.split(' ')),
)
const noTrailers = 'Bellhop writes no trailers into commits'
const ofProject = 'a batch lands as the project merges'

/** Why an option that is set has no equal. */
const WITHOUT_EQUAL: Readonly<Record<string, string>> = {
  'add-tested': noTrailers,
  'add-part-of': noTrailers,
  'add-reviewers': noTrailers,
  'impersonate-approvers': 'approvals of the same content count after a rebase',
  'use-merge-strategy': 'a merge queue tests the merge, and leaves the branch as it is',
  'use-no-ff-batches': ofProject,
  'use-merge-commit-batches': ofProject,
  'skip-ci-batches': 'a build always runs its pipeline',
  'merge-order': 'a merge queue has the order of requests',
  'project-regexp': 'name the projects under projects: in an operator’s rule file',
  embargo: 'write freeze: with clock: into the queue',
}

const matching = (fact: string) => (value: string) =>
  problemOfExpression(value) === undefined ? { test: { [fact]: { matches: `^(?:${value})` } } } : undefined

/** What an option adds to conditions and merge queue; undefined: the value cannot be read. */
const CONVERTED: Readonly<Record<string, (value: string) => { test?: Written; queue?: Written } | undefined>> = {
  batch: () => ({ queue: { batch: { most: 5, wait: '1m' }, land: 'push' } }),
  'branch-regexp': matching('target_branch'),
  'source-branch-regexp': matching('source_branch'),
  'ci-timeout': timeout,
  'max-ci-time-in-minutes': (value) => timeout(`${value}min`),
}

function timeout(value: string) {
  const [, number, unit = 's'] = /^(\d{1,6}) ?(h|m|min|s)?$/.exec(value) ?? []
  const minutes = Math.ceil(Number(number) * ({ h: 60, m: 1, min: 1 }[unit] ?? 1 / 60))
  return number === undefined || minutes > 24 * 60 ? undefined : { queue: { timeout: `${Math.max(1, minutes)}m` } }
}

const isOption = (name: string) =>
  [CONVERTED, WITHOUT_EQUAL].some((all) => Object.hasOwn(all, name)) || NOT_NEEDED.has(name)

/** The options of a command line as YAML would have them, with their offsets; undefined if none is marge-bot's. */
export function optionsIn(text: string): { value: Written; places: ReadonlyMap<string, number> } | undefined {
  const option = /(?<=^|[\s"'])--([a-z][a-z-]*)(?:(?:=|[ \t]+(?!-))("[^"\n]*"|'[^'\n]*'|[^\s"'\\]+))?/g
  const found = [...text.matchAll(option)]
  const unquoted = (given: string) => given.replace(/^(["'])(.*)\1$/, '$2')
  const value = Object.fromEntries(found.map(([, name, given]) => [name, given === undefined || unquoted(given)]))
  const places = new Map(found.map(({ 1: name = '', index }) => [name, index]))
  return Object.keys(value).some(isOption) ? { value, places } : undefined
}

/** `user`: the bot's user, to whom merge requests are assigned. Undefined where no option is one of marge-bot. */
export function importMargeBot(document: unknown, user: string): Imported | undefined {
  if (!isMap(document) || !Object.keys(document).some(isOption)) return undefined
  const missing: Missing[] = []
  const test: Written = { assignees: { any: [user] }, draft: false, approved: true }
  const queue: Written = { name: 'main', target: '*' }
  for (const [name, value] of Object.entries(document)) {
    const lack = (message: string) => missing.push({ path: [name], message: `${name}: ${message}` })
    if (value === false || value === null || NOT_NEEDED.has(name)) continue
    const isRead = Object.hasOwn(CONVERTED, name) && typeof value !== 'object'
    const made = isRead ? CONVERTED[name]?.(String(value)) : undefined
    if (made !== undefined) Object.assign(test, made.test) && Object.assign(queue, made.queue)
    else if (Object.hasOwn(CONVERTED, name)) lack('its value cannot be read')
    else lack(Object.hasOwn(WITHOUT_EQUAL, name) ? `${WITHOUT_EQUAL[name]}` : 'marge-bot has no such option')
  }
  const actions = { accept: { queue: 'main' } }
  const rule = { path: [], name: `merge what is assigned to ${user}`, test, actions }
  return { policies: 1, head: { queues: [queue] }, rules: [rule], missing }
}
