// The text format of Prometheus, read strictly: what a scraper may stumble over fails here.
// https://prometheus.io/docs/instrumenting/exposition_formats/
const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const sampleLine = new RegExp(`^(${name})(?:\\{(.*)\\})? (-?(?:\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|Inf)|Na[Nn]|\\+Inf)$`)
const labelPair = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/
const suffixes = { histogram: /^_(bucket|sum|count)$/, counter: /^$/, gauge: /^$/ }

export interface Family {
  type: keyof typeof suffixes
  help: string
  /** The key is a series as written, such as `bellhop_x_total{status="202"}`. */
  samples: Map<string, number>
  labels: Record<string, string>[]
}

/** The families by name. Throws for a malformed line, a series that comes twice, and a family in two places. */
export function readExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const families = new Map<string, Family>()
  let help: { of: string; text: string } | undefined
  let current: [string, Family] | undefined
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, of = '', helpText = ''] = new RegExp(`^# HELP (${name}) (.+)$`).exec(line) ?? []
    if (of !== '') {
      if (families.has(of)) throw new Error(`${of} stands in two places`)
      help = { of, text: helpText }
      continue
    }
    const [, typed = '', type = ''] = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram)$`).exec(line) ?? []
    if (typed !== '') {
      if (help?.of !== typed) throw new Error(`${typed} has no help`)
      if (type === 'counter' && !typed.endsWith('_total')) throw new Error(`${typed} is a counter, and does not say so`)
      current = [typed, { type: type as Family['type'], help: help.text, samples: new Map(), labels: [] }]
      families.set(...current)
      continue
    }
    if (current === undefined) throw new Error(`a sample of no family: ${line}`)
    addSample(line, ...current)
  }
  return families
}

/** The value of a series as written; those of a histogram end in `_sum`, `_count` or `_bucket`. */
export const sampleOf = (families: Map<string, Family>, series: string): number | undefined =>
  families.get(series.replace(/\{.*|_(sum|count|bucket)\b.*/, ''))?.samples.get(series)

function addSample(line: string, of: string, family: Family): void {
  const [, sample = '', labels, value = ''] = sampleLine.exec(line) ?? []
  if (!sample.startsWith(of) || !suffixes[family.type].test(sample.slice(of.length)))
    throw new Error(`not of ${of}: ${line}`)
  const series = labels === undefined ? sample : `${sample}{${labels}}`
  if (family.samples.has(series)) throw new Error(`twice: ${series}`)
  family.samples.set(series, value.endsWith('Inf') ? Number.POSITIVE_INFINITY : Number(value))
  family.labels.push(readLabels(labels ?? ''))
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== ''; ) {
    const [all = '', label = '', value = ''] = labelPair.exec(rest) ?? []
    if (all === '' || label in labels) throw new Error(`labels that cannot be read: ${text}`)
    labels[label] = value.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
    rest = rest.slice(all.length)
  }
  return labels
}
