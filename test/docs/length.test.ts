// How long pages may be: a page that outgrows its limit is split or cut.
import { expect, test } from 'vitest'
import { decisionPages, docsPages, readText } from './pages.ts'

const generated = ['docs/rules.md', 'docs/cookbook.md', 'docs/configuration.md']

function tooLong(pages: readonly string[], most: number): string[] {
  const words = (page: string) => readText(page).trim().split(/\s+/).length
  return pages.filter((page) => words(page) > most).map((page) => `${page}: ${words(page)} words, at most ${most}`)
}

test('README has at most 900 words', () => {
  expect(tooLong(['README.md'], 900)).toEqual([])
})

test('each page has at most 1,500 words, generated references aside', () => {
  const pages = ['CONTRIBUTING.md', 'SECURITY.md', ...docsPages]
  expect(
    tooLong(
      pages.filter((page) => !generated.includes(page)),
      1500,
    ),
  ).toEqual([])
})

test('there are at most twelve decisions of at most 300 words', () => {
  expect(decisionPages.length).toBeLessThanOrEqual(12)
  expect(tooLong(decisionPages, 300)).toEqual([])
})
