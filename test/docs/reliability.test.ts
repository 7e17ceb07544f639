// docs/reliability.md: each promise, fault and situation names the test that shows it, and each named test is there.
import { describe, expect, test } from 'vitest'
import { namedTests, readPage, testsIn } from './named-tests.ts'

const page = readPage('reliability.md')
const shown = page.slice(page.indexOf('\n## The promises'), page.indexOf('\n## Soak'))
const rows = shown.split('\n').filter((line) => /^\| (?!(promise|fault|situation) \|)/.test(line))

describe('docs/reliability.md', () => {
  test('has a test for each promise, fault and situation', () => {
    expect(rows.length).toBeGreaterThan(50)
    expect(rows.filter((line) => namedTests(line).length === 0)).toEqual([])
  })

  test.each(namedTests(page))('names a test that is there: $file: $name', ({ file, name }) => {
    expect(testsIn(file)).toContain(name)
  })
})
