// What accept remembers: each part by itself.
import { callData } from '../../../../src/api/call-data.ts'
import {
  acceptMemory,
  changeAccept,
  endlessRefusal,
  endlessTrain,
  keepsWait,
  MOST_REFUSALS,
  memoryAfterRefusal,
} from '../../../../src/rules/actions/definition/accept-memory.ts'
import { actionMemory } from '../../../../src/rules/actions/definition/action.ts'
import { emptyMemory, remember, rememberCalls } from '../../../../src/rules/engine/update-memory.ts'
import type { CallResponse, Memory } from '../../../../src/rules/types.ts'
import { overTime, whileOn } from '../../over-time.ts'
import {
  answer,
  answers,
  decidedBy,
  decideRule,
  head,
  outcomes,
  rememberAs,
  rule,
  rules,
  sent,
  trains,
} from '../../world.ts'

test('a change leaves the other parts, and what is over leaves nothing', () => {
  const waiting = changeAccept(emptyMemory(), { waitingSha: 'a', addedToTrain: { sha: 'a', times: 1 } })
  const over = changeAccept(waiting, { waitingSha: undefined })
  expect(acceptMemory(over)).toStrictEqual({ addedToTrain: { sha: 'a', times: 1 } })
  expect(changeAccept(over, { addedToTrain: undefined })).toStrictEqual(emptyMemory())
})

const cancel = [['mergeRequests.cancelMergeWhenPipelineSucceeds', {}]]

describe('a rule that is blocked', () => {
  it('does not keep a wait that needs no pipeline and other checks than its own', () => {
    const weaker = whileOn('{ accept: { when: checks_pass, pipeline: none } }')
    const stricter = rule('{ author: alice }', '{ accept: true }', 'other')
    const mr = overTime({ labels: ['on'], head_pipeline: null, detailed_merge_status: 'not_approved' })
    expect(mr.sends([weaker, stricter])).toHaveLength(1)
    mr.person({ labels: [] })
    expect(mr.sends([weaker, stricter])).toEqual(cancel)
    expect(mr.memory).not.toHaveProperty('of')
  })
  it.each([
    [{}, {}, true],
    [{}, { when: 'pipeline_succeeds' }, true],
    [{ when: 'pipeline_succeeds' }, { when: 'pipeline_succeeds' }, true],
    [{ when: 'pipeline_succeeds' }, { when: 'checks_pass' }, false],
    [{ when: 'checks_pass' }, { when: 'checks_pass' }, true],
    [{ when: 'checks_pass' }, { when: 'checks_pass', pipeline: 'none' }, false],
    [{ when: 'checks_pass', pipeline: 'none' }, { when: 'checks_pass', pipeline: 'none' }, true],
    [{ pipeline: 'none' }, {}, true],
    [{ when: 'pipeline_succeeds' }, { when: 'pipeline_succeeds', pipeline: 'of_fork' }, false],
    [{ when: 'pipeline_succeeds', pipeline: 'of_fork' }, { when: 'pipeline_succeeds' }, true],
  ] as const)('%j keeps a wait of %j: %s', (args, waitingTerms, expected) => {
    expect(keepsWait(args, { ...emptyMemory(), of: { accept: { waitingSha: head, waitingTerms } } })).toBe(expected)
  })
})

describe('a wait whose response was lost', () => {
  const texts = rules(whileOn('{ accept: true }'))
  const at = '2026-01-11T00:00:00Z'
  const decide = (fields: Record<string, unknown>, memory = emptyMemory(), more = {}, now = at) =>
    decidedBy(texts, { memory, now, answers: answers(fields, { ...trains, ...more }) })
  const lost = () => {
    const decision = decide({ labels: ['on'] })
    expect(sent(decision).map(([endpoint]) => endpoint)).toEqual(['mergeTrains.add'])
    return rememberAs('ambiguous', decision)
  }
  it('is looked for again while it may still take effect, and withdrawn when it does', () => {
    const first = decide({ labels: [] }, lost())
    expect([sent(first), first.againInMs]).toEqual([[], 5000])
    const memory = remember(lost(), first)
    const landed = { labels: [], merge_when_pipeline_succeeds: true }
    expect(sent(decide(landed, memory, { mergeTrain: answer({ status: 'fresh' }) }))).toEqual(cancel)
  })
  it('is forgotten a minute later', () => {
    const later = decide({ labels: [] }, lost(), {}, '2026-01-11T00:02:00Z')
    expect(later.againInMs).toBeUndefined()
    expect(acceptMemory(remember(lost(), later))).toEqual({ addedToTrain: { sha: head, times: 1 } })
  })
})

const at = '2026-01-11T00:00:00Z'
const accept = (sha = head, more = {}) =>
  callData('mergeRequests.accept', { id: 1, merge_request_iid: 7, sha, ...more })
const refusal = (call = accept()): CallResponse => ({
  call: { to: 'service', ...call, action: 'accept', rules: [] },
  ...{ status: 405, result: 'not_now', at, tookMs: 1 },
})
const refusedBefore = (times: number, call = accept()): Memory =>
  Array.from({ length: times }).reduce<Memory>((memory) => memoryAfterRefusal(memory, refusal(call)), emptyMemory())

describe('an endless refusal', () => {
  it.each<[string, number, ReturnType<typeof accept>, string, boolean]>([
    ['is none at first', MOST_REFUSALS - 1, accept(), at, false],
    ['is one after so many times', MOST_REFUSALS, accept(), at, true],
    ['is none for another head', MOST_REFUSALS, accept('b'.repeat(40)), at, false],
    ['is none for a merge that waits', MOST_REFUSALS, accept(head, { merge_when_pipeline_succeeds: true }), at, false],
    ['is none ten minutes later', MOST_REFUSALS, accept(), '2026-01-11T00:10:00Z', false],
  ])('%s', (_, times, call, now, expected) => {
    expect(endlessRefusal(call, refusedBefore(times), now) !== undefined).toBe(expected)
  })
  it('begins anew with another head', () => {
    const moved = memoryAfterRefusal(refusedBefore(MOST_REFUSALS), refusal(accept('b'.repeat(40))))
    expect(acceptMemory(moved).refusedMerge).toMatchObject({ sha: 'b'.repeat(40), times: 1 })
  })
  it('says why', () => {
    expect(endlessRefusal(accept(), refusedBefore(MOST_REFUSALS), at)).toBe(
      'the service refused it 12 times (405), though it shows nothing that blocks it: it may allow merges by a merge train only, or have a check that it does not show',
    )
    const train = { ...accept(), endpoint: 'mergeTrains.add' as const }
    expect(endlessRefusal(train, refusedBefore(MOST_REFUSALS, train), at)).toMatch(/: it may have a check that it does/)
    const later = accept(head, { merge_when_pipeline_succeeds: true })
    expect(endlessRefusal(later, refusedBefore(MOST_REFUSALS, later), at)).toContain('GitLab 17.4 or newer')
  })
})

it('accept is blocked by it, and asks the service no more', () => {
  const responses = Array.from({ length: MOST_REFUSALS }).map(() => refusal())
  const memory = rememberCalls(emptyMemory(), responses)
  const decision = decideRule('{ author: alice }', '{ accept: true }', { answers: answers(), memory, now: at })
  expect(decision.calls).toEqual([])
  expect(decision.rules[0]?.actions).toMatchObject([{ result: 'blocked' }])
  expect(decision.againInMs).toBeUndefined()
})

describe('a merge train that lets it go again and again', () => {
  const add = (sha = head) => [['mergeTrains.add', { sha }]]
  /** Adds it as often as it may, and each time the train lets it go. */
  const added = (rule: string) => {
    const mr = overTime({ labels: ['on'] }, trains)
    for (let time = 0; time < 3; time++) {
      expect(mr.sends([rule])).toEqual(add())
      mr.person({ merge_when_pipeline_succeeds: false })
      mr.source('mergeTrain', { status: 'none' })
    }
    return mr
  }
  const withoutPipeline = whileOn('{ accept: { pipeline: none } }')

  it('gets a head without a pipeline of its own three times, and another head anew', () => {
    const mr = added(withoutPipeline)
    expect(mr.sends([withoutPipeline])).toEqual([])
    mr.person({ sha: 'b'.repeat(40) })
    expect(mr.sends([withoutPipeline])).toEqual(add('b'.repeat(40)))
  })
  it('counts as one that refuses it', () => {
    const addition = callData('mergeTrains.add', { id: 1, merge_request_iid: 7, sha: head })
    const once = { ...emptyMemory(), of: { accept: { addedToTrain: { sha: head, times: 1 } } } }
    const refused = memoryAfterRefusal(memoryAfterRefusal(once, refusal(addition)), refusal(addition))
    expect(endlessTrain({ pipeline: 'none' }, once, head)).toBeUndefined()
    expect(endlessTrain({ pipeline: 'none' }, refused, head)).toMatch(/did not keep this head in 3 tries/)
    expect(memoryAfterRefusal(emptyMemory(), refusal(addition))).not.toHaveProperty('of.accept.addedToTrain')
    expect(acceptMemory(memoryAfterRefusal(once, refusal())).addedToTrain).toEqual({ sha: head, times: 1 })
  })
  it('is the reason', () => {
    const { memory } = added(withoutPipeline)
    const decision = decideRule('{ author: alice }', '{ accept: { pipeline: none } }', {
      answers: answers({}, trains),
      memory,
    })
    expect(outcomes(decision)).toEqual([
      'blocked: the merge train did not keep this head in 3 tries, which its system notes explain: push a change, or add it yourself',
    ])
  })
  it('is none where Bellhop itself took it off', () => {
    const mr = overTime({}, trains)
    for (let time = 0; time < 4; time++) {
      mr.person({ labels: ['on'] })
      expect(mr.sends([withoutPipeline])).toEqual(add())
      mr.person({ labels: [] })
      expect(mr.sends([withoutPipeline])).toEqual([['mergeRequests.cancelMergeWhenPipelineSucceeds', {}]])
    }
  })
  it('is asked again where a pipeline of the head is required: that counts', () => {
    const rule = whileOn('{ accept: true }')
    expect(added(rule).sends([rule])).toEqual(add())
  })
})

test('an action remembers under its own name, and forgets without a trace', () => {
  const [one, two] = [actionMemory<string>('one'), actionMemory<number[]>('two')]
  const both = two.put(one.put(emptyMemory(), 'a'), [1])
  expect([both.of, one.of(both), two.of(both)]).toEqual([{ one: 'a', two: [1] }, 'a', [1]])
  const left = one.put(both, undefined)
  expect([left.of, one.of(left)]).toEqual([{ two: [1] }, undefined])
  expect(two.put(left, undefined)).toStrictEqual(emptyMemory())
})
