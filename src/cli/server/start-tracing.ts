// Starts OpenTelemetry if the environment names an endpoint. The SDK itself reads the other OTEL_ variables.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { asError } from '../../queue/errors.ts'
import { UsageError } from '../user-error.ts'
import { version } from '../version.ts'

/** A stop waits no longer for an endpoint that does not respond. */
const flushMs = 2_000

const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']

/**
 * Undefined without loading the SDK unless OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set.
 * Export failures are logged once, and harm nothing else. Throws UsageError for an endpoint that is no address.
 */
export async function startTracing(environment: NodeJS.ProcessEnv, log: Logger) {
  if (!isWanted(environment)) return undefined
  for (const name of endpoints) refuseUnusable(name, read(environment, name))
  const { openTracing } = await import('./open-tracing.ts')
  const close = openTracing({
    version,
    onProblem: (error) =>
      log.warn({ event: 'traces_not_exported', problem: exportProblem(error) }, 'traces cannot be exported'),
    onRecovered: () => log.info({ event: 'traces_exported' }, 'traces are exported again'),
  })
  return {
    /** Sends what is left, for two seconds at most. */
    async stop(): Promise<void> {
      const deadline = delay(flushMs, 'timeout')
      const problem = await Promise.race([close().then(() => undefined, exportProblem), deadline])
      if (problem !== undefined)
        log.warn({ event: 'traces_not_exported', problem }, 'the last traces were not exported')
    },
  }
}

/** Its code or name: the message may quote a response. */
function exportProblem(thrown: unknown): string {
  const error = asError(thrown)
  return 'code' in error && error.code !== undefined ? String(error.code) : error.name
}

/** An empty variable counts as unset (opentelemetry.io, Environment Variable Specification). */
function isWanted(environment: NodeJS.ProcessEnv): boolean {
  if (read(environment, 'OTEL_SDK_DISABLED').toLowerCase() === 'true') return false
  if (read(environment, 'OTEL_TRACES_EXPORTER') === 'none') return false
  return endpoints.some((name) => read(environment, name) !== '')
}

const read = (environment: NodeJS.ProcessEnv, name: string) => (environment[name] ?? '').trim()

/** The SDK would send to localhost instead. The address is not shown: it may have a password. */
function refuseUnusable(name: string, address: string): void {
  if (address === '' || (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol))) return
  throw new UsageError(`${name} must be an http or https address, such as http://127.0.0.1:4318.`)
}
