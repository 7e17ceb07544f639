// Traces of a merge queue that lands one merge request, and of the sweeps meanwhile: on Redis, the quicker backend.
import { builtCommand } from '../../built-command.ts'
import { eventually } from '../../eventually.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startQueueProcesses } from '../merge-queue/restarts.suite.ts'
import { startProgram } from '../process.ts'
import { startOtlpReceiver } from './otlp-receiver.ts'

onRedis((queueUrl) => {
  beforeAll(async () => void (await builtCommand()))

  test('each step of a merge queue is a span, with the calls that it makes; each scheduled sweep is a trace', async () => {
    const world = await startQueueProcesses(queueUrl(), ['one'])
    onTestFinished(() => world.close())
    const otlp = await startOtlpReceiver()
    onTestFinished(() => otlp.close())
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, OTEL_BSP_SCHEDULE_DELAY: '50' }
    const running = startProgram([process.execPath, await builtCommand(), 'serve'], {
      env: { ...world.environment, ...tracing, BELLHOP_SWEEP_EVERY: '1s', PATH: process.env.PATH },
    })
    onTestFinished(() => void running.child.kill('SIGKILL'))
    const spansNamed = (name: string) => otlp.spans().filter((span) => span.name === name)
    const sweeps = () =>
      spansNamed('process sweeps').filter(({ attributes }) =>
        String(attributes['messaging.message.id']).startsWith('repeat:'),
      )
    await eventually(async () => {
      expect(await world.states()).toEqual(['merged'])
      expect(spansNamed('merge queue: discard')).not.toEqual([])
      expect(sweeps().length).toBeGreaterThan(3)
    })
    running.child.kill('SIGTERM')
    expect(await running.ended).toEqual({ code: 0, signal: null })
    for (const step of ['build', 'land', 'discard']) {
      const [span] = spansNamed(`merge queue: ${step}`)
      expect(span?.attributes).toEqual({ 'bellhop.project': world.project })
      const parent = otlp.spans().find(({ spanId }) => spanId === span?.parentSpanId)
      expect(parent?.name).toBe('process merge-queues')
    }
    const [landing] = spansNamed('merge queue: land')
    const [accept] = spansNamed('PUT mergeRequests.accept')
    expect([accept?.traceId, accept?.parentSpanId]).toEqual([landing?.traceId, landing?.spanId])
    expect(new Set(sweeps().map(({ traceId }) => traceId)).size).toBe(sweeps().length)
    for (const text of ['bellhop/queue', 'master', 'alice']) expect(otlp.text()).not.toContain(text)
  })
})
