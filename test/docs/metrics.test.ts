// The examples of docs/metrics.md: they can be read, and name metrics and labels that exist.
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../../src/admin/metrics/metrics.ts'
import { readPage } from './pages.ts'

const created = createMetrics({ version: '', queue: '', operatorRules: [] })
const metrics = created.registry.getMetricsAsArray()

test('the alerts can be read, and use metrics, labels and states that exist', async () => {
  const [, scrape = '', alerts = ''] = readPage('metrics.md')
    .split('```yaml\n')
    .map((text) => text.split('```')[0] ?? '')
  expect(parse(scrape)).toMatchObject({ scrape_configs: [{ job_name: 'bellhop' }] })
  const groups: { rules: { alert: string; expr: string }[] }[] = parse(alerts).groups
  const exprs = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
  expect(exprs).toHaveLength(3)
  const text = await created.text(new Map([['main', { depth: [], state: 'fine' }]]))
  for (const expr of exprs) {
    const [, name = '', matchers = ''] = /(bellhop_\w+)\{([^}]*)\}/.exec(expr) ?? []
    const metric = metrics.find((each) => each.name === name)
    expect(metric, expr).toBeDefined()
    const known =
      metric !== undefined && 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames : []
    for (const [, label] of matchers.matchAll(/(\w+)=~?"/g)) expect(known, expr).toContain(label)
    const states = /\bstate=~"([^"]+)"/.exec(matchers)?.[1]?.split('|') ?? []
    for (const state of states) expect(text).toContain(`state="${state}"`)
  }
})
