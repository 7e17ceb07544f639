// Checks the port that Bellhop listens on, and its address for the service.
import { createServer } from 'node:net'
import { type Finding, fail, ok, warn } from './finding.ts'

const withinMs = 5_000

export async function examinePort({ host, port }: { host: string; port: number }): Promise<Finding> {
  const code = await new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
  const where = `${host}:${port}`
  if (code === undefined) return ok('port', `${where} is free for bellhop serve.`)
  if (code !== 'EADDRINUSE')
    return fail(
      'port',
      `Nothing can listen on ${where} (${code}).`,
      'Set BELLHOP_HOST to an address of this machine, and BELLHOP_PORT to a port from 1024.',
    )
  const isOurs = (await ask(`http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`)) === 200
  if (isOurs) return ok('port', `A Bellhop listens on ${where}.`)
  return fail(
    'port',
    `Another program listens on ${where}.`,
    'Stop it, or set BELLHOP_PORT to a free port; 0 takes any.',
  )
}

export async function examineReady(base: string): Promise<Finding> {
  const status = await ask(`${base}/readyz`)
  if (status === 200) return ok('ready', `The Bellhop at ${base} is ready.`)
  if (status === undefined)
    return warn(
      'ready',
      `${base} does not answer from here.`,
      'Start Bellhop. If only the service can reach it, name projects to see the last delivery of their hooks.',
    )
  return fail(
    'ready',
    `${base}/readyz answers ${status}.`,
    status === 503 ? 'See its log.' : 'Is another server behind this address? Check BELLHOP_URL.',
  )
}

async function ask(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(withinMs) })
    await response.body?.cancel()
    return response.status
  } catch {
    return undefined
  }
}
