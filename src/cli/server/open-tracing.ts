// The SDK of OpenTelemetry: traces in batches, as OTLP over HTTP with JSON. Loaded by start-tracing.ts alone.
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { Logger } from 'pino'

/** Registers it; returns what sends the rest and ends it. */
export function openTracing({ version, log }: { version: string; log: Logger }): () => Promise<void> {
  const own = resourceFromAttributes({ 'service.name': 'bellhop', 'service.version': version })
  // Not the detector of processes: its attributes have the arguments of the command.
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
  const exporter = logFailures(new OTLPTraceExporter(), log)
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] })
  provider.register()
  return () => provider.shutdown()
}

/** Logs the first failure, and the first success after it. Without the message: it may quote a response. */
function logFailures(exporter: OTLPTraceExporter, log: Logger): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result
        if (error !== undefined && !isFailing) {
          const code = 'code' in error ? String(error.code) : error.name
          log.warn({ event: 'traces_not_exported', code }, 'traces cannot be exported')
        }
        if (error === undefined && isFailing) log.info({ event: 'traces_exported' }, 'traces are exported again')
        isFailing = error !== undefined
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}
