// Policies of gitlab-triage as rules: its conditions, actions, and the Ruby that people write most, as tables.
import { isMap, type Path } from '../../rules/language/values/shapes.ts'
import { type Imported, joined, type Missing, textsIn, type Written } from './imported.ts'

/** All conditions that it means; undefined: it has no equal. */
type Convert = (value: unknown, policy: Written) => Written[] | undefined

const SUBJECTS: Readonly<Record<string, Written>> = { issues: { for: 'issues' }, merge_requests: {} }
const UNITS: Readonly<Record<string, (count: number) => string>> = {
  minutes: (count) => `${count}m`,
  hours: (count) => `${count}h`,
  days: (count) => `${count}d`,
  weeks: (count) => `${count * 7}d`,
  months: (count) => `${count * 30}d`,
  years: (count) => `${count * 365}d`,
}
const AGES: Readonly<Record<string, string>> = { created_at: 'age', updated_at: 'updated' }
const COMPARISONS: Readonly<Record<string, string>> = { greater_than: 'more_than', less_than: 'less_than' }
const COUNTS: Readonly<Record<string, string>> = {
  upvotes: 'upvotes',
  downvotes: 'downvotes',
  notes: 'user_notes_count',
}
const NO_LABEL = { labels: { none: '*' } }

/** What a table has for a word: `constructor` is none of its own. */
const wordIn = <T>(table: Readonly<Record<string, T>>, word: unknown): T | undefined =>
  typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined

const MOST_NAMES = 100

/** `a::{b, c}` and `v{1..3}` stand for several labels; no more than one too many. */
function alternatives(label: string): string[] {
  const [all, before = '', inside = '', after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(label) ?? []
  const [, from, to] = /^(\d{1,6})\.\.(\d{1,6})$/.exec(inside) ?? []
  const length = Math.min(Number(to) - Number(from), MOST_NAMES) + 1
  if (all === undefined || label.length > 1000 || length < 1) return [label]
  const parts = from === undefined ? inside.split(',') : Array.from({ length }, (_, at) => String(Number(from) + at))
  const found: string[] = []
  for (const part of parts)
    if (found.length <= MOST_NAMES) found.push(...alternatives(`${before}${part.trim()}${after}`))
  return found
}

/** The labels for which texts stand; undefined: none, too many, or one is a glob. */
function namesIn(value: unknown): string[] | undefined {
  const names = textsIn(value)?.flatMap(alternatives) ?? []
  const isWhole = names.length > 0 && names.length <= MOST_NAMES && names.every((name) => !/[*?[\]{}\\]/.test(name))
  return isWhole ? names : undefined
}

function labels(value: unknown): Written[] | undefined {
  return allOf(textsIn(value), (label) => {
    if (/^no(ne|[ _]label)$/i.test(label)) return NO_LABEL
    if (/^any$/i.test(label)) return { labels: { any: '*' } }
    const names = namesIn(label)
    return names && { labels: names }
  })
}

/** Undefined where one of them is. */
function allOf<T>(items: readonly T[] | undefined, convert: (item: T) => Written | undefined): Written[] | undefined {
  const all = items?.map(convert)
  return all?.every((each) => each !== undefined) ? all : undefined
}

const same =
  (fact: string, values?: readonly unknown[]): Convert =>
  (value) =>
    (values?.includes(value) ?? typeof value === 'string') ? [{ [fact]: value }] : undefined

function counted(value: unknown): Written[] | undefined {
  const { attribute, condition, threshold } = isMap(value) ? value : {}
  const [fact, operator] = [wordIn(COUNTS, attribute), wordIn(COMPARISONS, condition)]
  return fact && operator && Number.isInteger(threshold) ? [{ [fact]: { [operator]: threshold } }] : undefined
}

const memberOf =
  (fact: string): Convert =>
  (value) => {
    const { source, condition, source_id } = isMap(value) ? value : {}
    if (source !== 'group' || typeof source_id !== 'string') return undefined
    const group = { members_of: source_id }
    return wordIn({ member_of: [{ [fact]: group }], not_member_of: [{ [fact]: { not: group } }] }, condition)
  }

const conditions: Readonly<Record<string, Convert>> = {
  state: (value) => (value === 'all' ? [] : same('state', ['opened', 'closed', 'merged', 'locked'])(value, {})),
  labels,
  forbidden_labels(value) {
    const none = namesIn(value)
    return none && [{ labels: { none } }]
  },
  no_additional_labels(value, policy) {
    if (value !== true) return value === false ? [] : undefined
    if (!Object.hasOwn(policy, 'labels')) return [NO_LABEL]
    const all = namesIn(policy.labels)
    return all && [{ labels: { all } }]
  },
  milestone(value) {
    const [title, another] = textsIn(value) ?? []
    if (title === undefined || another !== undefined || title.startsWith('#')) return undefined
    if (/^(none|no milestone|0)$/i.test(title)) return [{ milestone: null }]
    return [{ milestone: /^any$/i.test(title) ? { not: null } : title }]
  },
  date(value) {
    const { attribute, condition, interval_type, interval } = isMap(value) ? value : {}
    const [fact, ago] = [wordIn(AGES, attribute), wordIn(UNITS, interval_type)?.(Number(interval))]
    const isRead = Number.isInteger(interval) && (condition === 'older_than' || condition === 'newer_than')
    return fact && ago && isRead ? [{ [fact]: { [condition]: ago } }] : undefined
  },
  votes: counted,
  upvotes: counted,
  discussions: counted,
  weight(value) {
    if (Number.isInteger(value)) return [{ weight: value }]
    return wordIn({ None: [{ weight: 0 }], Any: [{ weight: { more_than: 0 } }] }, value)
  },
  draft: same('draft', [true, false]),
  author_username: same('author'),
  author_member: memberOf('author'),
  assignee_member: memberOf('assignees'),
  source_branch: same('source_branch'),
  target_branch: same('target_branch'),
  issue_type: same('issue_type'),
  ruby: (value) => (typeof value === 'string' ? rubyParts(value) : undefined),
}

const fieldOf = (names: string) => String.raw`resource\[["':]?(${names})["']?\]`
const assignees = fieldOf('assignees')
const words = fieldOf('title|description')
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** The expressions that people write most, by the fields of the resource. */
const RUBY: readonly [string, (...found: string[]) => Written][] = [
  [`${assignees}\\.(?:length|size|count) > 0`, () => ({ assigned: true })],
  [`${assignees}\\.(?:(?:length|size|count) == 0|empty\\?)`, () => ({ assigned: false })],
  [`closes_issues\\.size > 0`, () => ({ closes_issues: { any: '*' } })],
  [
    `resource\\[["']time_stats["']\\]\\[["'](time_estimate|total_time_spent)["']\\] (==|!=) 0`,
    (field, operator) => ({
      [field === 'time_estimate' ? field : 'time_spent']: operator === '==' ? '0m' : { more_than: '0m' },
    }),
  ],
  [`(not |! ?)?${fieldOf('work_in_progress|draft')}`, (not) => ({ draft: !not })],
  [
    `(not |! ?)?${words}(\\.downcase)?\\.match\\??\\(/(.*)/(i?)\\)`,
    (not, field = '', lower, pattern, flag) => {
      // Ruby's ^ and $ are those of each line.
      const flags = `${lower || flag ? 'i' : ''}${field === 'description' ? 'm' : ''}`
      const matches = `${flags && `(?${flags})`}${pattern}`
      return { [field]: not ? { not: { matches } } : { matches } }
    },
  ],
  [
    `${words}\\.include\\?\\(["']([^"'\\\\]+)["']\\)`,
    (field = '', text = '') => ({ [field]: { matches: escaped(text) } }),
  ],
  [`not ${fieldOf('description')} or ${fieldOf('description')} == ""`, () => ({ description: '' })],
]

function rubyParts(text: string): Written[] | undefined {
  // What is put into a text is not known; `not` and `or` bind less than `&&`, and as much as `and`.
  if (/#\{|\bnot\b.*&&|\band\b.*\bor\b/s.test(text)) return undefined
  return allOf(text.trim().split(/ *&& *|\s+and\s+/), (part) => {
    for (const [expression, convert] of RUBY) {
      const found = new RegExp(`^${expression}$`).exec(part.trim())
      if (found !== null) return convert(...found.slice(1))
    }
    return undefined
  })
}

/** Facts by the names that texts have there. */
const PLACES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['title', 'web_url', 'labels', 'state', 'milestone', 'upvotes', 'downvotes', 'assignees', 'reviewers'].map(
      (name) => [name, `{{ ${name} }}`],
    ),
  ),
  author: '@{{ author }}',
}
const QUICK_ACTIONS: readonly [RegExp, (value: string) => Written][] = [
  [/^\/label ~"?([^"~]+?)"?$/, (label) => ({ label: { add: [label] } })],
  [/^\/unlabel ~"?([^"~]+?)"?$/, (label) => ({ label: { remove: [label] } })],
  [/^\/milestone %"?([^"%]+?)"?$/, (milestone) => ({ milestone })],
  [/^\/assign @([\w.-]+)$/, (assign) => ({ assign })],
  [/^\/rebase()$/, () => ({ rebase: true })],
  [/^\/close()$/, () => ({ close: true })],
]

/** The actions of a text: its note, and those that its lines request; undefined: it has no equal. */
function comment(value: unknown): Written | undefined {
  if (typeof value !== 'string' || value.includes('#{')) return undefined
  const done: Written = {}
  const lines: string[] = []
  for (const line of value.split('\n')) {
    if (!line.startsWith('/')) {
      lines.push(line)
      continue
    }
    const [action] = QUICK_ACTIONS.flatMap(([pattern, convert]) => {
      const found = pattern.exec(line.trim())
      return found === null ? [] : [convert(found[1] ?? '')]
    })
    if (action === undefined) return undefined
    addAction(done, action)
  }
  let isKnown = true
  const text = lines.join('\n').replaceAll(/\{\{(.*?)\}\}/gs, (_all, name: string) => {
    const place = wordIn(PLACES, name.trim())
    isKnown &&= place !== undefined
    return place ?? ''
  })
  if (!isKnown) return undefined
  return text.trim() === '' ? done : { ...done, comment: text }
}

/** Undefined: it has no equal. */
const actions: Readonly<Record<string, (value: unknown) => Written | undefined>> = {
  labels: (value) => ({ label: { add: textsIn(value) ?? [] } }),
  remove_labels: (value) => ({ label: { remove: textsIn(value) ?? [] } }),
  status: (value) => (value === 'close' ? { close: true } : undefined),
  comment,
  mention(value) {
    const names = textsIn(value) ?? []
    const isWhole = names.length > 0 && names.every((name) => /^[\w./-]+$/.test(name))
    return isWhole ? { comment: names.map((name) => `@${name}`).join(' ') } : undefined
  },
  redact_confidential_resources: () => ({}),
}

/** Reads `resource_rules`; undefined if there are none. */
export function importGitlabTriage(document: unknown): Imported | undefined {
  const resources = isMap(document) ? withMerged(document.resource_rules) : undefined
  if (!isMap(resources)) return undefined
  const imported: Imported = { policies: 0, rules: [], missing: [] }
  for (const [resource, given] of Object.entries(resources)) {
    const at = ['resource_rules', resource]
    const { rules, ...others } = isMap(given) ? given : {}
    const policies = Array.isArray(rules) ? rules : []
    imported.policies += policies.length
    const subject = wordIn(SUBJECTS, resource)
    if (subject === undefined) imported.missing.push({ path: at, message: `there are no rules for ${resource}` })
    for (const key of Object.keys(others)) imported.missing.push({ path: [...at, key], message: `${key} has no equal` })
    if (subject !== undefined)
      for (const [index, policy] of policies.entries()) addPolicy(imported, subject, [...at, 'rules', index], policy)
  }
  return imported
}

function addPolicy({ rules, missing }: Imported, subject: Written, path: Path, given: unknown): void {
  const policy = isMap(given) ? given : {}
  const lacks: Missing[] = []
  const note = (keys: Path, message: string) => void lacks.push({ path: [...path, ...keys], message })
  const tests = isMap(policy.conditions) ? policy.conditions : {}
  const met = Object.entries(tests).flatMap(([key, value]) => {
    const found = wordIn(conditions, key)?.(value, tests)
    if (found === undefined) note(['conditions', key], `the condition ${key} has no equal: not converted`)
    return found ?? []
  })
  // Without one of its conditions it would act on more.
  const isWhole = lacks.length === 0
  const done: Written = {}
  for (const [key, value] of Object.entries(isMap(policy.actions) ? policy.actions : {})) {
    const action = wordIn(actions, key)?.(value)
    if (action === undefined) note(['actions', key], `the action ${key} has no equal`)
    else addAction(done, action)
  }
  if (Object.hasOwn(policy, 'limits')) note(['limits'], 'limits has no equal: the rule acts on all that match')
  const isDone = Object.keys(done).length > 0
  if (isWhole && !isDone) note(['name'], 'no action is left: not converted')
  missing.push(...lacks)
  const test = met.length === 0 ? { state: 'opened' } : joined(met)
  if (isWhole && isDone) rules.push({ path, name: policy.name ?? 'unnamed', subject, test, actions: done })
}

function addAction(done: Written, action: Written): void {
  for (const [name, value] of Object.entries(action)) {
    const before = done[name]
    if (isMap(before) && isMap(value)) done[name] = joinedLists(before, value)
    else done[name] = name === 'comment' && before !== undefined ? `${before}\n\n${value}` : value
  }
}

const joinedLists = (one: Written, other: Written): Written => ({
  ...one,
  ...Object.fromEntries(Object.entries(other).map(([key, value]) => [key, [one[key] ?? [], value].flat()])),
})

/** With what `<<` names, as that program reads YAML. */
function withMerged(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMerged)
  if (!isMap(value)) return value
  const { '<<': merged, ...own } = value
  const others = [merged].flat().map(withMerged).filter(isMap)
  const entries = others.toReversed().flatMap((each) => Object.entries(each))
  return Object.fromEntries([...entries, ...Object.entries(own).map(([key, each]) => [key, withMerged(each)] as const)])
}
