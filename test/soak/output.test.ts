// What the bot's processes write and how they end: overlaps, crashes and secrets are seen.
import { readLine } from '../../soak/bot-process.ts'
import { wrongOutput } from '../../soak/output.ts'
import { emptyRecord } from '../../soak/record.ts'

function promisesAfter(...lines: [process: string, line: string][]) {
  const record = emptyRecord()
  for (const [process, line] of lines) readLine(process, line, ['hush-hush'], record.log)
  return wrongOutput(record).map(({ promise }) => promise)
}
const decided = (mergeRequest: string, second: number, tookMs: number) =>
  JSON.stringify({ level: 30, time: `2026-01-01T00:00:0${second}.000Z`, event: 'decided', mergeRequest, tookMs })

const oneAtATime = 'one merge request, one evaluation at a time'
const noSecret = 'no secret is in any output'
test.each<[what: string, broken: string[], ...lines: [process: string, line: string][]]>([
  ['evaluations in a row', [], ['one', decided('1!1', 2, 1000)], ['two', decided('1!1', 3, 1000)]],
  [
    'a database that refuses connections',
    [],
    ['one', JSON.stringify({ level: 40, event: 'journal', err: { message: 'it starts up', severity: 'FATAL' } })],
  ],
  ['a process out of memory', ['no process crashes'], ['one', 'FATAL ERROR: Reached heap limit']],
  ['evaluations of two merge requests at once', [], ['one', decided('1!1', 2, 1000)], ['two', decided('1!2', 2, 1000)]],
  ['evaluations of one at once', [oneAtATime], ['one', decided('1!1', 3, 2000)], ['two', decided('1!1', 2, 100)]],
  ['a secret in a log line', [noSecret], ['one', '{"msg":"the token hush-hush"}']],
  ['a secret elsewhere', [noSecret], ['one', 'hush-hush']],
  ['a rejection', ['no process crashes'], ['one', '[UnhandledPromiseRejection: This error originated …]']],
])('%s: the broken promises are %j', (_what, broken, ...lines) => {
  expect(promisesAfter(...lines)).toEqual(broken)
})

test('an end that nobody asked for', () => {
  const record = emptyRecord()
  record.log.ends.push({ process: 'one', expected: 'code 0', found: 'code 1' })
  expect(wrongOutput(record)).toHaveLength(1)
})

test('two at once are fine where one was frozen for longer than its lock, and only there', () => {
  const record = emptyRecord()
  const lines: [string, string][] = [
    ['one', decided('1!1', 5, 4000)],
    ['two', decided('1!1', 4, 100)],
  ]
  for (const [process, line] of lines) readLine(process, line, [], record.log)
  const second = (at: number) => Date.parse('2026-01-01T00:00:00Z') + at * 1000
  expect(wrongOutput(record)).toHaveLength(1)
  record.log.freezes.push({ process: 'two', from: second(6), to: second(8) })
  expect(wrongOutput(record)).toHaveLength(1)
  record.log.freezes.push({ process: 'one', from: second(2), to: second(4) })
  expect(wrongOutput(record)).toEqual([])
})
