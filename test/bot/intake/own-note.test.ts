// Notes that Bellhop wrote itself.
import { expect, test } from 'vitest'
import { isOwnNoteWithoutEffect } from '../../../src/bot/intake/own-note.ts'
import { ServiceError } from '../../../src/client/errors.ts'
import type { Event } from '../../../src/rules/types.ts'
import { file, issueRule, rule, rules } from '../../rules/world.ts'

const bot = { id: 99, username: 'bellhop' }
const event = (kind: Event['kind'], id: number): Event => ({ kind, at: '2026-01-11T00:00:00Z', actor: { id }, iid: 4 })
const inForce = (condition: string) => ({
  files: [file(rules(rule(condition, '{ todo: true }')))],
  policy: { mode: 'act' as const, includeFrom: [], newRuleLimit: 0 },
})

test.each([
  ['its own, where no rule depends on notes', event('note.create', 99), '{ author: bob }', true],
  ['its own, changed', event('note.update', 99), '{ author: bob }', true],
  ['somebody else’s', event('note.create', 5), '{ author: bob }', false],
  ['no note', event('merge_request.update', 99), '{ author: bob }', false],
  [
    'its own, where a rule counts notes',
    event('note.create', 99),
    '{ any: [{ user_notes_count: { at_least: 3 } }] }',
    false,
  ],
  [
    'its own, where a rule asks for the last change',
    event('note.create', 99),
    '{ updated: { older_than: 7d } }',
    false,
  ],
  ['its own, where a rule asks who takes part', event('note.create', 99), '{ participants: [bob] }', false],
])('%s', async (_what, happened, condition, expected) => {
  expect(await isOwnNoteWithoutEffect({ botUser: async () => bot }, happened, inForce(condition))).toBe(expected)
})

test('a rule for issues does not count for a note on a merge request, and the other way round', async () => {
  const forIssues = '{ user_notes_count: { at_least: 3 } }'
  const files = [
    file(rules(rule('{ author: bob }', '{ todo: true }', 'other'), issueRule(forIssues, '{ todo: true }'))),
  ]
  const within = { ...inForce('{ draft: true }'), files }
  const on = (iid: number) =>
    isOwnNoteWithoutEffect({ botUser: async () => bot }, { ...event('note.create', 99), iid }, within)
  expect([await on(4), await on(-4)]).toEqual([true, false])
})

test('is evaluated where the rules are not known', async () => {
  expect(await isOwnNoteWithoutEffect({ botUser: async () => bot }, event('note.create', 99), undefined)).toBe(false)
})

test('is evaluated where the service does not say who Bellhop is, and waits while the service is away', async () => {
  const failing = (status: number) => async () => {
    throw new ServiceError({
      ...{ kind: status === 403 ? 'refused' : 'failing', path: '/user', status, mayHaveBeenApplied: false },
      target: { name: 'users.current', method: 'GET', errors: {}, means: {} },
    })
  }
  const asked = (status: number) =>
    isOwnNoteWithoutEffect({ botUser: failing(status) }, event('note.create', 99), inForce('{ author: bob }'))
  expect(await asked(403)).toBe(false)
  await expect(asked(503)).rejects.toThrow(ServiceError)
})
