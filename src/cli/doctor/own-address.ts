// Checks the port that Bellhop listens on, and its address for the service.
import { createServer } from 'node:net'
import { askStatus } from '../service/connect.ts'
import { type Finding, findingsOf } from './finding.ts'

const [onPort, ready] = [findingsOf('port'), findingsOf('ready')]

const withinMs = 5_000

interface Address {
  host: string
  port: number
}

const isLoopback = (host: string) => /^(127\.|::1$|localhost$)/.test(host)
const restOf = (host: string) => (isLoopback(host) ? ' Only this machine can connect (BELLHOP_HOST).' : '')

const answersHealth = async ({ host, port }: Address) =>
  (await askStatus(`http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`, withinMs)) === 200

export async function examinePort({ host, port }: Address): Promise<Finding> {
  const code = await new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
  const where = `${host}:${port}`
  if (code === undefined) return onPort.ok(`${where} is free for bellhop serve.${restOf(host)}`)
  if (code !== 'EADDRINUSE')
    return onPort.fail(
      `Nothing can listen on ${where} (${code}).`,
      'Set BELLHOP_HOST to an address of this machine, and BELLHOP_PORT to a port from 1024.',
    )
  if (await answersHealth({ host, port })) return onPort.ok(`A Bellhop listens on ${where}.${restOf(host)}`)
  return onPort.fail(
    `Another program listens on ${where}.`,
    'Stop it, or set BELLHOP_PORT to a free port; 0 takes any.',
  )
}

/** `own`: where `bellhop serve` listens with these settings. */
export async function examineReady(base: string, own: Address): Promise<Finding> {
  const status = await askStatus(`${base}/readyz`, withinMs)
  if (status === 200) return ready.ok(`The Bellhop at ${base} is ready.`)
  if (status === undefined && isLoopback(own.host) && (await answersHealth(own)))
    return ready.fail(
      `${base} does not answer. A Bellhop runs, but listens on ${own.host} only: other machines cannot connect.`,
      'Set BELLHOP_HOST=0.0.0.0 and start Bellhop again, or put a reverse proxy in front of it.',
    )
  if (status === undefined)
    return ready.warn(
      `${base} does not answer from here.`,
      'Start Bellhop. If only the service can reach it, name projects to see the last delivery of their hooks.',
    )
  return ready.fail(
    `${base}/readyz answers ${status}.`,
    status === 503 ? 'See its log.' : 'Is another server behind this address? Check BELLHOP_URL.',
  )
}
