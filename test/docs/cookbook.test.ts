// docs/cookbook.md: every recipe is whole, says exactly what its files say, and its costs are those of its rule tests. That the page is not stale is tested in registry.test.ts.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cookbook, costsOf } from '../../scripts/cookbook.ts'
import { readRules } from '../../src/rules/document.ts'
import { decideIn, sceneOf } from '../../src/rules/rule-test.ts'
import { readRuleTests } from '../../src/rules/rule-test-document.ts'
import type { Call } from '../../src/rules/types.ts'

const docs = new URL('../../docs/', import.meta.url)
const examples = new URL('../../rules/examples/', import.meta.url)
const page = readFileSync(new URL('cookbook.md', docs), 'utf8')
const names = readdirSync(examples)
  .filter((name) => name.endsWith('.yml') && !name.endsWith('.test.yml'))
  .map((name) => name.replace('.yml', ''))
const recipes = page.split(/^(?=###? )/m).filter((section) => section.startsWith('### '))
const recipeOf = (name: string) => recipes.filter((section) => section.includes(`(../rules/examples/${name}.test.yml)`))

/** What each rule test of an example decides where all is known. */
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

/** The cells of the table of costs, by example. */
function cellsOf(name: string): string[] {
  const [row = ''] = page.split('\n').filter((line) => line.startsWith(`| [${name}](`))
  return row.split(' | ').slice(1)
}

/** The numbers that a cell spans. */
function spanned(cell: string | undefined): { least: number; most: number } {
  const [least = Number.NaN, most = least] = (cell ?? '').replace(' |', '').split('–').map(Number)
  return { least, most }
}

const around = (numbers: readonly number[]) => ({ least: Math.min(...numbers), most: Math.max(...numbers) })

describe('docs/cookbook.md', () => {
  it('has twenty recipes and more', () => {
    expect(recipes.length).toBeGreaterThanOrEqual(20)
    expect(recipes).toHaveLength(names.length)
  })
  it('is the same each time it is written', async () => {
    expect(await cookbook()).toBe(await cookbook())
  })
  it('leads to headings and files that it has', () => {
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    )
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
    for (const target of links) {
      if (target.startsWith('#')) expect(headings).toContain(target.slice(1))
      else expect(existsSync(new URL(target, docs)), target).toBe(true)
    }
    for (const [, heading = ''] of page.matchAll(/^### (.+)$/gm))
      expect(links).toContain(
        `#${heading
          .toLowerCase()
          .replace(/[^\w\- ]/g, '')
          .replaceAll(' ', '-')}`,
      )
  })
  it('leaves no gap', () => {
    expect(page).not.toMatch(/undefined|\[object|NaN|Infinity|<!-- (?!Generated)/)
  })
})

describe.each(names)('the recipe %s', (name) => {
  it('is a wish, what it does, the very file, its tests, and what to look out for', () => {
    expect(recipeOf(name)).toHaveLength(1)
    const [heading, does, ...rest] = recipeOf(name)[0]?.split('\n\n') ?? []
    expect(heading).toMatch(/^### [A-Z][^.]+$/)
    expect(does?.match(/[.:](?=\s|$)/g)?.length).toBeGreaterThanOrEqual(2)
    const file = readFileSync(new URL(`${name}.yml`, examples), 'utf8')
    expect(rest.join('\n\n')).toContain(`\`\`\`yaml\n${file}\`\`\`\n\nIts tests: [${name}.test.yml]`)
    expect(rest.join('\n\n')).toMatch(/\n\n\*\*Look out:\*\* [\s\S]+\.\n/)
  })
  it('is decided, read by read, as it is where all is known', async () => {
    const costs = await costsOf(name)
    expect(new Map([...costs].map(([test, { decision }]) => [test, decision.calls]))).toEqual(callsOf(name))
  })
  it('has its costs in the table', async () => {
    const costs = [...(await costsOf(name)).values()]
    const acts = costs.filter(({ decision }) => decision.calls.length > 0)
    const rests = costs.filter(({ decision }) => decision.calls.length === 0)
    const [reads, , again, sends, resting] = cellsOf(name)
    expect(spanned(reads)).toEqual(around(acts.map((each) => each.reads.length)))
    expect(spanned(again)).toEqual(around(acts.map((each) => each.readAgain)))
    expect(spanned(sends)).toEqual(around(acts.map((each) => each.decision.calls.length)))
    expect(spanned(resting)).toEqual(around(rests.map((each) => each.reads.length)))
  })
})

describe('what is counted', () => {
  const readsOf = async (example: string, test: string) => (await costsOf(example)).get(test)?.reads
  it('is nothing for an event that no rule is for, and for a note that mentions nobody', async () => {
    expect(await readsOf('merge-on-request', 'nobody asked')).toEqual([])
    expect(await readsOf('rebase-on-request', 'to talk of it is not to ask for it')).toEqual([])
  })
  it('is the merge request alone where its own fields settle it', async () => {
    expect(await readsOf('label-documentation', 'what is merged is left alone')).toEqual(['mergeRequest'])
  })
  it('is the merge request first, then what is cheapest', async () => {
    expect(await readsOf('accept-when-green', 'what a person marked as ready is merged')).toEqual(['mergeRequest', 'approvals'])
    expect(await readsOf('welcome-newcomers', 'a newcomer is welcomed')).toEqual(['mergeRequest', 'mergedOfAuthor', 'user@carol', 'notes'])
  })
  it('is the note and who wrote it for a command', async () => {
    expect(await readsOf('rebase-on-request', 'a developer asks for it')).toEqual(['mergeRequest', 'note@17', 'actorAccess@3'])
  })
  it('is all once more before a merge, and only then', async () => {
    const costs = await costsOf('accept-when-green')
    expect(costs.get('what a person marked as ready is merged')).toMatchObject({ readAgain: 2 })
    expect(costs.get('it waits for the pipeline')).toMatchObject({ readAgain: 0 })
  })
})
