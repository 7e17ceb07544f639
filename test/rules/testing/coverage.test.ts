// Coverage: what decisions have shown of rules and conditions.
import { coverageOf, neverSeen } from '../../../src/rules/testing/coverage.ts'
import { answers, decided, file, input } from '../world.ts'

const inForce = file(
  `rules:
  - name: a
    if: { author: alice, any: [{ labels: { any: x } }, { not: { draft: true } }] }
    then: { subscribe: true }
  - name: b
    on: push
    if: { draft: false }
    then: { todo: true }
`,
)
const decisionFor = (fields: Record<string, unknown>, events: string[] = []) =>
  decided(
    input([inForce], {
      answers: answers(fields),
      events: events.map((kind, index) => ({
        id: `d${index}`,
        event: { kind, actor: {}, at: '2026-01-11T00:00:00Z' },
      })),
    }),
  )
const cover = (...decisions: ReturnType<typeof decisionFor>[]) => coverageOf(inForce.rules, inForce.path, decisions)

describe('coverage', () => {
  it('is nothing without a decision', () => {
    expect(cover()).toMatchObject({
      seen: 0,
      of: 12,
      rules: [
        { says: 'a', conditions: [{}, {}, {}] },
        { says: 'b', conditions: [{}] },
      ],
    })
  })
  it('counts for each rule and each condition that it was true and that it was false', () => {
    const coverage = cover(decisionFor({}))
    expect(coverage.rules[0]).toMatchObject({
      seenTrue: true,
      seenFalse: false,
      conditions: [
        { says: 'author: "alice"', seenTrue: true, seenFalse: false },
        { says: 'labels: any of "x"', seenTrue: false, seenFalse: true },
        { says: 'draft: true', seenTrue: false, seenFalse: true },
      ],
    })
    // The event rule was false for want of an event: of its conditions that shows nothing.
    expect(coverage.rules[1]).toMatchObject({
      seenTrue: false,
      seenFalse: true,
      conditions: [{ seenTrue: false, seenFalse: false }],
    })
    expect(coverage.seen).toBe(5)
  })
  it('grows to the whole, and says until then what was never seen', () => {
    const some = [decisionFor({ labels: ['x'] }), decisionFor({ work_in_progress: true }, ['push'])]
    expect(neverSeen(cover(...some))).toEqual([
      'rule a: condition author: "alice" was never seen false',
      'rule b was never seen true',
      'rule b: condition draft: false was never seen true',
    ])
    const whole = cover(...some, decisionFor({ author: { id: 3, username: 'bob' } }, ['push']))
    expect([whole.seen, neverSeen(whole)]).toEqual([whole.of, []])
  })
  it('counts only decisions of the same file', () => {
    expect(coverageOf(inForce.rules, 'other.yml', [decisionFor({})]).seen).toBe(0)
  })
  it('does not count what is unknown', () => {
    expect(cover(decisionFor({ author: {} })).rules[0]?.conditions[0]).toMatchObject({
      seenTrue: false,
      seenFalse: false,
    })
  })
})
