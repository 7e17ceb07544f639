// One merge request as the service would tell it, and the ways that the tests of the rules look at it.
import type { Action } from '../../src/rules/actions/definition/action.ts'
import { actionNamed } from '../../src/rules/actions/index.ts'
import { type DecideInput, decide } from '../../src/rules/engine/decide.ts'
import { emptyMemory, remember } from '../../src/rules/engine/update-memory.ts'
import { type Fact, isFactOf } from '../../src/rules/facts/definition/fact.ts'
import { issueRef } from '../../src/rules/facts/definition/subject-ref.ts'
import { facts } from '../../src/rules/facts/index.ts'
import { formatProblem, readRules } from '../../src/rules/language/documents/rule-document.ts'
import type { Json, RuleFileInForce, Subject, Trust } from '../../src/rules/language/values/rule-types.ts'
import {
  base,
  bot,
  head,
  issueAnswers,
  ordinaryAnswers,
  ordinaryIssue,
  ordinaryMergeRequest,
} from '../../src/rules/testing/ordinary-merge-request.ts'
import type { Call, CallResponse, Decision, Memory, SourceAnswer, SourceAnswers } from '../../src/rules/types.ts'

export { base, bot, head }

/** The heads of the branch to backport to, and of what was picked onto that. */
export const [stableSha, pickedSha] = ['b'.repeat(40), 'c'.repeat(40)]

type Fields = Record<string, unknown>

/** The facts that what a rule acts on has, by name. */
export const factsOf = (subject: Subject): [string, Fact][] =>
  Object.entries<Fact>(facts as Record<string, Fact>).filter(([, fact]) => isFactOf(fact, subject))

/** An ordinary merge request of a service without `draft`, `assignees`, `has_conflicts`, `diff_refs`; with `fields`. */
export function mergeRequest(fields: Fields = {}): Fields {
  const {
    draft: _draft,
    assignees: _assignees,
    has_conflicts: _conflicts,
    diff_refs: _refs,
    ...ordinary
  } = ordinaryMergeRequest('2026-01-11T00:00:00Z')
  return {
    ...ordinary,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-10T00:00:00Z',
    upvotes: 1,
    work_in_progress: false,
    ...fields,
  }
}

export const change = (path: string, from = path, diff = '@@ -1 +1 @@\n-a\n+b\n') => ({
  old_path: from,
  new_path: path,
  diff,
})
export const answer = (body: unknown, complete = true) => ({ ok: true as const, body, complete })
export const refused = (status = 404, reason = String(status)): SourceAnswer => ({ ok: false, reason, status })

/** The head pipeline in this status. */
export const pipeline = (status: string, more: Fields = {}) => ({
  head_pipeline: { id: 5, sha: head, ref: 'feature', status, source: 'push', ...more },
})

export const trains = {
  project: answer({ default_branch: 'main', merge_trains_enabled: true, merge_pipelines_enabled: true }),
}

/** The changed files of the merge request with these fields. */
export const changesAnswer = (list: unknown, fields: Fields = {}, complete = true) =>
  answer(
    { ...mergeRequest({ changes_count: String(Array.isArray(list) ? list.length : 1), ...fields }), changes: list },
    complete,
  )

/** Every source answered; `other` bodies replace the ordinary ones. */
export function answers(fields: Fields = {}, other: SourceAnswers = {}): SourceAnswers {
  const mr = mergeRequest(fields)
  return {
    ...ordinaryAnswers('2026-01-11T00:00:00Z'),
    mergeRequest: answer(mr),
    versions: answer([{ id: 1, head_commit_sha: mr.sha, created_at: '2026-01-01T00:00:00Z' }]),
    commits: answer([{ id: mr.sha, title: 'Add a door', message: 'Add a door', author_email: 'alice@example.com' }]),
    landingCommits: answer([{ id: mr.sha, message: 'Add a door' }]),
    changes: answer({ ...mr, changes: [change('src/door.ts')] }),
    mergedOfAuthor: answer([]),
    'user@carol': answer([{ id: 3, username: 'carol' }]),
    'milestone@17.0': answer([{ id: 4, title: '17.0' }]),
    ...Object.fromEntries(
      ['a', ...['policy', 'draft', 'other', 'new'].map((name) => `bellhop/${name}`)].map((name) => [
        `statuses@${name}`,
        answer([]),
      ]),
    ),
    'branch@stable-1.2': answer({ name: 'stable-1.2', commit: { id: stableSha } }),
    'branch@backport/7-to-stable-1.2': refused(),
    'mergeRequestsFrom@backport/7-to-stable-1.2': answer([]),
    [`commonWithTarget@${mr.sha}`]: answer({ id: mr.sha }),
    [`history@${mr.sha}`]: answer([{ id: mr.sha, parent_ids: [base] }]),
    ...other,
  }
}

/** Every source of the ordinary issue answered; `fields` are laid over it. */
function answersOfIssue(fields: Fields = {}, other: SourceAnswers = {}): SourceAnswers {
  const now = '2026-01-11T00:00:00Z'
  return {
    ...issueAnswers(now),
    mergeRequest: answer({ ...ordinaryIssue(now), ...fields }),
    'user@carol': answer([{ id: 3, username: 'carol' }]),
    'milestone@17.0': answer([{ id: 4, title: '17.0' }]),
    ...other,
  }
}

/** What rules for issues decide about the issue `#7`. */
export const ofIssue = (fields: Fields = {}, other: SourceAnswers = {}) => ({
  mergeRequest: issueRef(1, 7),
  answers: answersOfIssue(fields, other),
})

/** One rule for issues. */
export const issueRule = (conditions: string, actions: string, more = '') =>
  `  - name: the rule\n    for: issues\n${more}    if: ${conditions}\n    then: ${actions}\n`

/** One rule for issues, evaluated and planned for `#7`. */
export const decideIssue = (conditions: string, actions: string, changes: Partial<DecideInput> = {}): Decision =>
  decidedBy(rules(issueRule(conditions, actions)), { ...ofIssue(), ...changes })

/** Bellhop's own approval stands. */
export const approvedByBot: SourceAnswers = {
  approvals: answer({ approvals_left: 0, approved_by: [{ user: bot }], user_has_approved: true }),
}

/** A rule file in force; throws with its problems where it has any. */
export function file(text: string, options: { trust?: Trust; path?: string; broken?: boolean } = {}): RuleFileInForce {
  const {
    trust = 'operator',
    path = trust === 'operator' ? 'rules/test.yml' : '.bellhop.yml',
    broken = false,
  } = options
  const read = readRules(text, path, { trust })
  if (!read.ok) throw new Error(read.problems.map(formatProblem).join('\n'))
  return { rules: read.rules, path, blob: 'b1', trust, broken }
}

/** What `check` says of a rule file. */
export function problemsIn(text: string, path = 'f.yml', trust: Trust = 'operator'): string[] {
  const read = readRules(text, path, { trust })
  return read.ok ? [] : read.problems.map(formatProblem)
}

/** One rule; `conditions` and `actions` are flow mappings of YAML. */
export const rule = (conditions: string, actions: string, name = 'the rule') =>
  `  - name: ${JSON.stringify(name)}\n    if: ${conditions}\n    then: ${actions}\n`
export const rules = (...texts: string[]) => `version: 1\nrules:\n${texts.join('')}`

export function input(files: RuleFileInForce[], changes: Partial<DecideInput> = {}): DecideInput {
  return {
    files,
    mergeRequest: { project: 1, iid: 7 },
    answers: answers(),
    memory: emptyMemory(),
    events: [],
    now: '2026-01-11T00:00:00Z',
    bot,
    project: { mergeRequestPipelines: false },
    ...changes,
  }
}

/** The sources that one rule still needs. */
export function needsOf(
  conditions: string,
  actions: string,
  given: SourceAnswers,
  trust: Trust = 'operator',
): string[] {
  const result = decide(input([file(rules(rule(conditions, actions)), { trust })], { answers: given }))
  return 'needs' in result ? result.needs : []
}
export const onlyMergeRequest = (fields: Fields = {}) => ({ mergeRequest: answer(mergeRequest(fields)) })

/** The decision where every answer that is needed is given; throws where one is missing. */
export function decided(given: DecideInput): Decision {
  const result = decide(given)
  if ('needs' in result) throw new Error(`needs ${result.needs.join(', ')}`)
  return result.decision
}

/** The decision with only the calls that rules request: without Bellhop's own answers to commands. */
export const byRules = (decision: Decision): Decision => ({
  ...decision,
  calls: decision.calls.filter(({ rules: keys }) => !keys.some((key) => key.startsWith('(built in)'))),
})

/** The decision by one file of the operator with this text. */
export const decidedBy = (text: string, changes: Partial<DecideInput> = {}): Decision =>
  decided(input([file(text)], changes))

/** One rule evaluated and planned. */
export function decideRule(conditions: string, actions: string, changes: Partial<DecideInput> = {}): Decision {
  return decidedBy(rules(rule(conditions, actions)), changes)
}

/** The verdict of one `if`. */
export const verdictOf = (conditions: string, changes: Partial<DecideInput> = {}) =>
  decideRule(conditions, '{ subscribe: true }', changes).rules[0]?.verdict

type Example = Pick<Action, 'example' | 'when' | 'name'>

/** What an action's example is decided from: in an event rule where it must be, on a merge request that it changes. */
export function exampleInput({ example, when, name }: Example): DecideInput {
  const on = when === 'on_events' ? '    on: push\n' : ''
  const text = `rules:\n  - name: the rule\n${on}    if: { author: alice }\n    then: { ${example} }\n`
  const event = { id: 'd1', event: { kind: 'push', actor: { id: 2, username: 'alice' }, at: '2026-01-11T00:00:00Z' } }
  const opposite: Record<string, Fields> = {
    unsubscribe: { subscribed: true },
    reopen: { state: 'closed' },
    backport: { state: 'merged', diff_refs: { base_sha: base, head_sha: head } },
    cancel_accept: { merge_when_pipeline_succeeds: true },
  }
  const approved = name === 'unapprove' ? approvedByBot : {}
  return input([file(text)], { events: [event], answers: answers(opposite[name] ?? {}, approved) })
}
export const decideExample = (action: Example): Decision => decided(exampleInput(action))

/** The verdict of one `if` of an event rule, for a note by alice, who is a maintainer. */
export function verdictOnEvent(conditions: string, changes: Partial<DecideInput> = {}) {
  const alice = { id: 2, username: 'alice' }
  const event = {
    kind: 'note.create',
    actor: alice,
    at: '2026-01-11T00:00:00Z',
    note: { id: 17 },
    ref: 'main',
    refChange: 'updated' as const,
  }
  const other = {
    'note@17': answer({ id: 17, body: '@bellhop merge', author: alice, system: false }),
    'actorAccess@2': answer({ id: 2, access_level: 40 }),
  }
  const text = `rules:\n  - name: the rule\n    on: note.create\n    if: ${conditions}\n    then: { subscribe: true }\n`
  return decided(input([file(text)], { events: [{ id: 'd1', event }], answers: answers({}, other), ...changes }))
    .rules[0]?.verdict
}

/** What the actions of a rule came to: `blocked: its text is empty`. */
export const outcomes = ({ rules: traces }: Decision, place = 0): string[] =>
  traces[place]?.actions.map(({ result, detail }) => `${result}: ${detail}`) ?? []

/** Each call as its endpoint and what it says beside the ids. */
export function sent(decision: Decision): [string, Fields][] {
  return decision.calls.map(({ endpoint, params }) => {
    const { id: _id, merge_request_iid: _iid, issue_iid: _issue, ...rest } = params
    return [endpoint, rest]
  })
}

/** What the service answers to a call that was done. */
const bodies: Record<string, unknown> = {
  'repository.commits.cherryPick': { id: pickedSha, parent_ids: [stableSha] },
  'mergeRequests.create': { iid: 99, sha: pickedSha },
}

export const came = (
  call: Call,
  result: CallResponse['result'] = 'done',
  body = bodies[call.endpoint],
): CallResponse => ({
  call,
  status: 200,
  result,
  ...(result === 'done' &&
    body !== undefined && { created: actionNamed(call.action)?.answered?.(call, body).created as Json }),
  at: '2026-01-11T00:00:00Z',
  tookMs: 1,
})

/** The decision with every call answered alike. */
export const answered = (decision: Decision, result?: CallResponse['result']): Decision => ({
  ...decision,
  responses: decision.calls.map((call) => came(call, result)),
})
/** The decision with its calls, or these of them, done at that time. */
export const doneAt = (decision: Decision, at: string, calls = decision.calls): Decision => ({
  ...decision,
  responses: calls.map((call) => ({ ...came(call), at })),
})

export const rememberDone = (memory: Memory, decision: Decision): Memory => remember(memory, answered(decision))
export const rememberAs = (result: CallResponse['result'], decision: Decision, memory = emptyMemory()): Memory =>
  remember(memory, answered(decision, result))

type Effect = (state: SourceAnswers, params: Fields) => SourceAnswers
function changed(state: SourceAnswers, source: string, fields: Fields): SourceAnswers {
  const before = state[source]
  return { ...state, [source]: answer({ ...(before?.ok ? (before.body as Fields) : {}), ...fields }) }
}
const listed = (value: unknown) => (typeof value === 'string' ? value.split(',') : [])

type Entry = Fields & { id: number }
const entries = (state: SourceAnswers, source: string): Entry[] =>
  state[source]?.ok ? (state[source].body as Entry[]) : []

const userOf = (id: number) => ({ id, username: id === 3 ? 'carol' : `user-${id}` })
const assignedTo = (assignees: ReturnType<typeof userOf>[]) => ({ assignees, assignee: assignees[0] ?? null })

/** What an update of the merge request changes. */
function updated(
  state: SourceAnswers,
  { add_labels, remove_labels, state_event, assignee_id, assignee_ids, milestone_id, reviewer_ids, ...plain }: Fields,
): SourceAnswers {
  const before = state.mergeRequest?.ok ? (state.mergeRequest.body as { labels?: string[] }) : {}
  const labels = [...new Set([...(before.labels ?? []), ...listed(add_labels)])].filter(
    (name) => !listed(remove_labels).includes(name),
  )
  const { id: _id, merge_request_iid: _iid, issue_iid: _issue, ...fields } = plain
  return changed(state, 'mergeRequest', {
    ...fields,
    labels,
    ...(state_event === undefined ? {} : { state: state_event === 'close' ? 'closed' : 'opened' }),
    ...(assignee_id === undefined
      ? {}
      : { assignee: assignee_id === 0 ? null : { id: assignee_id, username: 'carol' } }),
    ...(Array.isArray(reviewer_ids) ? { reviewers: reviewer_ids.map(userOf) } : {}),
    ...(Array.isArray(assignee_ids) ? assignedTo(assignee_ids.filter((each) => each !== 0).map(userOf)) : {}),
    ...(milestone_id === undefined
      ? {}
      : { milestone: milestone_id === 0 ? null : { id: milestone_id, title: '17.0' } }),
  })
}

/** Calls whose effect rules cannot see in the state: memory alone keeps them from being repeated. */
export const unseen = [
  ...['mergeRequests.todo', 'mergeRequests.rebase', 'mergeRequests.addSpentTime', 'repository.statuses.create'],
  ...['mergeQueue.enter', 'mergeQueue.leave', 'freeze.change', 'chat.post'],
  ...['mergeRequests.createPipeline', 'repository.pipelines.retry', 'repository.pipelines.cancel'],
]

/** What each call does to the service's state, as far as rules can see it. */
const effects: Record<string, Effect> = {
  'mergeRequests.update': updated,
  'mergeRequests.subscribe': (state) => changed(state, 'mergeRequest', { subscribed: true }),
  'mergeRequests.unsubscribe': (state) => changed(state, 'mergeRequest', { subscribed: false }),
  ...Object.fromEntries(unseen.map((endpoint): [string, Effect] => [endpoint, (state) => state])),
  'repository.branches.create': (state, { branch, ref }) => ({
    ...state,
    [`branch@${branch}`]: answer({ name: branch, commit: { id: ref } }),
  }),
  'repository.commits.cherryPick': (state, { branch }) => ({
    ...state,
    [`branch@${branch}`]: answer({ name: branch, commit: { id: pickedSha } }),
  }),
  'mergeRequests.create': (state, { source_branch, target_branch }) => ({
    ...state,
    [`mergeRequestsFrom@${source_branch}`]: answer([
      { iid: 99, source_branch, target_branch, source_project_id: 1, state: 'opened', author: bot, sha: pickedSha },
    ]),
  }),
  'mergeRequests.notes.create': (state, { body }) => ({
    ...state,
    notes: answer([
      { id: entries(state, 'notes').length + 1, body, author: bot, system: false },
      ...entries(state, 'notes'),
    ]),
  }),
  'mergeRequests.notes.update': (state, { note_id, body }) => ({
    ...state,
    notes: answer(entries(state, 'notes').map((note) => (note.id === note_id ? { ...note, body } : note))),
  }),
  'mergeRequests.notes.delete': (state, { note_id }) => ({
    ...state,
    notes: answer(entries(state, 'notes').filter((note) => note.id !== note_id)),
  }),
  'mergeRequests.timeEstimate': (state, { duration }) => {
    const [, hours = '0', minutes = '0'] = /^(?:(\d+)h)?(?:(\d+)m)?$/.exec(String(duration)) ?? []
    return changed(state, 'mergeRequest', {
      time_stats: { time_estimate: Number(hours) * 3600 + Number(minutes) * 60, total_time_spent: 0 },
    })
  },
  'mergeRequests.approve': (state) =>
    changed(state, 'approvals', { user_has_approved: true, approved_by: [{ user: bot }] }),
  'mergeRequests.unapprove': (state) => changed(state, 'approvals', { user_has_approved: false, approved_by: [] }),
  'mergeRequests.cancelMergeWhenPipelineSucceeds': (state) =>
    changed({ ...state, mergeTrain: refused() }, 'mergeRequest', { merge_when_pipeline_succeeds: false }),
  'mergeTrains.add': (state, { auto_merge }) => ({
    ...changed(state, 'mergeRequest', { merge_when_pipeline_succeeds: true }),
    ...(auto_merge === true ? {} : { mergeTrain: answer({ status: 'fresh' }) }),
  }),
  'mergeRequests.accept': (state, { merge_when_pipeline_succeeds }) =>
    changed(
      state,
      'mergeRequest',
      merge_when_pipeline_succeeds === true ? { merge_when_pipeline_succeeds: true } : { state: 'merged' },
    ),
}

/** The state after the calls of a decision. */
export function applied(state: SourceAnswers, decision: Decision): SourceAnswers {
  return decision.calls.reduce((each, { endpoint, params }) => {
    const effect = effects[endpoint.replace(/^issues\./, 'mergeRequests.')]
    if (effect === undefined) throw new Error(`no effect is known for ${endpoint}: add it to test/rules/world.ts`)
    return effect(each, params)
  }, state)
}
