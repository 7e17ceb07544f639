// docs/admin-api.md and docs/metrics.md name states, outcomes, routes, metrics and labels that exist.
import { parse } from 'yaml'
import { adminRoutes } from '../../src/admin/api/routes/index.ts'
import { createMetrics } from '../../src/admin/metrics/metrics.ts'
import { deliveryStates } from '../../src/journal/types.ts'
import { decisionOutcomes } from '../../src/rules/explain/decision-outcome.ts'
import { readPage } from './pages.ts'

const page = readPage('admin-api.md')

test.each([
  ['`state` of a delivery', deliveryStates],
  ['`outcome` of a decision', decisionOutcomes],
])('the table of the %s has every one', (head, all) => {
  const table = page.split(`| ${head} | is |\n`)[1]?.split('\n\n')[0] ?? ''
  expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual([...all])
})

test('every path of the admin API is a route', () => {
  const routes = adminRoutes.map(({ path }) => path.replaceAll(/\{\w+\}/g, '…'))
  const given = [...page.matchAll(/`(?:GET )?(\/[a-z][^`]*)`/g)].map(([, path = '']) => path)
  const unknown = given
    .filter((path) => !path.startsWith('/admin'))
    .map((path) => path.replace(/\?.*/, '').replaceAll(/\b[A-Z]+\b/g, '…'))
    .filter((path) => !routes.includes(path))
  expect(unknown).toEqual([])
})

test('the alerts can be read, and use metrics, labels and states that exist', async () => {
  const [, scrape = '', alerts = ''] = readPage('metrics.md')
    .split('```yaml\n')
    .map((text) => text.split('```')[0] ?? '')
  expect(parse(scrape)).toMatchObject({ scrape_configs: [{ job_name: 'bellhop' }] })
  const groups: { rules: { alert: string; expr: string }[] }[] = parse(alerts).groups
  const exprs = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
  expect(exprs).toHaveLength(3)
  const created = createMetrics({ version: '', queue: '', operatorRules: [] })
  const text = await created.text({ depth: [], state: 'fine' })
  for (const expr of exprs) {
    const [, name = '', matchers = ''] = /(bellhop_\w+)\{([^}]*)\}/.exec(expr) ?? []
    const metric = created.registry.getMetricsAsArray().find((each) => each.name === name)
    expect(metric, expr).toBeDefined()
    const known =
      metric !== undefined && 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames : []
    for (const [, label] of matchers.matchAll(/(\w+)=~?"/g)) expect(known, expr).toContain(label)
    const states = /\bstate=~"([^"]+)"/.exec(matchers)?.[1]?.split('|') ?? []
    for (const state of states) expect(text).toContain(`state="${state}"`)
  }
})
