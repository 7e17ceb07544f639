// `bellhop check` as a process: what it prints, and its exit codes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bellhop } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellhop-check-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const good = 'version: 1\nrules:\n  - name: docs\n    if: { labels: { any: [docs] } }\n    then: { label: { add: documentation } }\n'
const bad = 'version: 1\nrules:\n  - name: docs\n    if: { labels: { any: [docs] } }\n    then: { accept: { squash: "yes" } }\n'

describe.concurrent('check', () => {
  test('says that fine files are fine, and exits 0', async () => {
    const paths = [file('one.yml', good), file('two.yml', good)]
    expect(await bellhop(['check', ...paths])).toEqual({ code: 0, out: '2 files are fine.\n', err: '' })
  })

  test('names file, line and column of a problem, what was expected and what was found, and exits 1', async () => {
    const path = file('bad.yml', bad)
    const { code, out, err } = await bellhop(['check', file('good.yml', good), path])
    expect(out).toBe(`${path}:5:31: rules[0].then.accept.squash: expected true or false, found "yes"\n`)
    expect([code, err]).toEqual([1, ''])
  })

  test('gives the same as JSON', async () => {
    const path = file('json.yml', bad)
    const { code, out } = await bellhop(['check', '--format', 'json', path])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ files: [path], problems: [{ file: path, line: 5, path: 'rules[0].then.accept.squash' }] })
  })

  test('text that is no YAML is a problem with a place, not a crash', async () => {
    const path = file('broken.yml', 'version: 1\nrules: [\n\0')
    const { code, out, err } = await bellhop(['check', path])
    expect([code, err]).toEqual([1, ''])
    expect(out).toMatch(/broken\.yml:\d+:\d+: /)
  })

  test('wrong usage exits 2 with one line that says what is wrong', async () => {
    const missing = await bellhop(['check', join(folder, 'missing.yml')])
    expect(missing).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^bellhop: .*missing\.yml cannot be read \(ENOENT\)\.\n$/),
    })
    const directory = await bellhop(['check', folder])
    expect(directory).toMatchObject({ code: 2, err: expect.stringContaining('EISDIR') })
    expect((await bellhop(['check'])).code).toBe(2)
    expect((await bellhop(['check', '--format', 'xml', 'x'])).code).toBe(2)
  })
})
