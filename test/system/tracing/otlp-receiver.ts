// A receiver of traces: OTLP over HTTP with JSON, as a collector takes them.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { listening } from '../../listening.ts'

interface OtlpValue {
  stringValue?: string
  intValue?: number | string
  boolValue?: boolean
}

interface OtlpAttribute {
  key: string
  value: OtlpValue
}

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number
  attributes: OtlpAttribute[]
  links: { traceId: string; spanId: string }[]
  /** 2 is an error. */
  status: { code?: number }
}

interface OtlpBody {
  resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[]
}

type Values = Record<string, string | number | boolean>

export interface ReceivedSpan extends Omit<OtlpSpan, 'attributes'> {
  attributes: Values
  resource: Values
}

export type OtlpReceiver = Awaited<ReturnType<typeof startOtlpReceiver>>

/** `silent`: it takes requests and never answers. */
export async function startOtlpReceiver({ silent = false } = {}) {
  const bodies: string[] = []
  const requests: { path: string; headers: IncomingHttpHeaders }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    bodies.push(Buffer.concat(chunks).toString())
    requests.push({ path: request.url ?? '', headers: request.headers })
    if (!silent) response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  return {
    /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
    url: await listening(server),
    spans: () => bodies.flatMap((body) => spansOf(JSON.parse(body))),
    /** Everything that arrived, as sent. */
    text: () => bodies.join('\n'),
    requests: () => requests,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const spansOf = ({ resourceSpans }: OtlpBody): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({ ...span, attributes: valuesOf(span.attributes), resource: valuesOf(resource.attributes) })),
  )

const valuesOf = (attributes: OtlpAttribute[]): Values =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue)]),
  )
