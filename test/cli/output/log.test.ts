// The log: one JSON line per step, with our secrets redacted.
import { spawnSync } from 'node:child_process'
import { createLog } from '../../../src/cli/output/log.ts'

function logged(secrets: string[], level = 'info') {
  const lines: string[] = []
  return { lines, log: createLog({ level, secrets, write: (line) => lines.push(line) }) }
}

/** How a text is written. */
function shown(secrets: string[], text: string) {
  const { lines, log } = logged(secrets)
  log.info({ text }, 'x')
  return JSON.parse(lines[0] ?? '').text
}

test('a step is one line of JSON with its time and level', () => {
  const { lines, log } = logged([])
  log.info({ event: 'decided', text: 'a\nb' }, 'decided')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^[^\n]+\n$/)
  const time = expect.stringMatching(/^\d{4}-.*Z$/)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 30, time, event: 'decided', msg: 'decided' })
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
    const write = (line: string) => lines.push(line)
    const log = createLog({ level: 'info', secrets: ['hush'], laterSecrets: () => later, write })
    later.push('hush-and-more')
    log.info({ text: 'hush-and-more hush' }, 'x')
    expect(JSON.parse(lines[0] ?? '').text).toBe('[redacted] [redacted]')
  })

  test.each([
    ['JSON', 'quote"back\\slash\nline', (secret: string) => secret],
    ['an address', 'p@ss/word', encodeURIComponent],
  ])('also one that %s writes in another way', (_, secret, write) => {
    expect(shown([secret], `<${write(secret)}>`)).toBe('<[redacted]>')
  })

  test('a secret that starts with another is redacted whole', () => {
    expect(shown(['hush', 'hush-and-more'], 'hush-and-more')).toBe('[redacted]')
  })

  test('an empty secret redacts nothing', () => {
    expect(shown([''], 'plain')).toBe('plain')
  })
})

describe('by key', () => {
  const headers = ['authorization', 'private-token', 'PRIVATE-TOKEN', 'x-gitlab-token']
  test.each([...headers, 'token', 'secret', 'password', 'hookSecret', 'adminToken', 'serviceToken'])(
    'the value of %s is redacted',
    (key) => {
      const { lines, log } = logged([])
      log.info(
        {
          [key]: 'value-one',
          headers: { [key]: 'value-"-two', kept: 'kept' },
          a: { b: [{ [key]: 'value-three' }], [key]: ['value-]four', { deep: 'value-five' }] },
        },
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
})
