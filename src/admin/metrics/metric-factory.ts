// Makes the metrics of a registry, and reads what they show not too often.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { JournalUnavailable } from '../../journal/errors.ts'

export type MetricFactory = ReturnType<typeof metricFactory>

/** Its metrics are called `bellhop_<name>`. */
export function metricFactory(registry: Registry) {
  const registers = [registry]
  return {
    counter: <L extends string>(name: string, help: string, ...labels: L[]) =>
      new Counter({ name: `bellhop_${name}`, help, labelNames: labels, registers }),
    gauge: <L extends string>(name: string, help: string, ...labels: L[]) =>
      new Gauge({ name: `bellhop_${name}`, help, labelNames: labels, registers }),
    histogram: <L extends string>(name: string, help: string, buckets: number[], ...labels: L[]) =>
      new Histogram({ name: `bellhop_${name}`, help, buckets, labelNames: labels, registers }),
  }
}

/** An undefined value removes the gauge. */
export function put<L extends string>(gauge: Gauge<L>, labels: Record<L, string>, value: number | undefined): void {
  if (value === undefined) gauge.remove(labels)
  else gauge.set(labels, value)
}

/** Reads at most once in `cacheMs`. */
export function cached<T>(
  read: () => Promise<T>,
  { cacheMs, now }: { cacheMs: number; now: () => number },
): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | undefined
  return () => {
    // Reads again if the clock was set back.
    if (last === undefined || now() < last.at || now() - last.at >= cacheMs) last = { at: now(), value: read() }
    return last.value
  }
}

/** Undefined while the journal does not respond. */
export function orUnavailable(error: unknown): undefined {
  if (!(error instanceof JournalUnavailable)) throw error
}
