// rebase: once while the rule matches, when it is open, and followed until the service has ended it.
import { staysPending } from '../../../src/rules/engine/update-memory.ts'
import { happened, onEvent, overTime, whileOn } from '../over-time.ts'
import { answers, bot, decideRule, problemsIn, rememberAs, rule, rules } from '../world.ts'

it('is not repeated for the head that it made, and is when the rule becomes true again', () => {
  const rebases = whileOn('{ rebase: true }')
  const mr = overTime({ labels: ['on'] })
    .after([rebases])
    .person({ sha: 'b'.repeat(40) })
  expect(mr.sends([rebases])).toEqual([])
  mr.person({ labels: [] })
  mr.turn([rebases])
  mr.person({ labels: ['on'] })
  expect(mr.sends([rebases])).toEqual([['mergeRequests.rebase', {}]])
})

const call = ['mergeRequests.rebase', {}]
const conflict = 'Rebase failed: Rebase locally, resolve all conflicts, then push the branch.'
const [first, second] = ['a'.repeat(40), 'b'.repeat(40)]

describe.each([
  ['a rule', whileOn('{ rebase: true }'), {}],
  ['an event', onEvent('push', '{ rebase: true }'), { events: [happened('push')] }],
])('a rebase that %s started', (_by, text, given) => {
  const start = () => {
    const mr = overTime({ labels: ['on'] })
    expect(mr.sends([text], given)).toEqual([call])
    return mr
  }
  const outcome = (mr: ReturnType<typeof start>) => {
    const { rules: traces, calls, againInMs } = mr.turn([text], given)
    const { result, detail } = traces[0]?.actions[0] ?? {}
    return { result, detail, calls: calls.length, againInMs }
  }

  it('is waited for until the service has ended it', () => {
    const mr = start()
    mr.person({ rebase_in_progress: true })
    const waits = { result: 'waits', detail: 'the service is rebasing it', calls: 0, againInMs: 2000 }
    expect(outcome(mr)).toEqual(waits)
    expect(outcome(mr)).toEqual(waits)
    mr.person({ rebase_in_progress: false, sha: second })
    expect(outcome(mr)).toMatchObject({ result: 'nothing_to_do', detail: 'it is rebased', calls: 0 })
    expect(mr.memory).not.toHaveProperty('rebase')
    expect(outcome(mr)).toMatchObject({ calls: 0, againInMs: undefined })
  })
  it.each([
    ['on top of the target already', { rebase_in_progress: false, merge_error: null }],
    ['of a service that tells neither progress nor errors', {}],
  ])('has ended where the branch is %s', (_what, fields) => {
    const mr = start()
    mr.person(fields)
    expect(outcome(mr)).toMatchObject({ result: 'nothing_to_do', detail: 'it is rebased', calls: 0 })
  })
  it('is blocked with the reason of the service where it failed, and not repeated for that head', () => {
    const mr = start()
    mr.person({ rebase_in_progress: false, merge_error: `${conflict}\n` })
    const failed = { result: 'blocked', detail: `the rebase failed: ${conflict}`, calls: 0, againInMs: undefined }
    expect(outcome(mr)).toEqual(failed)
    expect(mr.memory.of?.rebase).toMatchObject({ started: { head: first, failed: conflict } })
    expect(outcome(mr)).toEqual(failed)
  })
  it('is repeated after the next push where it failed', () => {
    const mr = start()
    mr.person({ rebase_in_progress: false, merge_error: conflict })
    mr.turn([text], given)
    mr.person({ sha: second, merge_error: null })
    expect(mr.sends([text], given)).toEqual([call])
    expect(mr.memory.of?.rebase).toMatchObject({ started: { head: second } })
  })
  it('is repeated where somebody pushed meanwhile, so that it failed', () => {
    const mr = start()
    mr.person({ sha: second, merge_error: 'Rebase failed: the source branch was pushed to.' })
    expect(mr.sends([text], given)).toEqual([call])
  })
  it('is repeated for a head that somebody else pushed meanwhile', () => {
    const mr = start()
    mr.person({ sha: second })
    const pushes = [{ from: first, to: second, by: { id: 2, username: 'alice' } }]
    expect(mr.sends([text], { ...given, memory: { ...mr.memory, pushes } })).toEqual([call])
    mr.person({ sha: 'c'.repeat(40) })
    const own = [{ from: second, to: 'c'.repeat(40), by: bot }]
    expect(mr.sends([text], { ...given, memory: { ...mr.memory, pushes: own } })).toEqual([])
  })
  it.each([
    ['the head was pushed before it and is on top of the target', first],
    ['the push of its own new head is not known yet', second],
  ])('is not repeated where %s', (_what, sha) => {
    const mr = start()
    mr.person({ sha })
    const pushes = [{ from: 'c'.repeat(40), to: first, by: { id: 2, username: 'alice' } }]
    expect(mr.sends([text], { ...given, memory: { ...mr.memory, pushes } })).toEqual([])
  })
  it.each(['merged', 'closed'])('is over where it is %s meanwhile', (state) => {
    const mr = start()
    mr.person({ state, merge_error: conflict })
    expect(outcome(mr)).toMatchObject({ result: 'nothing_to_do', detail: `it is ${state}`, calls: 0 })
  })
  it('of which the service shows a long text with control characters shows its beginning in one line', () => {
    const mr = start()
    mr.person({ merge_error: `one\n\u0007two${'x'.repeat(5000)}` })
    const { detail = '' } = outcome(mr)
    expect(detail).toMatch(/^the rebase failed: one twoxxx/)
    expect(detail.length).toBeLessThan(400)
  })
  it.each([
    ['409: it could not be enqueued', 'not_now', [call]],
    ['202', 'done', []],
  ] as const)('is sent again after %s', (_status, result, expected) => {
    const mr = overTime({ labels: ['on'] })
    const decision = mr.turn([text], given)
    const memory = rememberAs(result, decision)
    mr.person({})
    expect(mr.sends([text], { ...given, memory })).toEqual(expected)
  })
})

it('an event stays pending until the rebase it requested has ended', () => {
  const text = onEvent('push', '{ rebase: true }')
  const given = { events: [happened('push')] }
  const mr = overTime().after([text], given).person({ rebase_in_progress: true })
  expect(staysPending(mr.turn([text], given), mr.memory)).toBe(true)
  mr.person({ rebase_in_progress: false, merge_error: conflict })
  expect(staysPending(mr.turn([text], given), mr.memory)).toBe(false)
})

it('a later event requests it again, also for a head whose rebase failed', () => {
  const text = onEvent('push', '{ rebase: true }')
  const mr = overTime()
    .after([text], { events: [happened('push', 'd1')] })
    .person({ merge_error: conflict })
  expect(mr.sends([text], { events: [happened('push', 'd1')] })).toEqual([])
  expect(mr.sends([text], { events: [happened('push', 'd2')] })).toEqual([call])
})

it('while a person’s rebase runs, it waits', () => {
  const decision = decideRule('{ draft: false }', '{ rebase: true }', {
    answers: answers({ rebase_in_progress: true }),
  })
  expect([decision.calls, decision.rules[0]?.actions[0]?.result, decision.againInMs]).toEqual([[], 'waits', 2000])
})

describe('a branch that is kept up to date', () => {
  const keeps = (args = 'true') => rule('{ commits_behind: { at_least: 1 } }', `{ rebase: ${args} }`)
  const at = (minutes: number) => ({ now: new Date(Date.UTC(2026, 0, 11) + minutes * 60_000).toISOString() })
  const moves = (mr: ReturnType<typeof overTime>, count: number, sha = first) => {
    mr.person({ sha })
    mr.source('divergence', { ...mr.says<object>('mergeRequest'), diverged_commits_count: count })
  }
  const head = (n: number) => String(n).padStart(40, 'd')

  it('is rebased each time that the target moved', () => {
    const mr = overTime()
    const sent = [0, 1, 2].map((n) => {
      moves(mr, 1, head(n))
      const behind = mr.sends([keeps()], at(n * 30))
      moves(mr, 0, head(n + 1))
      return [...behind, ...mr.sends([keeps()], at(n * 30 + 1))]
    })
    expect(sent).toEqual([[call], [call], [call]])
  })
  it('is rebased again where the target moved before the rebase was seen to end', () => {
    const mr = overTime()
    moves(mr, 1)
    expect(mr.sends([keeps()], at(0))).toEqual([call])
    moves(mr, 1, second)
    expect(mr.sends([keeps()], at(1))).toEqual([call])
  })
  it('is rebased again where the target moved after the rebase was seen to end', () => {
    const rule = `{ any: [{ commits_behind: { at_least: 1 } }, { labels: on }] }`
    const text = `  - { name: r, if: ${rule}, then: { rebase: true } }\n`
    const mr = overTime({ labels: ['on'] })
    moves(mr, 1)
    expect(mr.sends([text], at(0))).toEqual([call])
    moves(mr, 0, second)
    expect(mr.sends([text], at(1))).toEqual([])
    moves(mr, 2, second)
    expect(mr.sends([text], at(2))).toEqual([call])
  })
  it('is not rebased again while nothing says that the first rebase moved the head', () => {
    const mr = overTime()
    moves(mr, 1)
    mr.sends([keeps()], at(0))
    expect(mr.sends([keeps()], at(1))).toEqual([])
  })
  it.each([
    ['true', 4, 4],
    ['{ most_per_hour: 2 }', 2, 2],
  ])('with %s is rebased %i times an hour, and waits then', (args, most, times) => {
    const mr = overTime()
    const sent = [0, 1, 2, 3, 4].flatMap((n) => {
      moves(mr, 1, head(n))
      return mr.sends([keeps(args)], at(n))
    })
    expect(sent).toHaveLength(times)
    moves(mr, 1, head(9))
    const { rules: traces, againInMs } = mr.turn([keeps(args)], at(6))
    const detail = `it was rebased ${most} times within an hour`
    expect(traces[0]?.actions[0]).toMatchObject({ result: 'waits', detail })
    expect(againInMs).toBe(54 * 60_000)
    expect(mr.sends([keeps(args)], at(61))).toEqual([call])
  })
  it('is rebased 16 times a day, before the loop guard would stop every rule', () => {
    const mr = overTime()
    const sent = Array.from({ length: 24 }, (_, n) => {
      moves(mr, 1, head(n))
      return mr.sends([keeps()], at(n * 30))
    })
    expect(sent.flat()).toHaveLength(16)
    moves(mr, 1, head(99))
    expect(mr.turn([keeps()], at(24 * 30)).paused).toBeUndefined()
  })
})

it.each(['false', '{ most_per_hour: 0 }', '{ most_per_hour: 5 }', '{ most_per_hour: 1.5 }', '{ often: 2 }'])(
  'rebase: %s is refused',
  (args) => {
    expect(problemsIn(rules(rule('{ draft: false }', `{ rebase: ${args} }`)))[0]).toMatch(/^f\.yml:\d+:\d+: /)
  },
)
