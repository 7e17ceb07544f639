// Rule files, merge requests and memories of every kind, for properties that must hold of all of them.
import fc from 'fast-check'
import type { Action } from '../../src/rules/actions/definition/action.ts'
import { actions } from '../../src/rules/actions/index.ts'
import type { Occurrence } from '../../src/rules/event-types.ts'
import { sources } from '../../src/rules/facts/definition/sources.ts'
import type { Condition, Memory, SourceAnswer, SourceAnswers } from '../../src/rules/types.ts'
import { answer, answers, approvedByBot, change, changesAnswer, factsOf, file, head, rule, rules } from './world.ts'

/** Conditions of these on single facts. */
export const conditionsOf = (leaves: fc.Arbitrary<Condition>[], maxDepth: number): fc.Arbitrary<Condition> =>
  fc.letrec<{ condition: Condition; parts: Condition[] }>((tie) => ({
    condition: fc.oneof(
      { maxDepth, withCrossShrink: true },
      ...leaves,
      tie('parts').map((all) => ({ all })),
      tie('parts').map((any) => ({ any })),
      tie('condition').map((not) => ({ not })),
      tie('condition').map((is) => ({ use: 'a', is })),
    ),
    parts: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
  })).condition

const everyFact = factsOf('merge_request').map(([, fact]) => fact)
const ofState = everyFact.filter((fact) => fact.ofEvents !== true).map((fact) => fact.example)
const ofEvents = everyFact.map((fact) => fact.example)
const conditionOf = (examples: string[]) =>
  fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...examples).map((text) => `{ ${text} }`),
      fc.array(tie('condition'), { minLength: 1, maxLength: 2 }).map((list) => `{ any: [${list.join(', ')}] }`),
      fc.array(tie('condition'), { minLength: 1, maxLength: 2 }).map((list) => `{ all: [${list.join(', ')}] }`),
      tie('condition').map((text) => `{ not: ${text} }`),
    ),
  })).condition
const condition = conditionOf(ofState)
const onEvent = fc.tuple(
  fc.constantFrom('on: note.create', 'on: push', 'on: [merge_request.*, note.create]', 'command: merge'),
  conditionOf(ofEvents),
)
/** Other ways to write actions than their examples. */
const variants = [
  ...['label: { while: held }', 'label: { while: kept, add: other }', 'label: { remove: [held, kept] }'],
  ...['label: { add: held }', 'comment: { while: "On hold: {{ title }}" }', 'accept: { when: pipeline_succeeds }'],
  ...['accept: { squash: true, pipeline: none }', 'accept: { queue: main }', 'accept: { queue: main, squash: true }'],
  ...['accept: { queue: other }', 'assign: null', 'milestone: null', 'estimate: { duration: 1h, overwrite: true }'],
]
const onlyOnEvents = [
  'label: { set: [documentation, held] }',
  'update: { lock_discussion: true, description: "{{ title }}" }',
]
const examplesFor = (onEvents: boolean) => [
  ...Object.values<Action>(actions)
    // A backport takes several turns: its own tests follow it.
    .filter(({ name }) => name !== 'backport')
    .filter((action) => action.when !== (onEvents ? 'unmatched_too' : 'on_events'))
    .map((action) => action.example),
  ...(onEvents ? [...variants.filter((each) => !each.includes('while')), ...onlyOnEvents] : variants),
]
const nameOf = (action: string) => action.split(':')[0]
const wishes = (examples: string[]) =>
  fc
    .uniqueArray(fc.constantFrom(...examples), { minLength: 1, maxLength: 4, selector: nameOf })
    .map((list) => `{ ${list.join(', ')} }`)
/** What a rule asks for. */
export const expected = wishes(examplesFor(false))
const wantedOnEvents = wishes(examplesFor(true))
/** `queues:` of a file, or nothing. */
const queues = fc.oneof(
  fc.constant(''),
  fc
    .tuple(condition, fc.constantFrom('draft: true', 'approved_by: { any: bob }', 'clock: { days: [sun] }'))
    .map(
      ([when, freeze]) =>
        `queues:\n  - { name: main, target: main, priority: { if: ${when}, is: 9 }, freeze: { if: { ${freeze} }, except: ${when} } }\n  - { name: other, target: "*", required: true }\n`,
    ),
)
export const documents = fc
  .tuple(queues, fc.array(fc.tuple(condition, expected), { minLength: 1, maxLength: 4 }))
  .map(([head, list]) => head + rules(...list.map(([when, then], index) => rule(when, then, `rule ${index}`))))
/** As `documents`, with rules for events among them. */
export const withEvents = fc
  .tuple(documents, fc.array(fc.tuple(onEvent, wantedOnEvents), { maxLength: 3 }))
  .map(
    ([text, list]) =>
      text +
      list
        .map(
          ([[on, when], then], index) =>
            `  - name: "event rule ${index}"\n    ${on}\n    if: ${when}\n    then: ${then}\n`,
        )
        .join(''),
  )
export const alice = { id: 2, username: 'alice' }
export const events: fc.Arbitrary<Occurrence[]> = fc
  .array(fc.constantFrom('note.create', 'push', 'merge_request.update', 'issue.open'), { maxLength: 3 })
  .map((kinds) =>
    kinds.map((kind, index) => ({
      id: `d${index}`,
      event: {
        kind,
        actor: alice,
        at: '2026-01-11T00:00:00Z',
        ...(kind === 'note.create' ? { note: { id: 17 } } : {}),
      },
    })),
  )
export const files = fc
  .tuple(withEvents, fc.constantFrom('operator' as const, 'repository' as const), fc.boolean())
  .map(([text, trust, broken]) => [file(text, { trust, broken })])

export const fields = [
  ...Object.keys((answers().mergeRequest as { body: object }).body),
  ...['detailed_merge_status', 'changes', 'approved_by', 'user_has_approved', 'approvals_left', 'parent_ids'],
  ...['default_branch', 'overflow', 'draft'],
]
export const json = fc.jsonValue({ maxDepth: 4 })
const hostile = fc.oneof(
  json,
  fc.array(json),
  fc.dictionary(
    fc.constantFrom(...fields),
    fc.oneof(json, fc.constantFrom<unknown>(head, 'opened', 'success', [], {}, null, ['a'], true)),
  ),
)
const sourceAnswer: fc.Arbitrary<SourceAnswer> = fc.oneof(
  fc.record({ ok: fc.constant(true as const), body: hostile, complete: fc.boolean() }),
  fc.record({ ok: fc.constant(false as const), reason: fc.string() }),
)
/** As if all were read of one version, which is the only way that the rest of a body counts. */
function ofOneVersion(given: SourceAnswers): SourceAnswers {
  const versioned: Record<string, (body: unknown) => unknown> = {
    mergeRequest: (body) => ({ ...(body as object), sha: head, target_branch: 'main' }),
    changes: (body) => ({ ...(body as object), sha: head, target_branch: 'main' }),
    commits: (body) => (Array.isArray(body) ? [{ id: head }, ...(body as unknown[])] : body),
    versions: (body) => (Array.isArray(body) ? [{ head_commit_sha: head }, ...(body as unknown[])] : body),
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, each]) => [
      name,
      each.ok ? { ...each, body: (versioned[name] ?? ((body) => body))(each.body) } : each,
    ]),
  )
}
export const hostileAnswers: fc.Arbitrary<SourceAnswers> = fc
  .tuple(
    fc.record(
      Object.fromEntries([...Object.keys(sources), 'note@17', 'actorAccess@2'].map((name) => [name, sourceAnswer])),
    ),
    fc.boolean(),
  )
  .map(([given, isOfOne]) => (isOfOne ? ofOneVersion(given) : given))
export const usualAnswers: fc.Arbitrary<SourceAnswers> = fc
  .record({
    state: fc.constantFrom('opened', 'closed', 'merged', 'locked'),
    labels: fc.subarray(['dependencies', 'hold', 'held', 'kept', 'needs triage', 'documentation']),
    work_in_progress: fc.boolean(),
    merge_status: fc.constantFrom('can_be_merged', 'cannot_be_merged', 'unchecked'),
    subscribed: fc.boolean(),
    squash: fc.boolean(),
    target_branch: fc.constantFrom('main', 'release'),
    author: fc.constantFrom({ username: 'alice' }, { username: 'dependabot' }),
    head_pipeline: fc.constantFrom(
      null,
      undefined,
      { id: 1, sha: head, ref: 'feature', status: 'success' },
      { id: 1, sha: head, ref: 'feature', status: 'failed' },
      { id: 1, sha: head, ref: 'feature', status: 'running' },
    ),
    merge_when_pipeline_succeeds: fc.boolean(),
    discussion_locked: fc.boolean(),
    assignee: fc.constantFrom(null, { id: 3, username: 'carol' }, { id: 2, username: 'alice' }),
    milestone: fc.constantFrom(null, { id: 4, title: '17.0' }),
  })
  .chain((mr) =>
    fc
      .record({ paths: fc.subarray(['docs/a.md', 'src/a.ts', '.bellhop.yml']), approved: fc.boolean() })
      .map(({ paths, approved }) =>
        answers(mr, {
          changes: changesAnswer(
            paths.map((path) => change(path)),
            mr,
          ),
          'note@17': answer({ id: 17, body: '@bellhop merge', author: alice, system: false }),
          'actorAccess@2': answer({ id: 2, access_level: 40 }),
          ...(approved ? approvedByBot : {}),
        }),
      ),
  )
export const memories = fc.record(
  {
    rules: fc.constant({}),
    pushes: fc.constantFrom<Memory['pushes']>([], [{ from: null, to: head, by: { username: 'alice' } }]),
    of: fc.record(
      {
        approve: fc.constantFrom(head, 'b'.repeat(40)),
        accept: fc.record(
          {
            waitingSha: fc.constantFrom(head, 'b'.repeat(40)),
            queued: fc.record({
              queue: fc.constantFrom('main', 'other'),
              target: fc.constantFrom('main', 'release'),
              sha: fc.constantFrom(head, 'b'.repeat(40)),
              priority: fc.constantFrom(0, 9),
              frozen: fc.boolean(),
            }),
            queueRemoval: fc.record({
              sha: fc.constantFrom(head, 'b'.repeat(40)),
              reason: fc.constantFrom('conflict' as const, 'by_operator' as const),
              at: fc.constant('2026-01-11T00:00:00Z'),
            }),
            waitingTerms: fc.constantFrom({}, { when: 'checks_pass' }, { when: 'checks_pass', pipeline: 'none' }),
            waitingMayLand: fc.constantFrom('2026-01-01T00:00:00Z', '2030-01-01T00:00:00Z'),
          },
          { requiredKeys: [] },
        ),
        label: fc.subarray(['hold', 'held', 'documentation'], { minLength: 1 }),
        comment: fc.subarray(['rules/test.yml#rule 0', 'rules/test.yml#rule 1'], { minLength: 1 }),
      },
      { requiredKeys: [] },
    ),
    oldApprovals: fc.constantFrom<{ by?: number[] }>({}, { by: [2] }),
  },
  { requiredKeys: ['rules', 'pushes'] },
) as fc.Arbitrary<Memory>
export const project = fc.record({ mergeRequestPipelines: fc.boolean() })
