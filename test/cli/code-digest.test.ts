// What names the running code is another name as soon as any of it differs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { codeDigest, digestOf } from '../../src/cli/code-digest.ts'

const place = mkdtempSync(join(tmpdir(), 'bellhop-code-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

let made = 0
/** Of files by their paths below a folder of its own. */
function digest(files: Record<string, string>, { lock = 'lock', node = '20' } = {}): Promise<string> {
  made += 1
  const top = join(place, String(made))
  for (const [path, content] of Object.entries({ ...files, '../lock.json': lock })) {
    const file = join(top, 'code', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const at = (path: string) => pathToFileURL(join(top, path))
  return digestOf({ folder: at('code/'), packages: [at('lock.json'), at('none.json')], runsOn: { node } })
}
const code = { 'a.js': 'a', 'rules/b.js': 'b' }

test('equal code has the same name, wherever it lies', async () => {
  expect(await digest(code)).toBe(await digest({ 'rules/b.js': 'b', 'a.js': 'a' }))
})

test.each<[string, Record<string, string>, { lock?: string; node?: string }]>([
  ['a file that differs', { ...code, 'rules/b.js': 'c' }, {}],
  ['a file more', { ...code, 'rules/c.js': '' }, {}],
  ['a file less', { 'a.js': 'a' }, {}],
  ['a file of another name', { 'a.js': 'a', 'rules/c.js': 'b' }, {}],
  ['two files that say together what one said', { 'a.js': 'a\nrules/b.js 1\nb' }, {}],
  ['other packages', code, { lock: 'other' }],
  ['another Node', code, { node: '22' }],
])('%s is another name', async (_, files, given) => {
  expect(await digest(files, given)).not.toBe(await digest(code))
})

test('the code that runs has one name', async () => {
  const name = await codeDigest()
  expect(name).toMatch(/^[0-9a-f]{64}$/)
  expect(await codeDigest()).toBe(name)
})
