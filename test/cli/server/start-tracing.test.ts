// Tracing is on where the environment names a usable endpoint.
import { pino } from 'pino'
import { startTracing } from '../../../src/cli/server/start-tracing.ts'

const log = pino({ level: 'silent' })
const endpoint = 'http://127.0.0.1:9'

test.each<NodeJS.ProcessEnv>([
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  { OTEL_SERVICE_NAME: 'bellhop' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'TRUE' },
  { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' },
])('%j starts nothing', async (environment) => {
  expect(await startTracing(environment, log)).toBeUndefined()
})

test.each(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])(
  '%s that is no http address is refused in one line, without the address',
  async (name) => {
    for (const address of ['collector:4318', 'grpc://key:hush@collector:4317', '4318']) {
      const started = startTracing({ [name]: address }, log)
      await expect(started).rejects.toThrow(new RegExp(`^${name} must be an http or https address, such as \\S+$`))
    }
  },
)
