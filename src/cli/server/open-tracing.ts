// The SDK of OpenTelemetry: traces in batches, as OTLP over HTTP with JSON. Loaded by start-tracing.ts alone.
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node'

interface TracingOptions {
  version: string
  onProblem(error: Error): void
  onRecovered(): void
}

/** Registers it; returns what sends the rest and ends it, and rejects if that fails. */
export function openTracing(options: TracingOptions): () => Promise<void> {
  const own = resourceFromAttributes({ 'service.name': 'bellhop', 'service.version': options.version })
  // Not the detector of processes: its attributes have the arguments of the command.
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
  const exporter = watched(new OTLPTraceExporter(), options)
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] })
  provider.register()
  return () => provider.shutdown()
}

/** Reports the first failure, and the first success after it. */
function watched(exporter: OTLPTraceExporter, { onProblem, onRecovered }: TracingOptions): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result
        if (error !== undefined && !isFailing) onProblem(error)
        if (error === undefined && isFailing) onRecovered()
        isFailing = error !== undefined
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}
