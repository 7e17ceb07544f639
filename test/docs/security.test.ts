// docs/security.md: each threat names the test that shows what stops it, and each named test is there.
import { describe, expect, test } from 'vitest'
import { settings } from '../../src/cli/settings.ts'
import { namedTests, readPage, testsIn } from './named-tests.ts'

const page = readPage('security.md')
const threats = page
  .slice(page.indexOf('\n## Threats'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| may try'))

describe('docs/security.md', () => {
  test('has a test for each threat', () => {
    expect(threats.length).toBeGreaterThan(30)
    expect(threats.filter((line) => !/`test\/[^`]+: [^`]+`/.test(line))).toEqual([])
  })

  test.each(namedTests(page))('names a test that is there: $file: $name', ({ file, name }) => {
    expect(testsIn(file)).toContain(name)
  })

  test('names settings that are there', () => {
    const known = Object.values(settings).map(({ variable }) => variable)
    for (const [variable] of page.matchAll(/BELLHOP_[A-Z_]+/g)) expect(known).toContain(variable)
  })
})
