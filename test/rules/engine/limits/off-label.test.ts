// The label that turns Bellhop off: what it does, and for whom it counts.
import { describe, expect, it } from 'vitest'
import { decide } from '../../../../src/rules/engine/decide.ts'
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import type { SourceAnswer, SourceAnswers } from '../../../../src/rules/types.ts'
import { answer, answers, decided, decideRule, file, input, rule, rules, sent } from '../../world.ts'

describe('the label that turns Bellhop off', () => {
  const off = (labels: string[]) =>
    decideRule('{ state: opened }', '{ subscribe: true }', { offLabel: 'bellhop::off', answers: answers({ labels }) })
  it('leaves nothing to do, and says why', () => {
    expect(off(['bellhop::off'])).toMatchObject({ calls: [], paused: 'the label bellhop::off is on it' })
    expect(off(['other']).calls).toHaveLength(1)
  })
  it('is no end: what was blocked is done when it is taken off', () => {
    const given = file(rules(rule('{ state: opened }', '{ subscribe: true }')))
    const paused = decided(input([given], { offLabel: 'x', answers: answers({ labels: ['x'] }) }))
    expect(sent(decided(input([given], { memory: remember(emptyMemory(), paused) })))).toHaveLength(1)
  })
})

describe('who set the label', () => {
  const files = [file(rules(rule('{ state: opened }', '{ subscribe: true }')))]
  const added = (id: number | null, name = 'off', action = 'add') => ({
    action,
    label: { name },
    user: id === null ? null : { id, username: `u${id}` },
  })
  const access = (level: number): SourceAnswer => answer({ access_level: level })
  const given = (history: unknown[], other: SourceAnswers = {}, complete = true) =>
    input(files, {
      offLabel: 'off',
      answers: answers({ labels: ['off'] }, { labelEvents: answer(history, complete), ...other }),
    })
  const isOff = (...of: Parameters<typeof given>) => decided(given(...of)).calls.length === 0

  it.each([
    [30, true],
    [40, true],
    [50, true],
    [20, false],
    [10, false],
  ])('with the access level %i counts: %s', (level, expected) => {
    expect(isOff([added(7)], { 'actorAccess@7': access(level) })).toBe(expected)
  })
  it('is the last who added it', () => {
    const people = { 'actorAccess@7': access(10), 'actorAccess@8': access(40) }
    expect(isOff([added(7), added(7, 'off', 'remove'), added(8)], people)).toBe(true)
    expect(isOff([added(8), added(8, 'off', 'remove'), added(7), added(8, 'other')], people)).toBe(false)
  })
  it('counts for no member, and the decision says whose label does not count', () => {
    const gone = { ok: false as const, reason: '404 Not found', status: 404 }
    const decision = decided(given([added(7)], { 'actorAccess@7': gone }))
    expect([decision.calls.length, decision.offIgnored]).toEqual([
      1,
      'the label off does not count: u7 set it, and only a developer or above may',
    ])
  })
  it.each([
    ['the history does not say', []],
    ['the history names nobody', [added(null)]],
    ['the history is of another shape', [17, null]],
  ])('is unknown where %s: the label counts', (_what, history) => {
    expect(isOff(history)).toBe(true)
  })
  it('is unknown where the history or the access cannot be read, or is cut: the label counts', () => {
    const refused = { ok: false as const, reason: '403 Forbidden', status: 403 }
    expect(isOff([], { labelEvents: refused })).toBe(true)
    expect(isOff([added(7)], { 'actorAccess@7': refused })).toBe(true)
    expect(isOff([added(7)], { 'actorAccess@7': access(10) }, false)).toBe(true)
  })
  it('is read only where the label is set', () => {
    const { labelEvents: _history, ...without } = answers({ labels: ['off'] })
    expect(decide(input(files, { offLabel: 'off', answers: without }))).toEqual({ needs: ['labelEvents'] })
    const { labelEvents: _unread, ...unlabelled } = answers()
    expect(decide(input(files, { offLabel: 'off', answers: unlabelled }))).toHaveProperty('decision')
    expect(decide(given([added(7)]))).toEqual({ needs: ['actorAccess@7'] })
  })
})
