// The Grafana dashboards ask only for metrics and labels that Bellhop has.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../system/process.ts'

interface Panel {
  title: string
  targets: { expr: string; legendFormat: string }[]
}

const folder = join(root, 'deploy/grafana')
const files = await readdir(folder)
const page = await readFile(join(root, 'docs/metrics.md'), 'utf8')
const metrics = new Map(
  [...page.matchAll(/^\| `(bellhop_\w+)` \| (\w+) \| ([^|]*) \|/gm)].map(([, name = '', type = '', labels = '']) => [
    name,
    { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label) },
  ]),
)

/** The name of the metric whose series this is. */
const metricOf = (series: string) =>
  metrics.get(series)?.type === undefined ? series.replace(/_(bucket|count|sum)$/, '') : series

describe.each(files)('%s', (file) => {
  test('has panels of known metrics, with labels that they have', async () => {
    const { panels }: { panels: Panel[] } = JSON.parse(await readFile(join(folder, file), 'utf8'))
    expect(panels.length).toBeGreaterThan(0)
    for (const { title, targets } of panels)
      for (const { expr, legendFormat } of targets) {
        const series = [...expr.matchAll(/bellhop_\w+/g)].map(([name]) => name)
        expect(series, title).not.toEqual([])
        for (const name of series) {
          const labels = metrics.get(metricOf(name))?.labels
          expect(labels, `${title}: ${name}`).toBeDefined()
          const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label)
          const grouped = [...expr.matchAll(/by \((\w+)\)/g)].flatMap(([, label]) => (label === 'le' ? [] : [label]))
          expect(shown, title).toEqual(grouped)
          expect(labels, `${title}: ${name}`).toEqual(expect.arrayContaining(grouped))
        }
      }
  })
})

test('every metric of merge queues but their number is shown', async () => {
  const text = await readFile(join(folder, 'merge-queues.json'), 'utf8')
  const missing = [...metrics.keys()].filter((name) => name.startsWith('bellhop_merge_queue_') && !text.includes(name))
  expect(missing).toEqual([])
})
