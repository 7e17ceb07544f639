// The pages of the merge queue: their rule files can be used, and they have every setting and every reason of a pause.
import { pauseText } from '../../src/merge-queue/words.ts'
import { readRules } from '../../src/rules/language/documents/rule-document.ts'
import { warningsOf } from '../../src/rules/lint/warnings.ts'
import { readPage, readText } from './pages.ts'

const page = readPage('merge-queue.md')
const fences = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text)

/** The first cells of a table of the page, by its first column's head. */
function firstCells(of: string, head: string): string[] {
  const table = of.split(`| ${head} |`)[1]?.split('\n\n')[0] ?? ''
  return [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
}

test('its rule files have no problems and no warnings', () => {
  expect(fences).toHaveLength(2)
  for (const text of fences) {
    const read = readRules(text, 'docs/merge-queue.md', { trust: 'repository' })
    expect(read).toMatchObject({ ok: true })
    expect(read.ok && warningsOf(text, read.rules)).toEqual([])
  }
})

test('the table of reasons has every one', () => {
  expect(firstCells(readPage('merge-queue-operating.md'), 'reason').toSorted()).toEqual(
    Object.keys(pauseText).toSorted(),
  )
})

test('the table of settings has every one', () => {
  const schema: unknown = JSON.parse(readText('rules/bellhop.schema.json'))
  const { anyOf } = (schema as { properties: { queues: { anyOf: { properties?: object }[] } } }).properties.queues
  const names = Object.keys(anyOf.find(({ properties }) => properties !== undefined)?.properties ?? {})
  expect(firstCells(page, 'setting')).toEqual(names)
})
