// Every event that GitLab documents can be named, or has a reason why not.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { eventKinds, unsupportedEvents, unsupportedReason } from '../../../src/rules/language/events.ts'

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
