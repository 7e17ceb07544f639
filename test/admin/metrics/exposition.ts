// Reads the text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/
export interface Family {
  /** The key is a series as written, such as `bellhop_x_total{status="202"}`. */
  samples: Map<string, number>
  labels: Record<string, string>[]
}

/** The families by name. Throws for a line that is none of the format. */
export function readExposition(text: string): Map<string, Family> {
  const families = new Map<string, Family>()
  let current: Family | undefined
  for (const line of text.split('\n')) {
    const [, name] = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line) ?? []
    if (name !== undefined) {
      current = { samples: new Map(), labels: [] }
      families.set(name, current)
    }
    if (line === '' || line.startsWith('#')) continue
    const [, series, labels = '', value] = /^(\w+(?:\{(.*)\})?) (\S+)$/.exec(line) ?? []
    if (current === undefined || series === undefined) throw new Error(`a malformed line: ${line}`)
    current.samples.set(series, Number(value))
    current.labels.push(readLabels(labels))
  }
  return families
}

function readLabels(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  return Object.fromEntries(
    pairs.map(([, label, value = '']) => [
      label,
      value.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter)),
    ]),
  )
}
