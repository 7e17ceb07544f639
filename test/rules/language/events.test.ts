// Event rules: which events they are for, commands, once per event, and standing requests.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { emptyMemory, remember } from '../../../src/rules/engine/update-memory.ts'
import { explainDecision } from '../../../src/rules/explain/explain.ts'
import { readRules } from '../../../src/rules/language/documents/rule-document.ts'
import { eventKinds, unsupportedEvents, unsupportedReason } from '../../../src/rules/language/events.ts'
import type { DecideInput, SourceAnswers } from '../../../src/rules/types.ts'
import { happened, note, noted } from '../over-time.ts'
import { answers, bot, byRules, decided, file, input, refused, rememberAs, rememberDone, sent } from '../world.ts'

const ruleFile = (on: string, rest = 'then: { subscribe: true }') =>
  file(`version: 1\nrules:\n  - name: the rule\n    ${on}\n    ${rest}\n`)
const decide = (given: ReturnType<typeof ruleFile>, changes: Partial<DecideInput>) => decided(input([given], changes))

describe('a rule with on:', () => {
  test.each([
    ['on: merge_request.open', 'merge_request.open', true],
    ['on: merge_request.open', 'merge_request.update', false],
    ['on: [merge_request.open, merge_request.reopen]', 'merge_request.reopen', true],
    ['on: merge_request.*', 'merge_request.approved', true],
    ['on: pipeline.failed', 'pipeline.failed', true],
    ['on: merge_request.unapproved', 'merge_request.approvals_reset', false],
    ['on: merge_request.approvals_reset', 'merge_request.approvals_reset', true],
    ['on: push', 'push', true],
    ['on: push', 'tag_push', false],
  ])('%s and the event %s: %s', (on, kind, acts) => {
    expect(sent(decide(ruleFile(on), { events: [happened(kind)] })).length).toBe(acts ? 1 : 0)
  })

  test('waits for the fields that it names', () => {
    const given = ruleFile('on: { merge_request.update: { changed: [labels, title] } }')
    const callsAfter = (changed: string[]) =>
      decide(given, { events: [happened('merge_request.update', 'd1', { changed })] }).calls.length
    expect([callsAfter(['description']), callsAfter(['title'])]).toEqual([0, 1])
  })

  it('does nothing without an event, and says what it waits for', () => {
    const decision = decide(ruleFile('on: [push, note.create]'), {})
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.conditions).toMatchObject({
      verdict: 'false',
      expected: 'push or note.create',
      actual: 'no such event',
    })
  })

  it('is evaluated for each of its events, with its own facts', () => {
    const given = ruleFile(
      'on: merge_request.*',
      'if: { event: merge_request.close, actor: alice }\n    then: { subscribe: true }',
    )
    const events = [happened('merge_request.open', 'd1'), happened('merge_request.close', 'd2')]
    const decision = decide(given, { events })
    expect(decision.rules.map((rule) => [rule.key, rule.verdict])).toEqual([
      ['rules/test.yml#the rule@d1', 'false'],
      ['rules/test.yml#the rule@d2', 'true'],
    ])
  })

  it('says so where the only such event is Bellhop’s own', () => {
    const memory = { ...emptyMemory(), raised: { push: '2026-01-11T00:00:00Z' } }
    const own = happened('push', 'd1', { actor: bot })
    const decision = decide(ruleFile('on: [push, note.create]'), { memory, events: [own, happened('note.update')] })
    expect(decision.rules[0]?.conditions).toMatchObject({
      verdict: 'false',
      actual: 'push by bellhop: Bellhop’s own events start no rule',
    })
    expect(decision.rules[0]?.conditions.toFix).toBeUndefined()
    expect(explainDecision(decision).join()).toContain('actual push by bellhop: Bellhop’s own events start no rule')
    const heard = decide(ruleFile('on: push'), { memory, events: [own, happened('push', 'd2')] })
    expect(heard.rules.map(({ key, verdict }) => [key, verdict])).toEqual([['rules/test.yml#the rule@d2', 'true']])
  })

  it('alone may request the facts of events', () => {
    const read = readRules(
      'defs: { by alice: { actor: alice } }\nrules: [{ name: a, if: { use: by alice }, then: { subscribe: true } }]',
      'f',
      { trust: 'operator' },
    )
    expect(read).toMatchObject({ ok: false, problems: [{ found: 'actor in a rule without on:' }] })
  })

  it('acts once for an event, though it is evaluated again while it is pending', () => {
    const given = ruleFile('on: push')
    const events = [happened('push')]
    const first = decide(given, { events })
    const memory = rememberDone(emptyMemory(), first)
    expect(sent(decide(given, { events, memory }))).toEqual([])
    expect(sent(decide(given, { events: [...events, happened('push', 'd2')], memory })).length).toBe(1)
  })

  it('acts again after a call that was never answered', () => {
    const given = ruleFile('on: push')
    const events = [happened('push')]
    const memory = remember(emptyMemory(), decide(given, { events }))
    expect(sent(decide(given, { events, memory })).length).toBe(1)
  })

  it('does not repeat what was refused', () => {
    const given = ruleFile('on: push')
    const events = [happened('push')]
    const memory = rememberAs('refused', decide(given, { events }))
    expect(sent(decide(given, { events, memory }))).toEqual([])
  })

  it('is forgotten with its event', () => {
    const memory = rememberDone(emptyMemory(), decide(ruleFile('on: push'), { events: [happened('push')] }))
    expect(memory.events).toBeDefined()
    expect(remember(memory, decide(ruleFile('on: push'), { memory })).events).toBeUndefined()
  })
})

describe('a command', () => {
  const merge = ruleFile('command: merge', 'then: { subscribe: true }')

  const heard = (said: SourceAnswers, given = merge) =>
    byRules(decide(given, { events: [note()], answers: answers({}, said) }))

  test.each([
    ['is read back from the service', noted('@bellhop merge'), 1],
    ['that the note does not have is not believed', noted('nothing of the kind'), 0],
    ['of a note that is gone is not believed', { ...noted(''), 'note@17': refused(404) }, 0],
    ['of a note by somebody else is nobody’s', noted('@bellhop merge', 40, { id: 3, username: 'mallory' }), 0],
  ])('%s', (_what, said, calls) => {
    expect(heard(said).calls).toHaveLength(calls)
  })

  test.each([
    [30, '{ subscribe: true }', true],
    [20, '{ subscribe: true }', false],
    [30, '{ approve: true }', false],
    [40, '{ approve: true }', true],
  ])('by someone of level %i for %s: %s', (access, actions, acts) => {
    const decision = heard(noted('@bellhop go', access), ruleFile('command: go', `then: ${actions}`))
    expect(decision.calls.length).toBe(acts ? 1 : 0)
  })

  it('by someone who is no member is not heard', () => {
    const decision = heard({ ...noted('@bellhop merge'), 'actorAccess@2': refused(404) })
    expect(decision.calls).toEqual([])
    expect(JSON.stringify(decision.rules[0]?.conditions)).toContain('"actual":"\\"none\\""')
  })

  it('waits when the level cannot be read', () => {
    expect(heard({ ...noted('@bellhop merge'), 'actorAccess@2': refused(403) }).rules[0]?.verdict).toBe('unknown')
  })
})

const folder = new URL('../../../../shared/payloads/', import.meta.url)
const files = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  : []
const kinds = new Set(
  files.flatMap((name): string[] => {
    const { object_kind, event_name } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
    return [object_kind ?? event_name].filter((kind) => typeof kind === 'string')
  }),
)
const named = new Set(eventKinds.map((kind) => kind.split('.')[0]))

describe.skipIf(files.length === 0)('the corpus (skipped where ../shared/payloads is absent)', () => {
  test.each([...kinds])('%s can be named, or has a reason', (kind) => {
    expect(named.has(kind) || unsupportedReason(kind) !== undefined).toBe(true)
  })
})

test('no event is both named and unsupported, and none is listed twice', () => {
  const all = unsupportedEvents.flatMap((each) => each.kinds)
  expect(all.filter((kind) => named.has(kind))).toEqual([])
  expect(new Set(all).size).toBe(all.length)
})

// Not in the corpus: events that GitLab documents since 18.4.
test.each(['deploy_token', 'duo_workflow'])('%s has a reason', (kind) => {
  expect(unsupportedReason(kind)).toContain(`(${kind})`)
})

test('the reason names the event and the page', () => {
  expect(unsupportedReason('vulnerability')).toMatch(/^Vulnerability events \(vulnerability\) .*docs\/rules\.md\.$/)
  expect(unsupportedReason('moonrise')).toBeUndefined()
  expect(unsupportedReason('__proto__')).toBeUndefined()
})
