// docs/api-differences.md and sandbox.md have a row for all that the page does not show, and quote and count correctly.
import { endpointsByName } from '../../src/api/index.ts'
import { readPage } from '../docs/pages.ts'
import { page } from './page.ts'

const rows = readPage('sandbox.md')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split(' | '))
/** § and the page's own words. */
const quoted = rows.flatMap(([section = '', words = '']) =>
  words.startsWith('"') ? [[section.slice(2), words.slice(1, -1)] as const] : [],
)

/** What the page lacks: each statement that ends in "not shown", with its section; lists of responses are split. */
function missingOnPage(of: string): { section: string; statement: string }[] {
  let section = ''
  const found: { section: string; statement: string }[] = []
  for (const line of of.split('\n')) {
    section = /^##+ (\d+(?:\.\d+)?)\.? /.exec(line)?.[1] ?? section
    const statements = line
      .split(/(?<=not shown|nothing further|is supported)[.;]? ?/)
      .filter((each) => /not shown|nothing further|no statement says/.test(each))
    for (const statement of statements) {
      const [, list] = /^- Response bodies for (.+): not shown$/.exec(statement) ?? []
      const parts = list === undefined ? [statement] : list.replace('share and ', 'share, ').split(', ')
      found.push(...parts.map((each) => ({ section, statement: each })))
    }
  }
  return found
}

describe.skipIf(page === undefined)('what the page does not show (skipped where ../shared/api-v4.md is absent)', () => {
  const missing = missingOnPage(page ?? '')

  it('is found', () => {
    expect(missing).toHaveLength(33)
  })
  const isQuote = ([of, words]: readonly [string, string], { section, statement }: (typeof missing)[number]) =>
    of === section && statement.includes(words)

  it('has a row for each statement, and each row quotes one', () => {
    const withoutRow = missing.filter((each) => !quoted.some((row) => isQuote(row, each)))
    expect(withoutRow, 'add rows to docs/sandbox.md').toEqual([])
    expect(quoted.filter((row) => !missing.some((each) => isQuote(row, each)))).toEqual([])
  })
})

it('a row that names an endpoint has its success statuses', () => {
  const named = rows.flatMap(([, , answer = '']) => [...answer.matchAll(/`([a-zA-Z.]+)` (\d{3}(?:, or \d{3})?)/g)])
  expect(named.length).toBeGreaterThan(20)
  const declared = (name: string) => Object.keys(endpointsByName.get(name)?.responses ?? {}).join(', or ')
  expect(named.filter(([, name = '', statuses]) => declared(name) !== statuses)).toEqual([])
})

it('an endpoint that the client calls in another way than the page says has a row', () => {
  const special = [...endpointsByName.values()].filter((each) => each.otherMethod ?? each.integerId ?? each.alwaysSent)
  const text = readPage('api-differences.md')
  expect(special.filter(({ name }) => !text.includes(`\`${name}\``))).toEqual([])
})
