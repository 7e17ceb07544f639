// `@bellhop freeze` in a note: who may, how it is written, and that it is done once.
import type { Freeze } from '../../../src/rules/language/values/freezes.ts'
import type { DecideInput } from '../../../src/rules/types.ts'
import { alice, noted, note as noteEvent } from '../over-time.ts'
import { answer, answers, decided, file, input, rule, rules } from '../world.ts'

// The note is of 2026-01-11T00:00:00Z.
const at = '2026-01-11T00:00:00Z'
function say(line: string, { access = 40, internal = false, ...more }: Record<string, unknown> = {}) {
  const body = { id: 17, body: `@bellhop ${line}`, author: alice, system: false, internal }
  const note = { ...noted('', Number(access)), 'note@17': answer(body) }
  const given: Partial<DecideInput> = { events: [noteEvent()], answers: answers({}, note), ...more }
  const { calls } = decided(input([file(rules(rule('{ author: bob }', '{ todo: true }')))], given))
  const [text = ''] = calls.flatMap(({ endpoint, params }) =>
    endpoint === 'mergeRequests.notes.create' ? [String(params.body)] : [],
  )
  const freezes = calls.flatMap(({ to, params }) => (to === 'journal' ? [params.freeze as unknown as Freeze] : []))
  return { said: text.split('\n')[0]?.replaceAll('\u200b', ''), freezes, order: calls.map(({ to }) => to) }
}

test.each([
  ['freeze 2h', { until: '2026-01-11T02:00:00.000Z' }, ': frozen until Sun 11 Jan 02:00 UTC.'],
  [
    'freeze until 2026-01-12T09:00Z except hotfix, scope::now because the release, again',
    { until: '2026-01-12T09:00:00.000Z', except: ['hotfix', 'scope::now'], reason: 'the release, again' },
    ', but what has a label of hotfix, scope::now: frozen until Mon 12 Jan 09:00 UTC (the release, again).',
  ],
])('%s is done before the answer', (line, freeze, text) => {
  const { said, freezes, order } = say(line)
  expect(freezes).toEqual([{ except: [], by: 'alice', at, ...freeze }])
  expect(said).toBe(`\`freeze\`: nothing merges in this project${text}`)
  expect(order).toEqual(['journal', 'service'])
})

test('freeze end ends it', () => {
  const freeze: Freeze = { until: '2026-01-12T00:00:00Z', except: [], by: 'bob', at: '2026-01-10T00:00:00Z' }
  const { said, freezes } = say('freeze end', { freeze })
  expect(freezes).toEqual([{ until: at, except: [], by: 'alice', at }])
  expect(said).toBe('`freeze`: the freeze is over.')
})

test('what was frozen or ended since is not changed once more', () => {
  for (const since of [at, '2026-01-11T00:00:01Z']) {
    const { said, freezes } = say('freeze 2h', { freeze: { until: since, except: [], by: 'bob', at: since } })
    expect(freezes).toEqual([])
    expect(said).toMatch(since === at ? /nothing merges in this project/ : /not done: somebody began or ended a freeze/)
  }
})

test.each([
  ['freeze', {}, /must end within a year/],
  ['freeze because the release', {}, /must end within a year/],
  ['freeze until the release', {}, /must end within a year/],
  ['freeze 2h', { access: 30 }, /only a maintainer or above may/],
  ['freeze end', { access: 30 }, /only a maintainer or above may/],
  ['freeze 2h because secret', { internal: true }, /that everybody may read/],
  ['freeze 2h', { withoutServer: true }, /use `freeze:` in the rules/],
  ['freeze end', { withoutServer: true }, /use `freeze:` in the rules/],
])('%s (%j) is refused, and says why', (line, given, text) => {
  const { said, freezes } = say(line, given)
  expect(freezes).toEqual([])
  expect(said).toMatch(/^`freeze`: not done: /)
  expect(said).toMatch(text)
  expect(said).not.toContain('secret')
})
