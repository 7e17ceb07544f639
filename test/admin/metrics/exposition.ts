// The text format of Prometheus, read strictly: what a scraper may stumble over fails here.
// https://prometheus.io/docs/instrumenting/exposition_formats/
const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const head = new RegExp(`^# HELP (${name}) .+\\n# TYPE \\1 (counter|gauge|histogram)$`)
const sampleLine = new RegExp(`^(${name})(?:\\{(.*)\\})? (-?(?:\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|Inf)|Na[Nn]|\\+Inf)$`)
const labelPair = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/

export interface Family {
  /** The key is a series as written, such as `bellhop_x_total{status="202"}`. */
  samples: Map<string, number>
  labels: Record<string, string>[]
}

/** The families by name. Throws for a malformed line, a series that comes twice, and a family in two places. */
export function readExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const families = new Map<string, Family>()
  for (const part of text.split(/^(?=# HELP )/m)) {
    const [help, type, ...lines] = part.split('\n')
    const [, of = '', kind = ''] = head.exec(`${help}\n${type}`) ?? []
    if (of === '' || families.has(of)) throw new Error(`no family, or one in two places: ${help}`)
    if ((kind === 'counter') !== of.endsWith('_total')) throw new Error(`${of}: counters, and only they, end in _total`)
    if (help?.includes('since 1970') !== of.endsWith('_timestamp_seconds')) throw new Error(`${of}: _timestamp_seconds`)
    const family: Family = { samples: new Map(), labels: [] }
    families.set(of, family)
    const names = kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => of + suffix) : [of]
    for (const line of lines.filter((each) => each !== '')) addSample(line, names, family)
  }
  return families
}

/** The value of a series as written; those of a histogram end in `_sum`, `_count` or `_bucket`. */
export const sampleOf = (families: Map<string, Family>, series: string): number | undefined =>
  families.get(series.replace(/\{.*|_(sum|count|bucket)\b.*/, ''))?.samples.get(series)

function addSample(line: string, names: readonly string[], { samples, labels: all }: Family): void {
  const [, sample = '', labels, value = ''] = sampleLine.exec(line) ?? []
  if (!names.includes(sample)) throw new Error(`not of ${names}: ${line}`)
  const series = labels === undefined ? sample : `${sample}{${labels}}`
  if (samples.has(series)) throw new Error(`twice: ${series}`)
  samples.set(series, value.endsWith('Inf') ? Number.POSITIVE_INFINITY : Number(value))
  all.push(readLabels(labels ?? ''))
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== ''; ) {
    const [all = '', label = '', value = ''] = labelPair.exec(rest) ?? []
    if (all === '' || label in labels) throw new Error(`labels that cannot be read: ${text}`)
    if (label === 'quantile') throw new Error(`no summary, but a quantile: ${text}`)
    labels[label] = value.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
    rest = rest.slice(all.length)
  }
  return labels
}
