// Starts a redis-server of the tests' own on a free port, never one of the user.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type TestRedis = Awaited<ReturnType<typeof startRedis>>

/** False, with a line that says so, where redis-server is not on the PATH. */
export function hasRedisServer(): boolean {
  const found = spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0
  if (!found) process.stderr.write('Skipped: redis-server is not on the PATH (Debian: apt-get install redis-server).\n')
  return found
}

/**
 * Starts one; `settings` are lines of redis.conf such as `['maxmemory-policy', 'allkeys-lru']`. `directory`: where it
 * finds what another one stored, in place of an empty one. `rewritable`: it has a file of settings, so that it starts
 * again as the master or replica that Sentinels made of it.
 */
export async function startRedis(
  settings: [string, string][] = [],
  given: { port?: number; directory?: string; rewritable?: boolean } = {},
) {
  const directory = given.directory ?? mkdtempSync(join(tmpdir(), 'bellhop-redis-'))
  const port = given.port ?? (await freePort())
  const base: [string, string][] = [
    ['port', String(port)],
    ['bind', '127.0.0.1'],
    ['dir', directory],
    ['save', ''],
    ['appendonly', 'yes'],
    ['appendfsync', 'always'],
    ['databases', '1000'],
  ]
  const file = join(directory, 'redis.conf')
  if (given.rewritable === true) writeFileSync(file, '')
  const options = [...base, ...settings].flatMap(([name, value]) => [`--${name}`, value])
  const args = [...(given.rewritable === true ? [file] : []), ...options]
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const started = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    let said = ''
    await new Promise<void>((resolve, reject) => {
      started.stdout?.on('data', (bytes) => {
        said += String(bytes)
        if (said.includes('Ready to accept connections')) resolve()
      })
      started.once('error', reject)
      started.once('exit', () => reject(new Error(`redis-server ended: ${said}`)))
    })
  }

  /** SIGKILL, and gone when it resolves. */
  async function kill(): Promise<void> {
    const dying = child
    child = undefined
    if (dying === undefined || dying.exitCode !== null) return
    const gone = new Promise((resolve) => dying.once('exit', resolve))
    dying.kill('SIGKILL')
    await gone
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    /** Where its append-only file lies. */
    directory,
    /** Starts it again, with what its append-only file holds. */
    start,
    kill,
    /** Freezes it: connections stay open, nothing is answered. */
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    /** Ends it and removes its directory. */
    async stop() {
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
