// What is known before a merge request is read: which facts, whom it believes, and that it settles only that no rule holds.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '../../../../src/rules/engine/decide.ts'
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'
import { issueRef } from '../../../../src/rules/facts/definition/subject-ref.ts'
import { knownBefore, stableFacts, withStable } from '../../../../src/rules/facts/reading/stable-facts.ts'
import type { DecideInput, Json, Memory, StableFacts } from '../../../../src/rules/types.ts'
import { alice, events, expected, files, json, memories, usualAnswers } from '../../arbitraries.ts'
import { decided, file, input, mergeRequest, rule, rules } from '../../world.ts'

const said = { source_branch: 'feature', source_project_id: 1, target_project_id: 1 }
const facts = { source_branch: 'feature', source_project_id: 1, from_fork: false }
const now = '2026-01-11T00:00:00Z'

/** The input before anything was read. */
const unread = (text: string, stable: StableFacts | undefined, changes: Partial<DecideInput> = {}): DecideInput =>
  input([file(rules(text))], { answers: {}, ...(stable === undefined ? {} : { stable }), ...changes })

describe('a stable fact', () => {
  it('is read from what a delivery says, as from the service', () => {
    expect(stableFacts(said)).toEqual(facts)
    expect(stableFacts(mergeRequest())).toEqual({ ...facts, iid: 7, author: 'alice' })
  })
  it('of another type, or as long as no branch, is none', () => {
    expect(stableFacts({ source_branch: ['feature'], source_project_id: '1', target_project_id: null })).toEqual({})
    expect(stableFacts({ source_branch: 'x'.repeat(501) })).toEqual({})
    fc.assert(
      fc.property(json, (body) => {
        expect(stableFacts({ source_branch: body })).toEqual(typeof body === 'string' ? { source_branch: body } : {})
      }),
    )
  })
  it('is believed as it was read within a day, and as deliveries say; not where these differ', () => {
    const known = (memory: Memory, ...told: StableFacts[]) =>
      knownBefore({
        mergeRequest: { project: 1, iid: 7 },
        memory,
        now,
        events: told.map((stable, index) => ({
          id: `d${index}`,
          event: { kind: 'push', actor: alice, at: now, stable },
        })),
      })
    const read = withStable(emptyMemory(), mergeRequest(), '2026-01-10T12:00:00Z')
    expect(known(emptyMemory())).toEqual({ iid: 7 })
    const ofIssue = { mergeRequest: issueRef(1, 7), memory: emptyMemory(), now, events: [] }
    expect(knownBefore(ofIssue)).toEqual({ iid: 7 })
    expect(known(emptyMemory(), facts)).toEqual({ ...facts, iid: 7 })
    expect(known(read)).toEqual({ ...facts, iid: 7, author: 'alice' })
    expect(known(read, { ...facts, source_branch: 'other' })).toEqual({
      source_project_id: 1,
      from_fork: false,
      iid: 7,
      author: 'alice',
    })
    expect(known(emptyMemory(), facts, { ...facts, from_fork: true })).toEqual({
      source_branch: 'feature',
      source_project_id: 1,
      iid: 7,
    })
    expect(known(withStable(emptyMemory(), mergeRequest(), '2026-01-09T23:00:00Z'))).toEqual({ iid: 7 })
  })
})

describe('before the merge request is read', () => {
  it('a rule that is false by stable facts is settled, and nothing is asked for', () => {
    const { rules: told, calls } = decided(
      unread(rule('{ source_branch: main, labels: { any: [ready] } }', '{ approve: true }'), facts),
    )
    expect(told.map(({ verdict }) => verdict)).toEqual(['false'])
    expect(calls).toEqual([])
    expect(decide(unread(rule('{ source_branch: main }', '{ approve: true }'), undefined))).toEqual({
      needs: ['mergeRequest'],
    })
  })
  it.each([
    ['a rule that is true by stable facts', '{ source_branch: feature }', {}],
    ['a rule that still asks for something', '{ from_fork: false, draft: false }', {}],
    [
      'a rule that held',
      '{ source_branch: main }',
      { rules: { 'rules/test.yml#the rule': { fingerprint: 'f', matched: true, done: [] } } },
    ],
    ['what may have to be withdrawn', '{ source_branch: main }', { of: { approve: 'a'.repeat(40) } }],
  ])('%s asks the service', (_name, condition, memory) => {
    const given = unread(rule(condition, '{ approve: true }'), facts, { memory: { ...emptyMemory(), ...memory } })
    expect(decide(given)).toMatchObject({ needs: expect.arrayContaining(['mergeRequest']) })
  })
  it('what was read wins over what was known before', () => {
    const given = unread(rule('{ source_branch: feature }', '{ subscribe: true }'), { source_branch: 'main' })
    expect(decided(given).calls).toEqual([])
    expect(decided({ ...given, answers: input([]).answers }).calls).toMatchObject([{ action: 'subscribe' }])
  })
  it('what is settled comes out the same when everything is read', () => {
    const stable = [
      'source_branch: main',
      'source_branch: feature',
      'author: dependabot',
      'from_fork: true',
      'iid: { more_than: 7 }',
    ]
    const others = [
      'draft: false',
      'pipeline: success',
      'not: { author: alice }',
      'any: [{ source_branch: main }, { state: opened }]',
    ]
    const condition = fc.tuple(fc.constantFrom(...stable), fc.constantFrom(...others), fc.boolean())
    const texts = fc
      .array(fc.tuple(condition, expected), { minLength: 1, maxLength: 3 })
      .map((list) =>
        list
          .map(([[one, other, both], then], at) =>
            rule(both ? `{ ${one}, ${other} }` : `{ not: { ${one} } }`, then, `rule ${at}`),
          )
          .join(''),
      )
    let settled = 0
    fc.assert(
      fc.property(
        texts,
        usualAnswers,
        fc.oneof(fc.constant(emptyMemory()), memories),
        events,
        (text, all, memory, happened) => {
          const body = all.mergeRequest?.ok === true ? all.mergeRequest.body : {}
          const given = unread(text, stableFacts(body), { memory, events: happened })
          const first = decide(given)
          if ('needs' in first) return
          settled += 1
          const whole = decided({ ...given, answers: all })
          expect(first.decision.calls).toEqual(whole.calls)
          expect(first.decision.rules.map(({ verdict }) => verdict)).toEqual(whole.rules.map(({ verdict }) => verdict))
        },
      ),
      { numRuns: 300 },
    )
    expect(settled).toBeGreaterThan(10)
  })
  it('whatever is said of them, nothing is done by it', () => {
    const hostile = fc.dictionary(
      fc.constantFrom(...Object.keys(facts), 'author', 'labels', 'state'),
      json as fc.Arbitrary<Json>,
    )
    fc.assert(
      fc.property(files, memories, events, hostile, (inForce, memory, happened, stable) => {
        const first = decide(input(inForce, { memory, events: happened, answers: {}, stable }))
        if ('needs' in first) return
        expect(first.decision.calls).toEqual([])
        expect(first.decision.rules.map(({ verdict }) => verdict)).not.toContain('true')
      }),
      { numRuns: 150 },
    )
  })
})
