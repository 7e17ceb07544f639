// Starts the sandbox: a hosting service in one process, on real git repositories.
import { createServer, type RequestListener, type Server } from 'node:http'
import express, { type Express, type RequestHandler } from 'express'
import { ensureRoot } from './access/tokens.ts'
import { checkGit, createGit } from './git/git.ts'
import { createDeliveries, createHookLog } from './hooks/deliveries.ts'
import { createCallRecord } from './http/call-record.ts'
import { sendJson } from './http/error-response.ts'
import { createFaults } from './http/faults.ts'
import { answerError, type Gate, type Instruments, serveApi } from './http/serve-api.ts'
import { serveGit } from './http/serve-git.ts'
import { serveUploads } from './http/serve-uploads.ts'
import { defaultTier, type Tier } from './installation.ts'
import { resumePipelines, scriptedCi } from './pipelines/scripted-ci.ts'
import { reconcile } from './storage/reconcile.ts'
import { createBackground, createKeyedMutex, createSystemClock, type SandboxClock } from './storage/schedule.ts'
import { openStorage, type Storage } from './storage/storage.ts'
import { createWorlds, type Worlds } from './storage/worlds.ts'

export interface SandboxOptions {
  tier?: Tier
  /** 0: any free port. */
  port?: number
  host?: string
  /** The token of `root` (id 1), the administrator. */
  rootToken: string
  /** Holds `repositories` and `uploads`. */
  folder: string
  /** Store the records too, in `records`: the next sandbox on this folder continues, even after a crash. */
  keep?: boolean
  /** Called if opening the records takes longer than a second. */
  onSlowStart?: () => void
  gate?: Gate
  /** Disable hooks that keep failing. */
  disableFailingHooks?: boolean
  /** Record calls, merges and deliveries. */
  recordCalls?: boolean
  /** For faults with a chance: numbers in [0, 1). */
  random?: () => number
  /** For scripted pipelines; without it, time passes. */
  clock?: SandboxClock
  /** Answers `/`, and browsers at unknown paths. */
  startPage?: RequestHandler
}
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

/** Throws one line when git or the folder is unusable. */
export async function startSandbox(options: SandboxOptions) {
  await checkGit()
  return serve(options, await openStorage(options))
}

async function serve(options: SandboxOptions, storage: Storage) {
  const { port = 0, host = '127.0.0.1', rootToken, gate, random, clock = createSystemClock() } = options
  const { tier = defaultTier } = options
  const git = createGit(storage.repositories)
  const background = createBackground((error) => {
    process.stderr.write(`sandbox: background work failed: ${error instanceof Error ? error.stack : String(error)}\n`)
  })
  // Until it has started, there is nobody to answer.
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => answer(request, response))
  let url = ''
  const { faults, source } = createFaults(random)
  const record = options.recordCalls === true ? createCallRecord(storage.state) : undefined
  const log = createHookLog({ disables: options.disableFailingHooks === true })
  const deliveries = createDeliveries(() => url, { faults: source, record, log })

  async function end() {
    clock.close()
    deliveries.close()
    storage.stop()
    const backgroundEnded = background.close()
    const closed = new Promise<void>((settle) => server.close(() => settle()))
    server.closeAllConnections()
    await closed
    await storage.close(git.close)
    await backgroundEnded
  }
  let ended: Promise<void> | undefined
  function close() {
    ended ??= end()
    return ended
  }

  let worlds: Worlds
  try {
    url = await listen(server, host, port)
    const serialise = createKeyedMutex()
    const given = { storage, deliveries, background, url, tier, git, serialise, clock }
    const parts = { ...given, ci: scriptedCi, mergeFault: source.ofMerge }
    worlds = createWorlds(parts)
    await worlds.forTask(async (world) => ensureRoot(world, rootToken))
    if (options.keep === true) {
      await reconcile(worlds)
      await worlds.forTask(async (world) => resumePipelines(world))
    }
    answer = application(worlds, { gate, faults: source, record }, options.startPage)
  } catch (error) {
    await close()
    throw error
  }
  // No hook may report what could not be written.
  void storage.failed.then(() => deliveries.close())
  return {
    url,
    token: rootToken,
    /** Resolves when no background work and no delivery is pending; rejects with the errors of background work. */
    async idle(): Promise<void> {
      await background.idle()
      await deliveries.idle()
    },
    /** Resolves with the reason when records cannot be written any more; from then on, all calls get 500. */
    failed: storage.failed,
    /** Runs a task on the world, in a transaction: fills it faster than HTTP could. */
    within: worlds.forTask,
    faults,
    /** With `recordCalls`: all valid API calls, in order. Else throws. */
    calls: () => [...recorded(record).calls],
    /** With `recordCalls`: all operations of git over HTTP by people who may sign in. */
    gitOperations: () => [...recorded(record).git],
    /** With `recordCalls`: each merge, with the merge request and its pipeline at that moment. */
    merges: () => [...recorded(record).merges],
    /** With `recordCalls`: every hook that was sent or should have been. */
    deliveries: () => [...recorded(record).deliveries],
    close,
  }
}

function recorded<R>(record: R | undefined): R {
  if (record === undefined) throw new Error('nothing is recorded without the option `recordCalls`')
  return record
}

function application(worlds: Worlds, instruments: Instruments, startPage?: RequestHandler): Express {
  const app = express()
  app.disable('x-powered-by')
  app.use('/api/v4', serveApi(worlds.forRequest, instruments))
  app.use(serveGit(worlds.forRequest, instruments))
  app.use(serveUploads(worlds.forRequest))
  // Browsers get it for any other path: the API's addresses of pages lead here.
  if (startPage !== undefined)
    app.use((request, response, next) =>
      request.method === 'GET' && (request.path === '/' || request.accepts(['json', 'html']) === 'html')
        ? startPage(request, response, next)
        : next(),
    )
  app.use((_request, response) => {
    sendJson(response, 404, { error: '404 Not Found' })
  })
  app.use(answerError)
  return app
}

async function listen(server: Server, host: string, port: number) {
  server.requestTimeout = 0
  // As the proxy in front of GitLab: Node's 5 s end connections that a busy client is about to use.
  server.keepAliveTimeout = 65_000
  await new Promise<void>((settle, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => settle())
  })
  const address = server.address()
  return `http://${host.includes(':') ? `[${host}]` : host}:${typeof address === 'object' && address !== null ? address.port : port}`
}
