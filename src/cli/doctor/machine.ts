// Checks this machine: folders of embedded databases, which are only inspected, git, the port, and Bellhop's address.
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { checkGit, GitMissing } from '../../git/start-git.ts'
import { askStatus } from '../service/connect.ts'
import { LEAST_FREE_DISK } from '../settings/queue.ts'
import { type Finding, findingsOf } from './finding.ts'

export async function examineFolder(of: 'queue' | 'journal', directory: string): Promise<Finding> {
  const { ok, fail } = findingsOf(of)
  const there = await nearest(directory)
  if (!(await allows(there, constants.W_OK | constants.X_OK)))
    return fail(
      `The folder ${directory} is not writable: ${there} is not.`,
      `Make it writable for this user, or set another: BELLHOP_${of.toUpperCase()}_URL=embedded:DIR.`,
    )
  const { bavail, bsize } = await statfs(there)
  const megabytes = Math.floor((bavail * bsize) / 2 ** 20)
  if (megabytes < LEAST_FREE_DISK)
    return fail(
      `The disk of ${directory} has ${megabytes} MB left; deliveries are refused below ${LEAST_FREE_DISK} MB.`,
      'Free disk space.',
    )
  return ok(`The folder ${directory} is writable; ${megabytes} MB are free on its disk.`)
}

const allows = (path: string, mode: number) =>
  access(path, mode).then(
    () => true,
    () => false,
  )

/** The folder itself, or its nearest existing parent. */
export async function nearest(directory: string): Promise<string> {
  const above = dirname(directory)
  return above === directory || (await allows(directory, constants.F_OK)) ? directory : nearest(above)
}

const { okIf, warn } = findingsOf('git')

/** Only warnings: without merge queues, nothing is missing. */
export async function examineGit(folder: string, searchPath: string | undefined): Promise<Finding> {
  let version: string
  try {
    version = await checkGit(searchPath)
  } catch (error) {
    if (!(error instanceof GitMissing)) throw error
    const remedy = 'Install it, unless no rule file has `queues`. The image has it.'
    return warn(`Merge queues cannot work: ${error.message}`, remedy)
  }
  return okIf(
    await allows(await nearest(folder), constants.W_OK | constants.X_OK),
    `Merge queues can work: git ${version} is installed, and ${folder} is writable.`,
    `The folder ${folder} for the repositories of merge queues is not writable.`,
    'Make it writable for this user, or set BELLHOP_WORK_DIR, unless no rule file has `queues`.',
  )
}

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
  const remedy = 'Stop it, or set BELLHOP_PORT to a free port; 0 takes any.'
  return onPort.fail(`Another program listens on ${where}.`, remedy)
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
