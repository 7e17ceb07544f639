// Makes the metrics of a registry.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export type MetricFactory = ReturnType<typeof metricFactory>

export function metricFactory(registry: Registry) {
  const registers = [registry]
  return {
    counter: <L extends string>(name: string, help: string, ...labels: L[]) =>
      new Counter({ name, help, labelNames: labels, registers }),
    gauge: <L extends string>(name: string, help: string, ...labels: L[]) =>
      new Gauge({ name, help, labelNames: labels, registers }),
    histogram: <L extends string>(name: string, help: string, buckets: number[], ...labels: L[]) =>
      new Histogram({ name, help, buckets, labelNames: labels, registers }),
  }
}

/** An undefined value removes the gauge. */
export function put<L extends string>(gauge: Gauge<L>, labels: Record<L, string>, value: number | undefined): void {
  if (value === undefined) gauge.remove(labels)
  else gauge.set(labels, value)
}
