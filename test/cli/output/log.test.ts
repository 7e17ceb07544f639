// The log: one JSON line per step, with our secrets redacted.
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { createLog, prettyLine } from '../../../src/cli/output/log.ts'

function logged(secrets: string[], level = 'info') {
  const lines: string[] = []
  return { lines, log: createLog({ level, secrets, write: (line) => lines.push(line) }) }
}

test('a step is one line of JSON with its time and level', () => {
  const { lines, log } = logged([])
  log.info({ event: 'decided', text: 'a\nb' }, 'decided')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^[^\n]+\n$/)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 30,
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    event: 'decided',
    msg: 'decided',
  })
})

test('what is below the level is not written', () => {
  const { lines, log } = logged([], 'warn')
  log.info('quiet')
  log.warn('loud')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['loud'])
})

describe('by value', () => {
  test('a secret is redacted in messages, fields, keys, errors and their causes', () => {
    const { lines, log } = logged(['hush-hush'])
    log.info({ a: 'x hush-hush y', b: { c: ['hush-hush'] }, 'hush-hush': 1 }, 'it is hush-hush')
    log
      .child({ who: 'hush-hush' })
      .error({ err: new Error('hush-hush', { cause: new Error('inner hush-hush') }) }, 'failed')
    expect(lines.join('')).not.toContain('hush')
    expect(lines.join('')).toContain('[redacted]')
  })

  test('also one that is added later', () => {
    const later: string[] = []
    const lines: string[] = []
    const log = createLog({
      level: 'info',
      secrets: ['hush'],
      laterSecrets: () => later,
      write: (line) => lines.push(line),
    })
    later.push('hush-and-more')
    log.info({ text: 'hush-and-more hush' }, 'x')
    expect(JSON.parse(lines[0] ?? '').text).toBe('[redacted] [redacted]')
  })

  test.each([
    ['JSON', 'quote"back\\slash\nline', (secret: string) => secret],
    ['an address', 'p@ss/word', encodeURIComponent],
  ])('also one that %s writes in another way', (_, secret, write) => {
    const { lines, log } = logged([secret])
    log.info({ text: `<${write(secret)}>` }, 'x')
    expect(JSON.parse(lines[0] ?? '').text).toBe('<[redacted]>')
  })

  test('a secret that starts with another is redacted whole', () => {
    const { lines, log } = logged(['hush', 'hush-and-more'])
    log.info({ text: 'hush-and-more' }, 'x')
    expect(JSON.parse(lines[0] ?? '').text).toBe('[redacted]')
  })

  test('an empty secret redacts nothing', () => {
    const { lines, log } = logged([''])
    log.info('plain')
    expect(JSON.parse(lines[0] ?? '').msg).toBe('plain')
  })
})

describe('by key', () => {
  const headers = ['authorization', 'private-token', 'PRIVATE-TOKEN', 'x-gitlab-token']
  test.each([...headers, 'token', 'secret', 'password', 'hookSecret', 'adminToken', 'serviceToken'])(
    'the value of %s is redacted',
    (key) => {
      const { lines, log } = logged([])
      log.info(
        { [key]: 'value-one', headers: { [key]: 'value-two', kept: 'kept' }, a: { b: { [key]: 'value-three' } } },
        'x',
      )
      expect(lines[0]).not.toContain('value-')
      expect(lines[0]).toContain('kept')
    },
  )
})

describe('to standard error', () => {
  test('the lines of the last turn are written before the process ends', () => {
    const steps = `
      const { createLog } = await import(${JSON.stringify(new URL('../../../src/cli/output/log.ts', import.meta.url).href)})
      const log = createLog({ level: 'info', secrets: ['hush-hush'] })
      log.info('first')
      log.info('hush-hush')
      process.exit(3)`
    const args = ['--import', 'tsx', '--input-type=module', '--eval', steps]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    const lines = stderr.trim().split('\n')
    expect([status, lines.map((line) => JSON.parse(line).msg)]).toEqual([3, ['first', '[redacted]']])
  })

  test('many logs share one listener of the process’s exit', () => {
    const before = process.listenerCount('exit')
    for (let n = 0; n < 20; n += 1) createLog({ level: 'info', secrets: [] })
    expect(process.listenerCount('exit')).toBe(before)
  })
})

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
