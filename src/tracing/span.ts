// OpenTelemetry spans: the steps of a delivery, in one trace. No-ops until an SDK is registered (start-tracing.ts).
import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

export interface SpanSettings {
  /** Absent for a step inside this process. */
  kind?: 'server' | 'client'
  /** Our own ids, names and numbers; never a text of a person, a path or an address. */
  attributes: Attributes
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT }
const tracer = trace.getTracer('bellhop')

/**
 * Runs something as a span of the current trace, or of a new one. An error marks the span as
 * failed and is thrown on.
 */
export function inSpan<T>(
  name: string,
  { kind, attributes }: SpanSettings,
  run: (span: Span) => Promise<T>,
): Promise<T> {
  const options = { kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind], attributes }
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await run(span)
    } catch (error) {
      markFailed(span, error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  })
}

/** `type` is the name of the error, or a code: its message may quote what a person wrote. */
export function markFailed(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', type)
}

/** Adds to the current span, if there is one. */
export function describeSpan(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes)
}

/** The current span in the form of W3C Trace Context, for links; undefined without tracing. */
export function traceparent(): string | undefined {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent
}

/** Links the current span to others, given by `traceparent`; an invalid one is ignored. */
export function linkSpan(others: readonly (string | undefined)[]): void {
  const span = trace.getActiveSpan()
  if (span?.isRecording() !== true) return
  for (const other of new Set(others)) {
    const linked = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent: other }))
    if (linked !== undefined) span.addLink({ context: linked })
  }
}
