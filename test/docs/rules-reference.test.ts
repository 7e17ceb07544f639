// docs/rules.md: whatever the language has is on the page, and every rule on it can be used. That the page is not stale is tested in registry.test.ts.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { actions } from '../../src/rules/actions/index.ts'
import { warningsOf } from '../../src/rules/analyse/warnings.ts'
import { readRules } from '../../src/rules/document.ts'
import { eventKinds } from '../../src/rules/events.ts'
import { facts } from '../../src/rules/facts/index.ts'
import { operators } from '../../src/rules/operators.ts'

const page = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8')
const fences = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text)
const rows = (name: string) => page.split('\n').filter((line) => line.startsWith(`| \`${name}\` | `))

describe('docs/rules.md', () => {
  it.each(Object.keys(facts))('has the fact %s once, with its example', (name) => {
    expect(rows(name).filter((line) => line.includes(`\`${name}: `))).toHaveLength(1)
  })
  it.each(Object.keys(actions))('has the action %s', (name) => {
    expect(page).toContain(`\n### ${name}\n`)
  })
  it('has every operator that has a name, and every event', () => {
    for (const [name, { doc }] of Object.entries(operators)) {
      expect(page, name).toContain(doc)
      if (!['equals', 'one_of'].includes(name)) expect(page).toContain(`\`${name}\``)
    }
    for (const kind of eventKinds.filter((each) => !each.endsWith('*'))) expect(page).toContain(`\`${kind}\``)
  })
  it('has only rules that check takes, without a warning', () => {
    expect(fences.length).toBeGreaterThan(2)
    for (const text of fences) {
      const read = readRules(text, 'docs/rules.md', { trust: 'repository' })
      expect(read).toMatchObject({ ok: true })
      expect(read.ok && warningsOf(text, read.rules)).toEqual([])
    }
  })
  it('leads to headings that it has', () => {
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text.toLowerCase().replaceAll(' ', '-'))
    for (const [, target] of page.matchAll(/\]\(#([^)]+)\)/g)) expect(headings).toContain(target)
  })
  it('leaves no gap', () => {
    expect(page).not.toMatch(/undefined|\[object|<!-- (?!Generated)/)
  })
})
