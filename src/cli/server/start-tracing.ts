// Starts OpenTelemetry where the environment names an endpoint. The SDK itself reads the other OTEL_ variables.
import type { Logger } from 'pino'
import { version } from '../version.ts'

/** Of an endpoint that does not respond, a stop waits no longer. */
const flushMs = 2_000

export interface Tracing {
  /** Sends what is left, for two seconds at most. */
  stop(): Promise<void>
}

/**
 * Undefined, and the SDK is not loaded, unless OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set.
 * Export failures are logged once, and harm nothing else.
 */
export async function startTracing(environment: NodeJS.ProcessEnv, log: Logger): Promise<Tracing | undefined> {
  if (!isWanted(environment)) return undefined
  const { openTracing } = await import('./open-tracing.ts')
  const close = openTracing({ version, log })
  const stop = async () => {
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, flushMs)
    })
    await Promise.race([close(), deadline])
    clearTimeout(timer)
  }
  return { stop }
}

/** An empty variable counts as unset (opentelemetry.io, Environment Variable Specification). */
function isWanted(environment: NodeJS.ProcessEnv): boolean {
  const read = (name: string) => (environment[name] ?? '').trim()
  if (read('OTEL_SDK_DISABLED').toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none') return false
  return read('OTEL_EXPORTER_OTLP_ENDPOINT') !== '' || read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== ''
}
