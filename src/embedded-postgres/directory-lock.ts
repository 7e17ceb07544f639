// Locks a directory for one process by a listening socket: the lock of a dead process refuses connections.
import { createHash } from 'node:crypto'
import { lstat, mkdir, open, realpath, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Systems limit socket paths to 104 to 108 bytes. */
const LONGEST_SOCKET_PATH = 100
const GREETING_WITHIN_MS = 500
/** An older guard was left by a process that died during the takeover. */
const STALE_GUARD_MS = 5_000
const STARTING_MS = 25
const TRIES = 200

/** Creates the directory if absent; returns the function that unlocks it. Throws DirectoryInUse. */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  await makeFolder(directory)
  const path = socketPath(await realpath(directory))
  for (let tried = 0; tried < TRIES; tried += 1) {
    const server = await listenAt(path)
    if (server !== undefined) return () => new Promise((resolve) => server.close(() => resolve()))
    const found = await lstat(path).catch(() => undefined)
    // It may lead to the socket of any process.
    if (found?.isSymbolicLink() === true) throw new Error(`${path} is a symbolic link: remove it`)
    const holder = await holderOf(path)
    if (holder.is === 'alive') throw new DirectoryInUse(directory, holder.name)
    if (holder.is === 'dead') await removeDead(path)
  }
  // Fails closed: two processes on one directory would lose records silently.
  throw new DirectoryInUse(directory, 'another process that is just starting')
}

/** Creates parents too. Node 20's `recursive` never returns on file systems such as /proc. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (await isFolder(path)) return
    const above = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || (await isFolder(above))) throw error
    await makeFolder(above)
    await makeFolder(path)
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** In the directory, or in the temporary directory if that path is too long. */
export function socketPath(directory: string): string {
  const hash = createHash('sha256').update(directory).digest('hex').slice(0, 32)
  if (process.platform === 'win32') return `\\\\.\\pipe\\bellhop-${hash}`
  const inside = join(directory, 'lock.sock')
  if (Buffer.byteLength(inside) <= LONGEST_SOCKET_PATH) return inside
  // TMPDIR may differ between two processes, or be long itself.
  return join(process.platform === 'linux' ? '/tmp' : tmpdir(), `bellhop-${hash}.sock`)
}

/** Undefined when the path exists, of a live or a dead process. */
function listenAt(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.end(`${process.pid}\n`)
    })
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(path, () => {
      server.unref()
      resolve(server)
    })
  })
}

/** `dead`: the socket exists, but nobody listens; `none`: there is no socket. */
function holderOf(path: string): Promise<{ is: 'alive'; name: string } | { is: 'dead' } | { is: 'none' }> {
  return new Promise((resolve) => {
    let greeting = ''
    const socket = connect(path)
    const alive = () => {
      socket.destroy()
      resolve({ is: 'alive', name: /^\d+\n/.test(greeting) ? `process ${greeting.trim()}` : 'another process' })
    }
    socket.setTimeout(GREETING_WITHIN_MS, alive)
    socket.on('data', (bytes) => {
      greeting += bytes.toString()
    })
    socket.on('end', alive)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return resolve({ is: 'dead' })
      if (error.code === 'ENOENT') return resolve({ is: 'none' })
      // Fails closed: other errors, as of another user's socket, may come from a live holder.
      alive()
    })
  })
}

/** Uses a guard: otherwise a second process would remove the new socket of the first. */
async function removeDead(path: string): Promise<void> {
  const guard = `${path}.takeover`
  const entered = await open(guard, 'wx').catch(() => undefined)
  if (entered === undefined) {
    const since = await stat(guard).catch(() => undefined)
    if (since !== undefined && Date.now() - since.mtimeMs > STALE_GUARD_MS) await rm(guard, { force: true })
    return pause(10)
  }
  try {
    await entered.close()
    const before = await stat(path).catch(() => undefined)
    // A starting holder creates its socket shortly before it listens.
    await pause(STARTING_MS)
    const after = await stat(path).catch(() => undefined)
    if (before?.ino === after?.ino && (await holderOf(path)).is === 'dead') await rm(path, { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}

export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
  readonly holder: string

  constructor(directory: string, holder: string) {
    super(`The directory ${directory} is in use by ${holder}.`)
    this.holder = holder
  }
}

const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EEXIST']

/** Why a directory could not be opened, with what to do if the user of the process may not write there. */
export function whyNotOpened(thrown: unknown, variable: string): string {
  const { message, code }: NodeJS.ErrnoException = thrown instanceof Error ? thrown : new Error(String(thrown))
  if (code === undefined || !NOT_WRITABLE.includes(code)) return message
  return `${message}. Give this user the right to write there, or name another folder: ${variable}=embedded:DIR.`
}
