// All queues and workers of one backend, and their traces.

import { type Context, context, propagation, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { type Queue as BullQueue, SpanKind, type Telemetry } from 'bullmq'
import { available } from '../errors.ts'
import type { Queues } from '../types.ts'
import type { QueueBackend } from './backend.ts'
import { bullmqJobQueue, type WorkerActivity } from './named-queue.ts'
import { type BullmqWorker, bullmqWorker } from './worker.ts'

const STOP_WITHIN_MS = 5_000

interface GivenQueues {
  lockMs?: number
  /** Whether jobs are spans of traces. */
  isTraced?: boolean
}

/** Closing the queues closes the backend. */
export function bullmqQueues(backend: QueueBackend, { isTraced = false, ...given }: GivenQueues = {}): Queues {
  const tracing = isTraced ? { telemetry } : {}
  const queues = new Map<string, BullQueue>()
  const workers: { name: string; worker: BullmqWorker }[] = []
  let closing: Promise<void> | undefined

  function openQueue(name: string): BullQueue {
    const known = queues.get(name)
    if (known !== undefined) return known
    const queue = backend.queue(name, tracing)
    queues.set(name, queue)
    return queue
  }

  /** Of all workers of a queue in this process. */
  function activityOf(name: string): WorkerActivity {
    const each = workers.filter((known) => known.name === name).map(({ worker }) => worker.activity())
    return { runs: each.reduce((sum, { runs }) => sum + runs, 0), isIdle: each.every(({ isIdle }) => isIdle) }
  }

  async function close(): Promise<void> {
    await Promise.all(workers.map(({ worker }) => worker.stop(STOP_WITHIN_MS)))
    await Promise.allSettled([...queues.values()].map((queue) => queue.close()))
    await backend.close()
  }

  return {
    kind: backend.kind,
    store: backend.connection,
    queue: (name) => bullmqJobQueue(openQueue(name), backend, () => activityOf(name)),
    work(name, handler, options) {
      const setup = { name, handler, options, tracing, ...given }
      const worker = bullmqWorker({ ...backend, queue: openQueue }, setup)
      workers.push({ name, worker })
      return worker
    },
    ping: () => available('The queue does not answer', backend.ping),
    space: () => available('The queue does not answer', backend.space),
    close() {
      closing ??= close()
      return closing
    },
  }
}

type JobSpan = ReturnType<Telemetry<Context>['tracer']['startSpan']>

const tracer = trace.getTracer('bellhop')

/** The attributes of BullMQ that spans get, by the names that OpenTelemetry gives them. Others have texts of errors. */
const attributeNames = new Map([
  ['bullmq.queue.name', 'messaging.destination.name'],
  ['bullmq.queue.operation', 'messaging.operation.name'],
  ['bullmq.job.id', 'messaging.message.id'],
  ['bullmq.job.attempts.made', 'bullmq.job.attempts.made'],
])

/** Not the package bullmq-otel: docs/tracing.md says why. */
const telemetry: Telemetry<Context> = {
  tracer: {
    startSpan: (name, options, parent = context.active()) =>
      options?.kind === SpanKind.PRODUCER || options?.kind === SpanKind.CONSUMER
        ? startJobSpan(name, options.kind, parent)
        : noSpan,
  },
  contextManager: {
    with: (active, run) => context.with(active, run),
    active: () => context.active(),
    root: () => ROOT_CONTEXT,
    getMetadata(active) {
      const carrier: { traceparent?: string } = {}
      propagation.inject(active, carrier)
      return carrier.traceparent ?? ''
    },
    fromMetadata: (_active, metadata) => propagation.extract(ROOT_CONTEXT, { traceparent: metadata }),
  },
}

/** BullMQ adds the name of each job, which is another for each. */
function startJobSpan(name: string, kind: SpanKind.PRODUCER | SpanKind.CONSUMER, parent: Context): JobSpan {
  const isAdded = kind === SpanKind.PRODUCER
  const attributes = { 'messaging.system': 'bullmq', 'messaging.operation.type': isAdded ? 'send' : 'process' }
  const shown = isAdded ? name.slice(0, name.lastIndexOf('.')) : name
  return jobSpan(tracer.startSpan(shown, { kind, attributes }, parent))
}

function jobSpan(span: Span): JobSpan {
  const setAttribute: JobSpan['setAttribute'] = (key, value) => {
    const name = attributeNames.get(key)
    if (name !== undefined && value !== undefined) span.setAttribute(name, value)
  }
  const fail = () => void span.setStatus({ code: SpanStatusCode.ERROR })
  return {
    setSpanOnContext: (active) => trace.setSpan(active, span),
    setAttribute,
    setAttributes(attributes) {
      for (const [key, value] of Object.entries(attributes)) if (value !== undefined) setAttribute(key, value)
    },
    addEvent(name) {
      if (name === 'job failed') fail()
    },
    recordException: fail,
    end: () => span.end(),
  }
}

/** For what BullMQ does every few seconds, such as to look for jobs and to extend locks. */
const noSpan: JobSpan = {
  setSpanOnContext: (active) => active,
  setAttribute: () => undefined,
  setAttributes: () => undefined,
  addEvent: () => undefined,
  recordException: () => undefined,
  end: () => undefined,
}
