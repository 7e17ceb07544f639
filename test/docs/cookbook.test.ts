// docs/cookbook.md: every recipe is complete and quotes its files, and costs are counted for what is really decided.
// `npm run check` checks that the page is up to date.
import { readdirSync, readFileSync } from 'node:fs'
import { costsOf } from '../../scripts/cookbook.ts'
import { readRules } from '../../src/rules/language/documents/rule-document.ts'
import { readRuleTests } from '../../src/rules/testing/test-document.ts'
import { callsOfRules, decideIn, sceneOf } from '../../src/rules/testing/test-state.ts'
import type { Call } from '../../src/rules/types.ts'
import { readPage } from './pages.ts'

const examples = new URL('../../rules/examples/', import.meta.url)
const page = readPage('cookbook.md')
const names = readdirSync(examples)
  .filter((name) => name.endsWith('.yml') && !name.endsWith('.test.yml'))
  .map((name) => name.replace('.yml', ''))
const recipes = page.split(/^(?=###? )/m).filter((section) => section.startsWith('### '))
const recipeOf = (name: string) => recipes.filter((section) => section.includes(`(../rules/examples/${name}.test.yml)`))

/** The calls that each rule test of an example decides, with everything known. */
function callsOf(name: string): Map<string, Call[]> {
  const text = (file: string) => readFileSync(new URL(file, examples), 'utf8')
  const read = readRules(text(`${name}.yml`), `${name}.yml`, { trust: 'operator' })
  if (!read.ok) throw new Error(`${name}.yml has problems`)
  const { rules } = read
  const tests = readRuleTests(
    text(`${name}.test.yml`),
    `${name}.test.yml`,
    rules.rules.map((rule) => rule.name),
  )
  if (!tests.ok) throw new Error(`${name}.test.yml has problems`)
  const files = [{ rules, path: `${name}.yml`, blob: null, trust: 'operator' as const, broken: false }]
  return new Map(tests.read.map((test) => [test.name, decideIn(sceneOf(test, files, []), files).calls]))
}

describe('docs/cookbook.md', () => {
  it('lists every recipe', () => {
    expect(recipes).toHaveLength(names.length)
    const listed = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor)
    for (const [, heading = ''] of page.matchAll(/^### (.+)$/gm))
      expect(listed).toContain(
        heading
          .toLowerCase()
          .replace(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      )
  })
  it('has no unfilled placeholder', () => {
    expect(page).not.toMatch(/undefined|\[object|NaN|Infinity|<!-- (?!Generated)/)
  })
})

describe.each(names)('the recipe %s', (name) => {
  it('has a heading, a description, its file, its tests, and what to look out for', () => {
    expect(recipeOf(name)).toHaveLength(1)
    const [heading, does, ...rest] = recipeOf(name)[0]?.split('\n\n') ?? []
    expect(heading).toMatch(/^### [A-Z][^.]+$/)
    expect(does?.match(/[.:](?=\s|$)/g)?.length).toBeGreaterThanOrEqual(2)
    const file = readFileSync(new URL(`${name}.yml`, examples), 'utf8')
    expect(rest.join('\n\n')).toContain(`\`\`\`yaml\n${file}\`\`\`\n\nIts tests: [${name}.test.yml]`)
    expect(rest.join('\n\n')).toMatch(/\n\n\*\*Look out:\*\* [\s\S]+\.\n/)
  })
  it('decides the same, read by read, as with everything known', async () => {
    const costs = await costsOf(name)
    expect(new Map([...costs].map(([test, { decision }]) => [test, callsOfRules(decision.calls)]))).toEqual(
      callsOf(name),
    )
  })
})

test.each<[example: string, test: string, reads: string[]]>([
  // None for a note without a mention.
  ['rebase-on-request', 'to talk of it is not to ask for it', []],
  // The merge request alone where its own fields settle it.
  ['label-documentation', 'what is merged is left alone', ['mergeRequest']],
  // The note and its author for a command.
  ['rebase-on-request', 'a developer asks for it', ['mergeRequest', 'note@17', 'actorAccess@3', 'notes']],
])('%s: the counted reads of "%s"', async (example, test, reads) => {
  expect((await costsOf(example)).get(test)?.reads).toEqual(reads)
})

test('reads are repeated before a merge, and only then', async () => {
  const costs = await costsOf('accept-when-green')
  expect(costs.get('what a person marked as ready is merged')).toMatchObject({ readAgain: 3 })
  expect(costs.get('it waits for the pipeline')).toMatchObject({ readAgain: 0 })
})
