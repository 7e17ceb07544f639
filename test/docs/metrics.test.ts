// The section of docs/operating.md on metrics: its table is what is counted, and its examples name nothing else.
import { readFileSync } from 'node:fs'
import { Counter, Gauge } from 'prom-client'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../../src/admin/metrics/metrics.ts'

const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')
const section = page.slice(page.indexOf('## Metrics'), page.indexOf('## Busy projects'))
const { registry } = createMetrics({ version: '', queue: '', operatorRules: [] })
const metrics = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('bellhop_'))

test('the table has a row for each metric, as it is', () => {
  const rows = metrics.map((metric) => {
    const type = metric instanceof Counter ? 'counter' : metric instanceof Gauge ? 'gauge' : 'histogram'
    const labels = 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map((label) => `\`${label}\``) : []
    return `| \`${metric.name}\` | ${type} | ${labels.join(', ')} | ${metric.help} |`
  })
  expect(section.split('\n').filter((line) => line.startsWith('| `bellhop_'))).toEqual(rows)
})

test('the alerts can be read, and ask for metrics and labels that there are', () => {
  const [, scrape, alerts] = section.split('```yaml\n').map((text) => text.split('```')[0] ?? '')
  expect(parse(scrape ?? '')).toMatchObject({ scrape_configs: [{ job_name: 'bellhop' }] })
  const groups: { rules: { alert: string; expr: string }[] }[] = parse(alerts ?? '').groups
  const exprs = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
  expect(exprs).toHaveLength(3)
  for (const expr of exprs) {
    const [, name = '', matchers = ''] = /(bellhop_\w+)\{([^}]*)\}/.exec(expr) ?? []
    const metric = metrics.find((each) => each.name === name)
    expect(metric, expr).toBeDefined()
    const known = metric !== undefined && 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames : []
    for (const [, label] of matchers.matchAll(/(\w+)=~?"/g)) expect(known, expr).toContain(label)
  }
})
