// The view: each fact by name; what is not read says so, what cannot be read says why.
import { isPermanentRefusal } from '../../../../src/bot/service/retry-policy.ts'
import { createClient } from '../../../../src/client/create-client.ts'
import { decide } from '../../../../src/rules/engine/decide.ts'
import { statedFacts } from '../../../../src/rules/engine/triggers.ts'
import type { Event, MergeRequestRef } from '../../../../src/rules/event-types.ts'
import { instanceOf, sourceNamed } from '../../../../src/rules/facts/definition/sources.ts'
import { issueRef } from '../../../../src/rules/facts/definition/subject-ref.ts'
import { factNamed } from '../../../../src/rules/facts/index.ts'
import { createView } from '../../../../src/rules/facts/reading/fact-view.ts'
import type { FactValue, Override, SourceAnswers } from '../../../../src/rules/types.ts'
import { openWorld } from '../../../sandbox/sandbox-world.ts'
import { answer, answers, decideRule, factsOf, file, head, input, refused, rule, rules, sent } from '../../world.ts'

const fact = (name: string, answers = {}) => createView(input([], { answers })).fact(name)

describe('a fact', () => {
  it.each([
    ['not read names its source', 'title', {}, { is: 'unread', source: 'mergeRequest' }],
    ['read is known', 'title', { mergeRequest: answer({ title: 'A' }) }, { is: 'known', value: 'A', complete: true }],
    [
      'of a list that was cut is known in part',
      'commit_messages',
      { mergeRequest: answer({ sha: head }), commits: answer([{ id: head, message: 'a' }], false) },
      { is: 'known', value: ['a'], complete: false },
    ],
    [
      'of a source that failed says why',
      'title',
      { mergeRequest: refused(403) },
      { is: 'absent', reason: '403', status: 403 },
    ],
    [
      'of a body of another shape is absent',
      'title',
      { mergeRequest: answer([1]) },
      { is: 'absent', reason: 'the hosting service’s answer cannot be read' },
    ],
    [
      'of a list that is no list is absent',
      'commit_messages',
      { commits: answer({}) },
      { is: 'absent', reason: 'the hosting service’s answer cannot be read' },
    ],
    ['that nobody declared is absent', 'toString', {}, { is: 'absent', reason: 'there is no such fact' }],
  ])('%s', (_what, name, answers, expected) => {
    expect(fact(name, answers)).toEqual(expected)
  })
  it('is found by its own name only', () => {
    expect(factNamed('title')?.type.name).toBe('text')
    expect(factNamed('__proto__')).toBeUndefined()
  })
})

/** What only Bellhop itself sees, what only a dependency bot writes, and what has not happened. */
const unsaid = ['pushed_by', 'since_approved', 'since_labelled', 'since_review_requested', 'version_change']

test('each state fact is known from the answers of its sources', async () => {
  const world = await openWorld()
  await world.mergeRequest({ mr: { description: 'Closes #1' } })
  await world.done('POST', '/projects/1/merge_requests/1/notes', { body: 'Nice.' })
  const client = createClient({ baseUrl: world.sandbox.url, token: 'root-token' })
  const mergeRequest = { project: 1, iid: 1 }
  const answers: SourceAnswers = {}
  const now = new Date().toISOString()

  const read = async (name: string) => {
    const source = sourceNamed(name)
    const params = source?.params(mergeRequest, answers, instanceOf(name))
    if (source === undefined || params === undefined || params === null) throw new Error(`${name} cannot be asked for`)
    if (source.paged) {
      const { items, complete } = await client.pages(source.endpoint, params, { maxPages: 2 }).collect()
      return { ok: true as const, body: items, complete }
    }
    try {
      const { body } = await client.send(source.endpoint, params)
      return { ok: true as const, body, complete: source.complete(body) }
    } catch (error) {
      if (isPermanentRefusal(error)) return { ok: false as const, reason: error.message, status: error.status }
      throw error
    }
  }
  const value = async (name: string): Promise<FactValue> => {
    for (;;) {
      const found = createView(input([], { mergeRequest, answers, now })).fact(name)
      if (found.is !== 'unread') return found
      answers[found.source] = await read(found.source)
    }
  }

  const values: Record<string, FactValue> = {}
  for (const [name, fact] of factsOf('merge_request')) if (fact.ofEvents !== true) values[name] = await value(name)
  const absent = Object.entries(values).flatMap(([name, found]) => (found.is === 'known' ? [] : [name]))
  expect(absent.sort()).toEqual(unsaid)
  const known = (name: string) => (values[name]?.is === 'known' ? values[name].value : undefined)
  expect(
    Object.fromEntries(
      ['author', 'iid', 'commit_titles', 'commits_count', 'versions_count', 'target_branch'].map((name) => [
        name,
        known(name),
      ]),
    ),
  ).toEqual({
    author: 'root',
    iid: 1,
    commit_titles: ['Write feature.txt'],
    commits_count: 1,
    versions_count: 1,
    target_branch: 'master',
  })
  expect(known('participants')).toContain('root')
  expect(known('first_contribution')).toBe(true)
  expect(Number(known('inactive_for'))).toBeLessThan(Number(known('age')) + 1)
})

type Known = Parameters<typeof statedFacts>[2]

const merge = { kind: 'merge_request.merge' }
const pipeline = (status: string) => ({ pipeline: { id: 1, status, sha: 'a' } })

it.each<[string, Record<string, unknown>, Partial<Event>, Known?, MergeRequestRef?]>([
  ['nothing but the number', { iid: 7 }, {}],
  ['the number of an issue', { iid: 7 }, {}, undefined, issueRef(1, 7)],
  ['the status of its pipeline', { iid: 7, pipeline: 'running' }, pipeline('running')],
  ['no status that rules cannot name', { iid: 7 }, pipeline('a new one')],
  ['the target branch', { iid: 7, target_branch: 'main' }, { target: 'main' }],
  [
    'where it comes from, before it was evaluated',
    { iid: 7, source_branch: 'feature', source_project_id: 1, from_fork: false },
    {},
    { origin: { project: 1, branch: 'feature' } },
  ],
  [
    'that it comes from a fork, and its author',
    { iid: 7, source_branch: 'feature', source_project_id: 2, from_fork: true, author: 'alice' },
    {},
    { origin: { project: 2, branch: 'feature', author: 'alice' } },
  ],
  ['that it is merged, once an evaluation knows that it ended', { iid: 7, state: 'merged' }, merge, { ended: true }],
  ['nothing of a merge that no evaluation knows of', { iid: 7 }, merge],
  ['nothing of the state by an event that is no merge', { iid: 7 }, {}, { ended: true }],
])('%s', (_name, expected, event, known = {}, ref = { project: 1, iid: 7 }) => {
  const given = { kind: 'pipeline', actor: {}, at: '2026-01-01T00:00:00Z', ...event }
  expect(statedFacts(given, ref, known)).toEqual(
    Object.entries(expected).map(([fact, value]) => ({ fact, is: { is: 'known', value, complete: true } })),
  )
})

const supposing = (...overrides: Override[]) => ({ overrides, answers: answers({ labels: ['a', 'hold'] }) })
const red: Override = { fact: 'pipeline', is: { is: 'known', value: 'failed', complete: true, remark: 'overridden' } }

describe('an overridden fact', () => {
  it('is evaluated in place of the service’s, and the trace says that it is overridden', () => {
    const decision = decideRule('{ pipeline: failed }', '{ subscribe: true }', supposing(red))
    expect(decision.rules[0]?.conditions).toMatchObject({ verdict: 'true', actual: '"failed" (overridden)' })
    expect(sent(decision)).toEqual([['mergeRequests.subscribe', {}]])
  })
  it('holds for what an action requires as well', () => {
    expect(sent(decideRule('{ author: alice }', '{ accept: true }', supposing(red)))).toEqual([])
  })
  it('is not read', () => {
    const result = decide(
      input([file(rules(rule('{ pipeline: success }', '{ subscribe: true }')))], { overrides: [red], answers: {} }),
    )
    expect(result).toMatchObject({ decision: { rules: [{ verdict: 'false' }] } })
  })
  it('may be unknown', () => {
    const unknown: Override = { fact: 'author', is: { is: 'absent', reason: 'it is overridden' } }
    expect(decideRule('{ author: alice }', '{ subscribe: true }', supposing(unknown)).rules[0]?.verdict).toBe('unknown')
  })
  it('is of no event', () => {
    expect(decideRule('{ author: alice }', '{ subscribe: true }', supposing({ fact: 'actor', is: red.is }))).toEqual(
      decideRule('{ author: alice }', '{ subscribe: true }', supposing()),
    )
  })
})

describe('an overridden list', () => {
  const labels = (...overrides: Override[]) =>
    decideRule('{ labels: { any: x } }', '{ subscribe: true }', supposing(...overrides)).rules[0]
  it.each<[string, Override[], string]>([
    ['adds', [{ fact: 'labels', add: ['b', 'a'] }], '"a", "hold", "b" (overridden)'],
    ['removes', [{ fact: 'labels', remove: ['hold', 'other'] }], '"a" (overridden)'],
    [
      'goes over an earlier one',
      [
        { fact: 'labels', add: ['b'] },
        { fact: 'labels', remove: ['b', 'a'] },
      ],
      '"hold" (overridden)',
    ],
    [
      'goes over a supposed value',
      [
        { fact: 'labels', is: { is: 'known', value: ['c'], complete: true, remark: 'overridden' } },
        { fact: 'labels', add: ['d'] },
      ],
      '"c", "d" (overridden)',
    ],
    [
      'is forgotten by a later value',
      [
        { fact: 'labels', add: ['d'] },
        { fact: 'labels', is: { is: 'known', value: ['c'], complete: true } },
      ],
      '"c"',
    ],
  ])('%s', (_what, overrides, actual) => {
    expect(labels(...overrides)?.conditions.actual).toBe(actual)
  })
  it('leaves what is unknown unknown, and is read where it was not', () => {
    const add: Override = { fact: 'labels', add: ['x'] }
    const given = { ...supposing(add), answers: { mergeRequest: refused() } }
    expect(decideRule('{ labels: { any: x } }', '{ subscribe: true }', given).rules[0]?.verdict).toBe('unknown')
    expect(
      decide(input([file(rules(rule('{ labels: { any: x } }', '{ todo: true }')))], { overrides: [add], answers: {} })),
    ).toEqual({
      needs: ['mergeRequest'],
    })
  })
})
