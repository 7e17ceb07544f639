// Deciding, whatever the rules and whatever a service answers: it ends, never throws, is the same again, and acts only once.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Action } from '../../src/rules/action.ts'
import { actions } from '../../src/rules/actions/index.ts'
import { decide } from '../../src/rules/decide.ts'
import { explainDecision, firstBlocker } from '../../src/rules/explain.ts'
import type { Fact } from '../../src/rules/fact.ts'
import { facts } from '../../src/rules/facts/index.ts'
import { emptyMemory } from '../../src/rules/remember.ts'
import { boundSource, sources } from '../../src/rules/sources.ts'
import type { DecideInput, Decision, Memory, Occurrence, SourceAnswer, SourceAnswers } from '../../src/rules/types.ts'
import { answer, answers, applied, bot, change, decided, exampleInput, file, head, input, rememberDone, rule, rules } from './world.ts'

const everyFact = Object.values<Fact>(facts as Record<string, Fact>)
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
const examplesFor = (onEvents: boolean) =>
  Object.values<Action>(actions)
    .filter((action) => onEvents || action.onlyOnEvents !== true)
    .map((action) => action.example)
const wishes = (examples: string[]) =>
  fc.uniqueArray(fc.constantFrom(...examples), { minLength: 1, maxLength: 4 }).map((list) => `{ ${list.join(', ')} }`)
const wanted = wishes(examplesFor(false))
const wantedOnEvents = wishes(examplesFor(true))
const documents = fc
  .array(fc.tuple(condition, wanted), { minLength: 1, maxLength: 4 })
  .map((list) => rules(...list.map(([when, then], index) => rule(when, then, `rule ${index}`))))
/** As `documents`, with rules for events among them. */
const withEvents = fc
  .tuple(documents, fc.array(fc.tuple(onEvent, wantedOnEvents), { maxLength: 3 }))
  .map(
    ([text, list]) =>
      text +
      list.map(([[on, when], then], index) => `  - name: "event rule ${index}"\n    ${on}\n    if: ${when}\n    then: ${then}\n`).join(''),
  )
const alice = { id: 2, username: 'alice' }
const events: fc.Arbitrary<Occurrence[]> = fc
  .array(fc.constantFrom('note.create', 'push', 'merge_request.update', 'issue.open'), { maxLength: 3 })
  .map((kinds) =>
    kinds.map((kind, index) => ({
      id: `d${index}`,
      event: { kind, actor: alice, at: '2026-01-11T00:00:00Z', ...(kind === 'note.create' ? { note: { id: 17 } } : {}) },
    })),
  )
const files = fc
  .tuple(withEvents, fc.constantFrom('operator' as const, 'repository' as const), fc.boolean())
  .map(([text, trust, broken]) => [file(text, { trust, broken })])

const fields = [
  ...Object.keys((answers().mergeRequest as { body: object }).body),
  'detailed_merge_status',
  'changes',
  'approved_by',
  'user_has_approved',
  'approvals_left',
  'parent_ids',
  'default_branch',
  'overflow',
  'draft',
]
const json = fc.jsonValue({ maxDepth: 4 })
const hostile = fc.oneof(
  json,
  fc.array(json),
  fc.dictionary(fc.constantFrom(...fields), fc.oneof(json, fc.constantFrom<unknown>(head, 'opened', 'success', [], {}, null, ['a'], true))),
)
const sourceAnswer: fc.Arbitrary<SourceAnswer> = fc.oneof(
  fc.record({ ok: fc.constant(true as const), body: hostile, complete: fc.boolean() }),
  fc.record({ ok: fc.constant(false as const), reason: fc.string() }),
)
const hostileAnswers: fc.Arbitrary<SourceAnswers> = fc.record(
  Object.fromEntries([...Object.keys(sources), 'note@17', 'actorAccess@2'].map((name) => [name, sourceAnswer])),
)
const usualAnswers: fc.Arbitrary<SourceAnswers> = fc
  .record({
    state: fc.constantFrom('opened', 'closed', 'merged', 'locked'),
    labels: fc.subarray(['dependencies', 'hold', 'needs triage', 'documentation']),
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
    ),
  })
  .chain((mr) =>
    fc.record({ paths: fc.subarray(['docs/a.md', 'src/a.ts', '.bellhop.yml']), approved: fc.boolean() }).map(({ paths, approved }) =>
      answers(mr, {
        changes: answer({ changes_count: String(paths.length), changes: paths.map((path) => change(path)) }),
        'note@17': answer({ id: 17, body: '@bellhop merge', author: alice, system: false }),
        'actorAccess@2': answer({ id: 2, access_level: 40 }),
        approvals: answer({ approvals_left: 0, approved_by: approved ? [{ user: bot }] : [], user_has_approved: approved }),
      }),
    ),
  )
const memories: fc.Arbitrary<Memory> = fc.record(
  {
    rules: fc.constant({}),
    pushes: fc.constantFrom<Memory['pushes']>([], [{ from: null, to: head, by: { username: 'alice' } }]),
    approvedSha: fc.constantFrom(head, 'b'.repeat(40)),
  },
  { requiredKeys: ['rules', 'pushes'] },
)
const project = fc.record({ mergeRequestPipelines: fc.boolean() })

/** Answers what is asked for, one source after the other, as the bot does. */
function settle(given: DecideInput, all: SourceAnswers): { decision: Decision; asked: string[] } {
  const asked: string[] = []
  for (let state: DecideInput = { ...given, answers: {} }; ; ) {
    const result = decide(state)
    if ('decision' in result) return { decision: result.decision, asked }
    const [next] = result.needs
    if (next === undefined || asked.includes(next)) throw new Error(`asked for ${next} after ${asked.join(', ')}`)
    asked.push(next)
    state = { ...state, answers: { ...state.answers, [next]: all[next] ?? { ok: false, reason: 'there is none' } } }
  }
}

describe('a decision', () => {
  it('is reached with each source read at most once, and is the same again', () => {
    fc.assert(
      fc.property(files, fc.oneof(hostileAnswers, usualAnswers), memories, project, events, (inForce, all, memory, about, happened) => {
        const given = input(inForce, { memory, project: about, events: happened })
        const { decision, asked } = settle(given, all)
        expect(settle(structuredClone(given), structuredClone(all))).toEqual({ decision, asked })
        expect(JSON.parse(JSON.stringify(decision))).toEqual(decision)
      }),
      { numRuns: 400 },
    )
  })
  it('with everything read is the one that was reached by reading what was needed', () => {
    fc.assert(
      fc.property(files, usualAnswers, memories, events, (inForce, all, memory, happened) => {
        const given = input(inForce, { memory, answers: all, events: happened })
        expect(decided(given).calls).toEqual(settle(given, all).decision.calls)
      }),
      { numRuns: 300 },
    )
  })
  it('can always be explained', () => {
    fc.assert(
      fc.property(files, fc.oneof(hostileAnswers, usualAnswers), memories, (inForce, all, memory) => {
        const { decision } = settle(input(inForce, { memory }), all)
        expect(explainDecision(decision).length).toBeGreaterThan(0)
        for (const each of decision.rules)
          expect(firstBlocker(each) !== undefined).toBe(
            each.verdict !== 'true' || each.actions.some(({ result }) => result === 'held back' || result === 'waits'),
          )
      }),
      { numRuns: 300 },
    )
  })
  it('survives one field of the merge request that is anything at all', () => {
    fc.assert(
      fc.property(files, fc.constantFrom(...fields), json, (inForce, field, value) => {
        settle(input(inForce), { ...answers({ [field]: value }), changes: answer({ [field]: value }) })
      }),
      { numRuns: 300 },
    )
  })
  it('never merges a head that it did not judge, nor by the repository’s rules what they may not', () => {
    fc.assert(
      fc.property(files, fc.oneof(hostileAnswers, usualAnswers), memories, project, (inForce, all, memory, about) => {
        const { decision } = settle(input(inForce, { memory, project: about }), all)
        const merging = decision.calls.filter((call) => ['mergeRequests.accept', 'mergeRequests.approve'].includes(call.endpoint))
        if (inForce.some((each) => each.broken)) expect(merging).toEqual([])
        for (const call of merging) expect(call.params.sha).toBe(decision.head)
        const changed = JSON.stringify(all.changes)
        if (inForce.every((each) => each.trust === 'repository') && changed.includes('.bellhop.yml')) expect(merging).toEqual([])
        expect(decision.calls.findIndex((call) => call.bound === true)).toBe(
          merging.some((call) => call.bound) ? decision.calls.length - 1 : -1,
        )
      }),
      { numRuns: 400 },
    )
  })
})

describe('acting', () => {
  it.each(Object.values<Action>(actions))('$example once leaves nothing to do', (action) => {
    const given = exampleInput(action)
    const first = decided(given)
    expect(first.calls.length).toBeGreaterThan(0)
    const state = applied(given.answers, first)
    const memories = [rememberDone(given.memory, first)]
    // Also where the memory was lost the state alone says that nothing is missing, where there is a state to see.
    if (action.onlyOnEvents !== true && JSON.stringify(state) !== JSON.stringify(given.answers)) memories.push(emptyMemory())
    for (const memory of memories) expect(decided({ ...given, memory, answers: state }).calls).toEqual([])
  })
  it('comes to rest: rules that do not undo each other send nothing in the end', () => {
    fc.assert(
      fc.property(documents, usualAnswers, memories, (text, all, memory) => {
        let state = all
        let remembered = memory
        const sends: number[] = []
        for (let round = 0; round < 6; round++) {
          const decision = decided(input([file(text)], { answers: state, memory: remembered }))
          sends.push(decision.calls.length)
          state = applied(state, decision)
          remembered = rememberDone(remembered, decision)
        }
        // An approval can flip for ever only where a rule asks about the approval itself.
        if (!/approv/.test(text.replaceAll('approve: true', ''))) expect(sends.at(-1)).toBe(0)
      }),
      { numRuns: 300 },
    )
  })
  it('for an event comes to rest while the event stays in the mailbox', () => {
    fc.assert(
      fc.property(withEvents, usualAnswers, events, (text, all, happened) => {
        let state = all
        let remembered = emptyMemory()
        const sends: number[] = []
        for (let round = 0; round < 6; round++) {
          const decision = decided(input([file(text)], { answers: state, memory: remembered, events: happened }))
          sends.push(decision.calls.length)
          state = applied(state, decision)
          remembered = rememberDone(remembered, decision)
        }
        if (!/approv/.test(text.replaceAll('approve: true', ''))) expect(sends.at(-1)).toBe(0)
      }),
      { numRuns: 200 },
    )
  })
  it('just after the bound source was read again gives the same call', () => {
    const given = input([file(rules(rule('{ author: alice }', '{ accept: { squash: true } }')))])
    const [, accept] = decided(given).calls
    const again = { ...given.answers, [boundSource]: answer({ ...(answers({ squash: true }).mergeRequest as { body: object }).body }) }
    expect(decided({ ...given, answers: again }).calls).toEqual([accept])
  })
})
