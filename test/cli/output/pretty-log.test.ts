// The log for people.
import { createLog, prettyLine } from '../../../src/cli/output/log.ts'

function openLog(isColoured = false): { log: ReturnType<typeof createLog>; lines: string[] } {
  const lines: string[] = []
  const pretty = prettyLine(isColoured)
  return {
    lines,
    log: createLog({ level: 'debug', secrets: ['hush-hush'], write: (line) => lines.push(pretty(line)) }),
  }
}

test('a line has time, level, message, and the rest by name', () => {
  const { log, lines } = openLog()
  log
    .child({ mergeRequest: 'hotel/app!42' })
    .warn({ event: 'call', deliveries: ['d-1', 'd-2'], status: 200, why: 'two words' }, 'label: done')
  expect(lines).toEqual([
    expect.stringMatching(
      /^\d\d:\d\d:\d\d\.\d{3} WARN {2}label: done mergeRequest=hotel\/app!42 deliveries=d-1,d-2 status=200 why="two words"\n$/,
    ),
  ])
})

test('values that need it are quoted, also in lists, and empty ones are left out', () => {
  const { log, lines } = openLog()
  log.info({ labels: ['two words', 'a,b', 'c', 7], none: [], why: '', by: null, more: {}, off: false, count: 0 }, 'set')
  expect(lines[0]).toMatch(/ set labels="two words","a,b",c,7 off=false count=0\n$/)
})

test('an error has its stack, without secrets', () => {
  const { log, lines } = openLog()
  log.error({ err: new Error('it broke on hush-hush') }, 'failed')
  expect(lines[0]).toMatch(/ERROR failed\n {4}Error: it broke on \[redacted\]\n {4,}at /)
})

test('text from outside cannot control the terminal, and colours are for terminals only', () => {
  const outside = { event: 'x', 'title\u001b[2J': '\u001b]0;a\u0007b\n\u009bc', list: ['\u001b[1m'] }
  const { log, lines } = openLog()
  log.info(outside, 'msg\u001b[3m')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  expect(lines[0]).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  const coloured = openLog(true)
  coloured.log.info('hello')
  expect(coloured.lines[0]).toContain('\u001b[32minfo')
})
