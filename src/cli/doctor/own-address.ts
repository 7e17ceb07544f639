// Bellhop's own addresses: the port that it listens on, and the one where others reach it.
import { createServer } from 'node:net'
import { type Finding, fail, ok, warn } from './finding.ts'

const withinMs = 5_000

/** Free, or Bellhop's already. */
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
  return fail('port', `Another program listens on ${where}.`, 'End it, or set BELLHOP_PORT to a free port; 0 takes any.')
}

/** Whether the running Bellhop is ready, asked where the service reaches it. */
export async function examineReady(base: string): Promise<Finding> {
  const status = await ask(`${base}/readyz`)
  if (status === 200) return ok('ready', `The Bellhop at ${base} is ready.`)
  if (status === undefined)
    return warn(
      'ready',
      `${base} does not answer from here.`,
      'Start Bellhop; where only the service can reach it, the last delivery of a hook tells more (name projects).',
    )
  return fail(
    'ready',
    `${base}/readyz answers ${status}.`,
    status === 503 ? 'Its log says what is missing.' : 'Is another server behind this address? Check BELLHOP_URL.',
  )
}

async function ask(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(withinMs) })
    await response.body?.cancel()
    return response.status
  } catch {
    // Nobody there, or nobody who speaks HTTP: the caller says which of the two matters.
    return undefined
  }
}
