// Reads `queues:` of a rule file: the merge queues of its branches.
import type { MergeQueueSettings } from '../../merge-queue/types.ts'
import { factNamed } from '../facts/index.ts'
import { type Definitions, factsIn, MOST_CONDITIONS, readCondition, sizeOf } from './conditions.ts'
import { mayNeverEnd } from './endless.ts'
import { branchPattern, globMatcher } from './patterns/patterns.ts'
import { fillPlaces, namesIn } from './templates.ts'
import { parseDuration } from './values/durations.ts'
import type { Condition, Json, MergeQueueRules } from './values/rule-types.ts'
import {
  bool,
  choice,
  described,
  fields,
  type Issue,
  isMap,
  listOf,
  matching,
  type Path,
  refuse,
  refuseKey,
  type Shape,
  shape,
  textThat,
  whole,
} from './values/shapes.ts'
import { show } from './values/wording.ts'

const MOST_QUEUES = 20
const MOST_TERMS = 20
const MOST_BUILDS = 20
const MINUTE_MS = 60_000
const LEAST_BUILDS = 2

/** The name of a merge queue: it is part of branch names. */
export const queueName = matching('a name of at most 40 letters, digits, - and _', /^[A-Za-z0-9_-]{1,40}$/)

/** A duration in milliseconds. Unlike in ages, seconds count. */
const duration = (words: string, least: number, most: number) =>
  shape(
    `a duration from ${words}, such as 30s, 5m or 1h30m`,
    (value) => {
      if (typeof value !== 'string') return undefined
      const seconds = /^\d{1,6}s$/.test(value) ? Number.parseInt(value, 10) : parseDuration(value, 'calendar')
      const ms = (seconds ?? Number.NaN) * 1000
      return ms >= least && ms <= most ? ms : undefined
    },
    { type: 'string' },
  )

/** Or `auto`: Bellhop chooses the number by the past of the queue. */
const orAuto = <T extends Json>(inner: Shape<T>): Shape<T | 'auto'> => ({
  ...shape(`auto, or ${inner.expected}`, (value) => (value === 'auto' ? value : inner.read(value, [], []))),
  schema: (context) => ({ anyOf: [{ const: 'auto' }, inner.schema(context)] }),
})

const builds = orAuto(whole(1, MOST_BUILDS))
const speculateFields = fields({
  least: described('How many builds at least; 2 where nothing is said.', whole(1, MOST_BUILDS)),
  most: described('How many builds at most. `auto` (the default): 32.', builds),
})
const speculate: Shape<MergeQueueSettings['speculate']> = {
  expected: `${builds.expected}, or ${speculateFields.expected}`,
  schema: (context) => ({ anyOf: [builds.schema(context), speculateFields.schema(context)] }),
  read(value, path, issues) {
    if (!isMap(value)) {
      const both = shape(this.expected, (each) => builds.read(each, path, [])).read(value, path, issues)
      return typeof both === 'number' ? { least: both, most: both } : both
    }
    const read = speculateFields.read(value, path, issues)
    if (read === undefined) return undefined
    const { most = 'auto' } = read
    const limit = most === 'auto' ? MOST_BUILDS : most
    const { least = Math.min(LEAST_BUILDS, limit) } = read
    return least <= limit
      ? { least, most }
      : refuse(issues, { path: [...path, 'least'], expected: `at most ${most}, as most says` })
  },
}

/** A condition that is known without an event. */
const conditionWith = (defs: Definitions): Shape<Condition> => ({
  expected: 'a mapping with at least one condition',
  schema: () => ({ $ref: '#/$defs/condition' }),
  read(value, path, issues) {
    const condition = readCondition(value, path, issues, { defs, onEvents: false })
    const ofEvent = condition === undefined ? undefined : factsIn(condition).find((each) => factNamed(each)?.ofEvents)
    if (ofEvent === undefined) return condition
    return refuse(issues, { path, expected: 'facts that are known without an event', found: ofEvent })
  },
})

export const messagePlaces = ['title', 'iid', 'target_branch'] as const
const message = textThat(
  'one line of at most 200 characters, with {{ title }}, {{ iid }} or {{ target_branch }}',
  (value) => {
    if (value.trim() === '' || value.length > 200 || value.includes('\n')) return false
    const isKnown = namesIn(value).every((name) => (messagePlaces as readonly string[]).includes(name))
    return isKnown && !fillPlaces(value, () => '').includes('{{')
  },
  { maxLength: 200 },
)

/** The schema needs no named conditions. */
const noDefinitions: Definitions = new Map()

function queueFields(defs: Definitions) {
  const condition = conditionWith(defs)
  return fields(
    {
      name: described(
        'The name of the queue, for `accept: { queue: … }`. It is part of the names of its branches.',
        queueName,
      ),
      target: described(
        'The target branch, or a glob of branches. The first queue that fits is that of a branch.',
        branchPattern,
      ),
      test: described(
        '`branch` (the default): what is tested is pushed to a branch of the queue. `rebase`: one after the other, the service rebases each merge request, whose own pipeline decides.',
        choice(['branch', 'rebase']),
      ),
      pipelines: described(
        '`branch` (the default): the pipelines of the queue’s branches count. `merge_request`: Bellhop opens a draft merge request for each build, whose pipelines count.',
        choice(['branch', 'merge_request']),
      ),
      own_pipeline: described(
        'Whether a merge request on top of the target’s head lands without a build if its own pipeline is green (the default).',
        bool,
      ),
      land: described(
        '`accept` (the default): each merge request is merged as the project wants it. `push`: the tested commit is pushed to the target branch.',
        choice(['accept', 'push']),
      ),
      speculate: described(
        'How many builds run at once, each with all before it. `auto` (the default): one for each entry, up to 32. With `least` and `most`, it grows with each success and halves with each failure. `1`: one after the other.',
        speculate,
      ),
      batch: described(
        'How many merge requests one build may test, and how long it waits for them. More than one needs `land: push`.',
        fields({ most: whole(1, MOST_BUILDS), wait: duration('0s to 1h', 0, 60 * MINUTE_MS) }),
      ),
      retries: described(
        'How often a failed build is repeated. `auto` (the default): 1 to 4 times, by how often pipelines failed by chance.',
        orAuto(whole(0, 5)),
      ),
      timeout: described(
        'How long a pipeline may take. `auto` (the default): twice as long as nearly all of the last ones, at least 10m; 90m for the first ten.',
        orAuto(duration('1m to 24h', MINUTE_MS, 1440 * MINUTE_MS)),
      ),
      priority: described(
        'Which entries go first: the first condition that is true gives the priority, and 0 where none is. With `preempts`, they go before builds that run, which are built again behind them.',
        listOf(fields({ if: condition, is: whole(-1000, 1000), preempts: bool }, ['if', 'is']), MOST_TERMS),
      ),
      freeze: described(
        'When nothing is merged, though tests go on: while `if` is true, and `except` is not.',
        listOf(fields({ if: condition, except: condition }, ['if']), MOST_TERMS),
      ),
      message: described(
        'The first line of the message of each merge that the queue makes, with `{{ title }}`, `{{ iid }}` and `{{ target_branch }}`.',
        message,
      ),
      forks: described(
        '`never` (the default): merge requests from forks are not queued. `approved`: those are for whose present head an event of a Maintainer requests it, such as a command.',
        choice(['never', 'approved']),
      ),
      required: described('Whether an `accept` without a queue into the target branch is queued too.', bool),
    },
    ['name', 'target'],
  )
}

export const queuesSchema = listOf(queueFields(noDefinitions), MOST_QUEUES).schema

type Place = (path: Path) => { line: number }

/** The queues of a file in their order. */
export function readQueues(value: unknown, defs: Definitions, issues: Issue[], place: Place): MergeQueueRules[] {
  const before = issues.length
  const read = listOf(queueFields(defs), MOST_QUEUES).read(value, ['queues'], issues)
  if (read === undefined || issues.length > before) return []
  const pathOf = (index: number): Path => (Array.isArray(value) ? ['queues', index] : ['queues'])
  const queues = read.map((each, index): MergeQueueRules => {
    const path = pathOf(index)
    const { batch, timeout, ...said } = each
    if (said.test === 'rebase') refuseNextToRebase(each, path, issues)
    return {
      test: 'branch',
      pipelines: 'branch',
      own_pipeline: true,
      land: 'accept',
      forks: 'never',
      required: false,
      speculate: said.test === 'rebase' ? { least: 1, most: 1 } : 'auto',
      retries: 'auto',
      priority: [],
      freeze: [],
      ...said,
      line: place(path).line,
      batch: { most: batch?.most ?? 1, waitMs: batch?.wait ?? 0 },
      timeoutMs: timeout ?? 'auto',
    }
  })
  for (const [index, queue] of queues.entries()) {
    refuseConflicts(queue, queues.slice(0, index), pathOf(index), issues)
    refuseEndlessFreezes(queue, Array.isArray(value) ? value[index] : value, pathOf(index), issues)
  }
  const conditions = queues.flatMap(({ priority, freeze }) => [
    ...priority.map((each) => each.if),
    ...freeze.flatMap((each) => [each.if, each.except ?? []].flat()),
  ])
  if (sizeOf({ all: conditions }, MOST_CONDITIONS) > MOST_CONDITIONS)
    refuseKey(issues, ['queues'], `at most ${MOST_CONDITIONS} conditions`, 'more of them')
  return queues
}

const isLiteral = (glob: string) => !/[*?[\]{}!\\]/.test(glob)

function refuseConflicts(
  queue: MergeQueueRules,
  before: readonly MergeQueueRules[],
  path: Path,
  issues: Issue[],
): void {
  const { name, target, batch, land, test } = queue
  const sameName = before.find((each) => each.name === name)
  if (sameName !== undefined)
    refuse(issues, {
      path: [...path, 'name'],
      expected: 'a name of its own',
      found: `the name of the queue in line ${sameName.line}, ${show(name)}`,
    })
  const first = before.find(
    (each) => each.target === target || (isLiteral(target) && globMatcher(each.target, 'path')(target)),
  )
  if (first !== undefined)
    refuse(issues, {
      path: [...path, 'target'],
      expected: 'a branch with one queue',
      found: `${show(target)}, which has the queue ${first.name} (line ${first.line})`,
    })
  if (batch.most > 1 && land === 'accept' && test === 'branch')
    refuse(issues, { path: [...path, 'batch', 'most'], expected: '1, or land: push, which lands a batch as a whole' })
}

type Queue = ReturnType<ReturnType<typeof queueFields>['read']>

/** With `test: rebase`, each merge request is tested alone, and the service merges it. */
function refuseNextToRebase(
  { land, speculate: builds, batch, pipelines, own_pipeline: own }: NonNullable<Queue>,
  path: Path,
  issues: Issue[],
): void {
  const why = 'as test: rebase tests one merge request after the other, and merges by accept'
  if (land === 'push') refuse(issues, { path: [...path, 'land'], expected: `accept, ${why}` })
  if (builds !== undefined && (builds === 'auto' || builds.most !== 1))
    refuse(issues, { path: [...path, 'speculate'], expected: `1, ${why}` })
  if (own === false) refuse(issues, { path: [...path, 'own_pipeline'], expected: `true, ${why}` })
  if (pipelines === 'merge_request') refuse(issues, { path: [...path, 'pipelines'], expected: `branch, ${why}` })
  if (batch !== undefined) refuse(issues, { path: [...path, 'batch'], at: 'key', expected: `no batch, ${why}` })
}

function refuseEndlessFreezes({ freeze }: MergeQueueRules, read: unknown, path: Path, issues: Issue[]): void {
  const isList = isMap(read) && Array.isArray(read.freeze)
  for (const [index, each] of freeze.entries())
    if (mayNeverEnd(each.if))
      refuse(issues, {
        path: [...path, 'freeze', ...(isList ? [index] : []), 'if'],
        expected: 'a freeze that ends: by the clock, or because what it is about can change',
        found: 'one that may never end',
      })
}

/** Refuses the names of queues that the file does not have. A file without queues may use those of other files. */
export function refuseUnknownQueues(
  rules: readonly unknown[],
  queues: readonly MergeQueueRules[],
  issues: Issue[],
): void {
  const names = queues.map(({ name }) => name)
  if (names.length === 0) return
  for (const [index, rule] of rules.entries()) {
    const accept = isMap(rule) && isMap(rule.then) ? rule.then.accept : undefined
    if (isMap(accept) && typeof accept.queue === 'string' && !names.includes(accept.queue))
      choice(names).read(accept.queue, ['rules', index, 'then', 'accept', 'queue'], issues)
  }
}
