// Starts the sandbox: a hosting service in one process, on real git repositories (DESIGN §3, §7).
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import express, { type Response } from 'express'
import { createBackground } from './background.ts'
import { checkGit, createGit } from './git/git.ts'
import { createDeliveries } from './hooks/deliveries.ts'
import { createSerialise } from './serialise.ts'
import { type Gate, serveApi } from './serve-api.ts'
import { serveGit } from './serve-git.ts'
import { createState, nextNumber, now, type State, tokenDigest, type World } from './world.ts'

export { checkGit } from './git/git.ts'
export type { Gate } from './serve-api.ts'

export interface SandboxOptions {
  /** 0: any that is free. */
  port?: number
  host?: string
  /** The token of `root` (id 1), the administrator. */
  rootToken: string
  /** Where everything lies: bare repositories in `repositories`, uploaded files in `uploads`. */
  folder: string
  gate?: Gate
}
export interface Sandbox {
  url: string
  token: string
  /** Resolves when no background work and no hook delivery is under way or queued; rejects when background work went wrong. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** An empty hosting service with its administrator. Throws one line when git is not fit for it. */
export async function startSandbox({ port = 0, host = '127.0.0.1', rootToken, folder, gate }: SandboxOptions): Promise<Sandbox> {
  await checkGit()
  const folders = { folder: resolve(folder, 'repositories'), uploadsFolder: resolve(folder, 'uploads') }
  await mkdir(folders.folder, { recursive: true })
  await mkdir(folders.uploadsFolder, { recursive: true })
  const state = createState()
  addRoot(state, rootToken)
  const git = createGit()
  const serialise = createSerialise()
  const server = createServer()
  let url = ''
  const deliveries = createDeliveries(() => url)
  const background = createBackground((error) => {
    process.stderr.write(`sandbox: background work failed: ${error instanceof Error ? error.stack : String(error)}\n`)
  })

  /** The world of one request or task: what it sends and starts waits until it is over. */
  function worldUntil(over: Promise<void>): World {
    const send: World['send'] = (event) => {
      for (const hook of state.hooks.where('project', event.projectId)) {
        if (hook[event.flag]) deliveries.enqueue(hook, event, over)
      }
    }
    const startTask: World['background'] = (key, task) => {
      background.start(over, () => {
        let end = (): void => undefined
        const taskOver = new Promise<void>((settle) => {
          end = settle
        })
        return serialise(key, () => task(worldUntil(taskOver))).finally(() => end())
      })
    }
    return { ...state, ...folders, url, git, serialise, send, background: startTask }
  }
  const worldFor = (response: Response): World => worldUntil(new Promise<void>((settle) => response.once('close', () => settle())))

  const app = express()
  app.disable('x-powered-by').disable('etag')
  app.use('/api/v4', serveApi(worldFor, gate))
  app.use(serveGit(worldFor))
  app.use((_request, response) => {
    response.status(404).json({ error: '404 Not Found' })
  })
  server.on('request', app)
  // A push may take its time; a request that never ends is the caller's to close.
  server.requestTimeout = 0
  await new Promise<void>((settle, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => settle())
  })
  const address = server.address()
  url = `http://${host.includes(':') ? `[${host}]` : host}:${typeof address === 'object' && address !== null ? address.port : port}`

  return {
    url,
    token: rootToken,
    async idle() {
      await background.idle()
      await deliveries.idle()
    },
    async close() {
      deliveries.close()
      const closed = new Promise<void>((settle) => server.close(() => settle()))
      server.closeAllConnections()
      await closed
      const ended = background.close()
      await git.close()
      await ended
    },
  }
}

function addRoot(state: State, rootToken: string): void {
  // The same counters as for everybody else, so that nothing else becomes number 1.
  const user = state.users.add({
    id: nextNumber(state, 'users'),
    namespace_id: nextNumber(state, 'namespaces'),
    username: 'root',
    name: 'Administrator',
    email: 'admin@example.com',
    state: 'active',
    bot: false,
    is_admin: true,
    can_create_group: true,
    created_at: now(state),
  })
  state.tokens.add({
    id: nextNumber(state, 'tokens'),
    user_id: user.id,
    name: 'root',
    scopes: ['api'],
    digest: tokenDigest(rootToken),
    created_at: user.created_at,
  })
}
