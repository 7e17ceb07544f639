// `bellhop import`: exit codes, streams and files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownFolder } from '../own-folder.ts'
import { bellhopHere } from '../run-here.ts'

const policies = `resource_rules:
  issues:
    rules:
      - { name: old, conditions: { state: opened }, actions: { labels: [old] } }
      - { name: odd, conditions: { iteration: 1 }, actions: { labels: [odd] } }
`

test('rules go to standard output or a file, and pass the check; what has no equal goes to standard error', async () => {
  const { folder, write } = ownFolder()
  const file = write('.triage-policies.yml', policies)
  const printed = await bellhopHere(['import', file])
  expect(printed).toMatchObject({
    code: 0,
    err: `${file}:5:36: the condition iteration has no equal: not converted\nbellhop: 1 of 2 policies converted, 1 remark.\n`,
  })
  const output = join(folder, '.bellhop.yml')
  expect(await bellhopHere(['import', file, '--output', output])).toMatchObject({ code: 0, out: '' })
  expect(readFileSync(output, 'utf8')).toBe(printed.out)
  expect(await bellhopHere(['check', output, '--strict'])).toMatchObject({ code: 0 })
  const again = await bellhopHere(['import', file, '--output', output])
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('it exists: --force overwrites it')])
  const marge = await bellhopHere(['import', write('run.sh', 'marge.app --batch --ci-timeout 1h\n'), '--user', 'marge'])
  expect(marge).toMatchObject({ code: 0, err: 'bellhop: 1 of 1 policy converted.\n' })
  const rules = write('marge.yml', marge.out)
  expect((await bellhopHere(['check', rules])).code).toBe(0)
})

const many = Array.from({ length: 10_000 }, (_, at) => `      - { name: r${at}, actions: { labels: [a] } }`)
test.each([
  ['broken YAML', 'resource_rules:\n  issues: [\n', 1, ':3:1: '],
  ['another file', 'jobs: {}\n', 1, ':1:1: expected resource_rules'],
  ['10,000 policies', `resource_rules:\n  issues:\n    rules:\n${many.join('\n')}\n`, 1, 'at most'],
  ['no file', undefined, 2, 'There is no file'],
])('%s is one line, and writes nothing', async (_what, text, code, line) => {
  const { folder, write } = ownFolder()
  const file = text === undefined ? join(folder, 'none.yml') : write('policies.yml', text)
  const { out, err, ...ended } = await bellhopHere(['import', file, '--output', join(folder, 'rules.yml')])
  expect([ended.code, out]).toEqual([code, ''])
  expect(err).toMatch(/^bellhop: [^\n]*\n$/)
  expect(err).toContain(line)
  expect(() => readFileSync(join(folder, 'rules.yml'))).toThrow('ENOENT')
})
