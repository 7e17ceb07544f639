// docs/security.md: each threat names the test that shows what stops it, and each named test is there.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { settings } from '../../src/cli/config.ts'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/security.md', root), 'utf8')
const threats = page
  .slice(page.indexOf('\n## Threats'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| may try'))
const named = [...page.matchAll(/`(test\/[\w./-]+\.ts): ([^`]+)`/g)].map(([, file = '', name = '']) => [file, name] as const)

describe('docs/security.md', () => {
  test('has a test for each threat', () => {
    expect(threats.length).toBeGreaterThan(30)
    expect(threats.filter((line) => !/`test\/[^`]+: [^`]+`/.test(line))).toEqual([])
  })

  test.each(named)('names a test that is there: %s: %s', (file, name) => {
    expect(existsSync(new URL(file, root)), file).toBe(true)
    const source = readFileSync(new URL(file, root), 'utf8')
    // The first argument of test, it or what each() gives; a formatter may have put it on a line of its own.
    const starts = [...source.matchAll(/\(\s*(['"`])((?:(?!\1).)+)\1/g)].map(([, , text]) => text)
    expect(starts).toContain(name)
  })

  test('names settings that are there', () => {
    const known = Object.values(settings).map(({ variable }) => variable)
    for (const [variable] of page.matchAll(/BELLHOP_[A-Z_]+/g)) expect(known).toContain(variable)
  })
})
