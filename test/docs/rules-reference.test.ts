// docs/rules.md: the page has everything that the language has, and its rules can be used. `npm run check` checks that the
// page is up to date.
import { actions } from '../../src/rules/actions/index.ts'
import type { Fact } from '../../src/rules/facts/definition/fact.ts'
import { facts } from '../../src/rules/facts/index.ts'
import { readRules } from '../../src/rules/language/documents/rule-document.ts'
import { eventKinds, unsupportedEvents } from '../../src/rules/language/events.ts'
import { operators } from '../../src/rules/language/operators/operators.ts'
import { warningsOf } from '../../src/rules/lint/warnings.ts'
import { readPage } from './pages.ts'

const page = readPage('rules.md')
const fences = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text)
const rows = (name: string) => page.split('\n').filter((line) => line.startsWith(`| \`${name}\` | `))

describe('docs/rules.md', () => {
  it('has every fact once, with its example, and every action', () => {
    const missing = Object.entries<Fact>(facts as Record<string, Fact>).filter(
      ([name, { writtenAs }]) =>
        rows(name).filter((line) => line.includes(`\`${writtenAs?.fact ?? name}: `)).length !== 1,
    )
    expect(missing.map(([name]) => name)).toEqual([])
    expect(Object.keys(actions).filter((name) => !page.includes(`\n### ${name}\n`))).toEqual([])
  })
  it('has every named operator and every event', () => {
    for (const [name, { doc }] of Object.entries(operators)) {
      expect(page, name).toContain(doc)
      if (!['equals', 'one_of'].includes(name)) expect(page).toContain(`\`${name}\``)
    }
    for (const kind of eventKinds.filter((each) => !each.endsWith('*'))) expect(page).toContain(`\`${kind}\``)
    for (const kind of unsupportedEvents.flatMap(({ kinds }) => kinds)) expect(page).toContain(`\`${kind}\``)
  })
  it('has only rules without problems and warnings', () => {
    expect(fences.length).toBeGreaterThan(2)
    for (const text of fences) {
      const read = readRules(text, 'docs/rules.md', { trust: 'repository' })
      expect(read).toMatchObject({ ok: true })
      // A fence may be a part of a file, without its version.
      expect(read.ok && warningsOf(text, read.rules).filter(({ path }) => path !== '')).toEqual([])
    }
  })
  it('has no unfilled placeholder', () => {
    expect(page).not.toMatch(/undefined|\[object|<!-- (?!Generated)/)
  })
})
