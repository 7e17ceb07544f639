// Starts the sandbox: a hosting service in one process, on real git repositories (DESIGN §3, §7).
import { createServer, type Server } from 'node:http'
import { resolve } from 'node:path'
import type { Duplex } from 'node:stream'
import express, { type Express } from 'express'
import { createBackground } from './background.ts'
import { type CallEntry, createCallRecord, type MergeEntry } from './call-record.ts'
import { createFaults, type Faults } from './faults.ts'
import { folderProblem, foldersIn, makeFolder } from './folders.ts'
import { checkGit, createGit } from './git/git.ts'
import { createDeliveries, type DeliveryEntry } from './hooks/deliveries.ts'
import { createHookLog } from './hooks/hook-log.ts'
import { reconcile } from './reconcile.ts'
import { ensureRoot } from './root.ts'
import { createSerialise } from './serialise.ts'
import { answerError, type Bystanders, type Gate, serveApi } from './serve-api.ts'
import { serveGit } from './serve-git.ts'
import { serveUploads } from './serve-uploads.ts'
import type { Store } from './store.ts'
import { createUnitsOfWork, type UnitsOfWork } from './units-of-work.ts'
import { createState, type State, type World } from './world.ts'
import { createWorlds, type Worlds } from './worlds.ts'

export type { CallEntry, MergeEntry } from './call-record.ts'
export type { CallFault, CallSwitch, Faults, HookFault, HookSwitch } from './faults.ts'
export { checkGit } from './git/git.ts'
export type { DeliveryEntry } from './hooks/deliveries.ts'
export type { Gate } from './serve-api.ts'

export interface SandboxOptions {
  /** 0: any that is free. */
  port?: number
  host?: string
  /** The token of `root` (id 1), the administrator. */
  rootToken: string
  /** Where everything lies: bare repositories in `repositories`, uploaded files in `uploads`. */
  folder: string
  /** Keep the records as well, in `records`: a sandbox that starts on the same folder goes on where this one was, however it ended. */
  keep?: boolean
  gate?: Gate
  /** Hooks that fail again and again are disabled, as on installations that many share (hosting-service.md §1.5). */
  disableFailingHooks?: boolean
  /** Keep a record of calls, merges and deliveries. */
  recordCalls?: boolean
  /** What fault switches with a chance draw from: numbers from 0 up to, not including, 1. */
  random?: () => number
}
export interface Sandbox {
  url: string
  token: string
  /** Resolves when no background work and no hook delivery is under way or queued; rejects when background work went wrong. */
  idle(): Promise<void>
  /** Resolves with the reason when the records cannot be written any more; nothing is answered but 500 then. Never, when all is well. */
  failed: Promise<Error>
  /** Does something to the world past its doors, kept as a request's work is: to fill it with more than HTTP could in good time. */
  within<T>(task: (world: World) => Promise<T>): Promise<T>
  /** Switches that make it misbehave. */
  faults: Faults
  /** With `recordCalls`: every API call so far that was signed in and read, in order. Throws without it. */
  calls(): CallEntry[]
  /** With `recordCalls`: every merge so far. */
  merges(): MergeEntry[]
  /** With `recordCalls`: every hook that was sent or should have been. */
  deliveries(): DeliveryEntry[]
  close(): Promise<void>
}

/** A hosting service with its administrator, empty or as it was kept. Throws one line when git or the folder is not fit for it. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  await checkGit()
  const state = createState()
  const store = await openFolder(options, state).catch((error: unknown) => {
    throw folderProblem(options.folder, error)
  })
  return serve(options, state, store)
}

/** Makes the folders; gives the records in them, when they are kept. */
async function openFolder({ folder, keep }: SandboxOptions, state: State): Promise<Store | undefined> {
  const { repositories, uploads, records } = foldersIn(folder)
  await makeFolder(resolve(folder))
  const store = keep === true ? await openRecords(records, state) : undefined
  try {
    await makeFolder(repositories)
    await makeFolder(uploads)
    return store
  } catch (error) {
    await store?.close()
    throw error
  }
}

/** The database is loaded only where it is used: a sandbox that keeps nothing starts at once. */
async function openRecords(folder: string, state: State): Promise<Store> {
  const { openStore } = await import('./store.ts')
  return openStore(folder, state)
}

async function serve(options: SandboxOptions, state: State, store: Store | undefined): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', rootToken, gate, random } = options
  const { repositories: folder, uploads: uploadsFolder } = foldersIn(options.folder)
  const units = createUnitsOfWork(state, store?.write)
  const git = createGit()
  const background = createBackground((error) => {
    process.stderr.write(`sandbox: background work failed: ${error instanceof Error ? error.stack : String(error)}\n`)
  })
  const server = createServer()
  server.on('clientError', refuseUnreadable)
  const open = answerOnceOpen(server)
  let url = ''
  const { faults, source } = createFaults(random)
  const record = options.recordCalls === true ? createCallRecord(state) : undefined
  const log = createHookLog({ disables: options.disableFailingHooks === true })
  const deliveries = createDeliveries(() => url, { faults: source, record, log })

  async function end(): Promise<void> {
    deliveries.close()
    units.stop()
    const backgroundEnded = background.close()
    const closed = new Promise<void>((settle) => server.close(() => settle()))
    server.closeAllConnections()
    await closed
    await endTasks(units, () => git.close())
    await backgroundEnded
    await store?.close()
  }
  let ended: Promise<void> | undefined
  function close(): Promise<void> {
    ended ??= end()
    return ended
  }

  let worlds: Worlds
  try {
    url = await listen(server, host, port)
    worlds = createWorlds({ state, units, deliveries, background, url, git, serialise: createSerialise(), folder, uploadsFolder })
    await worlds.forTask(async (world) => ensureRoot(world, rootToken))
    if (store !== undefined) await reconcile(worlds)
    open(application(worlds, { gate, faults: source, record }))
  } catch (error) {
    await close()
    throw error
  }
  // What could not be written has not happened: no hook may tell of it.
  void units.failed.then(() => deliveries.close())
  return {
    url,
    token: rootToken,
    async idle() {
      await background.idle()
      await deliveries.idle()
    },
    failed: units.failed,
    within: worlds.forTask,
    faults,
    calls: () => recorded(record).calls,
    merges: () => recorded(record).merges,
    deliveries: () => recorded(record).deliveries,
    close,
  }
}

function recorded<R>(record: R | undefined): R {
  if (record === undefined) throw new Error('nothing is recorded without the option `recordCalls`')
  return record
}

function application(worlds: Worlds, bystanders: Bystanders): Express {
  const app = express()
  app.disable('x-powered-by')
  app.use('/api/v4', serveApi(worlds.forRequest, bystanders))
  app.use(serveGit(worlds.forRequest))
  app.use(serveUploads(worlds.forRequest))
  app.use((_request, response) => {
    response.status(404).json({ error: '404 Not Found' })
  })
  app.use(answerError)
  return app
}

/** Requests that come before the sandbox is open wait until it is. */
function answerOnceOpen(server: Server): (app: Express) => void {
  let open: (app: Express) => void = () => undefined
  const opened = new Promise<Express>((resolve) => {
    open = resolve
  })
  server.on('request', (request, response) => void opened.then((app) => app(request, response)))
  return open
}

/** What node cannot read as HTTP at all, such as an address that is too long: refused in JSON as everything else. */
function refuseUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const status = tooLong ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const body = JSON.stringify({ error: tooLong ? 'the address or the headers are too long' : 'the request cannot be read' })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** Listens; gives the URL. */
async function listen(server: Server, host: string, port: number): Promise<string> {
  // A push may take its time; a request that never ends is the caller's to close.
  server.requestTimeout = 0
  await new Promise<void>((settle, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => settle())
  })
  const address = server.address()
  return `http://${host.includes(':') ? `[${host}]` : host}:${typeof address === 'object' && address !== null ? address.port : port}`
}

/** Ends git processes until no task is left that could start another one. */
async function endTasks(units: UnitsOfWork, endProcesses: () => Promise<void>): Promise<void> {
  const lookAgainMs = 20
  await endProcesses()
  while (units.running > 0) {
    await Promise.race([units.ended(), new Promise((resolve) => setTimeout(resolve, lookAgainMs))])
    await endProcesses()
  }
}
