// Starts a PostgreSQL server of the tests' own on a free port, as an unprivileged user, never one of the machine.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './redis-server.ts'

export type TestPostgres = Awaited<ReturnType<typeof startPostgres>>

const PASSWORD = 'test-password'

/** The folder of the server's programs; undefined where there are none. */
function programs(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((each) => join(debian, each, 'bin')), ...(process.env.PATH ?? '').split(delimiter)]
  return folders.find((each) => existsSync(join(each, 'postgres')) && existsSync(join(each, 'initdb')))
}

/** False, with a line that says so, where no PostgreSQL server is installed. */
export function hasPostgresServer(): boolean {
  const found = programs() !== undefined
  if (!found) process.stderr.write('Skipped: no PostgreSQL server is installed (Debian: apt-get install postgresql).\n')
  return found
}

/** A user of the machine for the server, which refuses to run as root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * Starts one; `settings` are those of postgresql.conf. `prepare` gets the empty folder of all its files before anything
 * is written there.
 */
export async function startPostgres(
  settings: Record<string, string> = {},
  prepare: (directory: string) => void = () => undefined,
) {
  const bin = programs()
  if (bin === undefined) throw new Error('no PostgreSQL server is installed')
  const user = unprivileged()
  const directory = mkdtempSync(join(tmpdir(), 'bellhop-postgres-'))
  const data = join(directory, 'data')
  const password = join(directory, 'password')
  prepare(directory)
  writeFileSync(password, PASSWORD)
  chmodSync(directory, 0o755)
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [directory, password]) chownSync(path, user.uid, user.gid)
  // Without fsync: a process that is killed loses nothing by it.
  const initdb = [
    '-D',
    data,
    '-U',
    'bellhop',
    '--auth=scram-sha-256',
    `--pwfile=${password}`,
    '--no-sync',
    '-E',
    'UTF8',
  ]
  execFileSync(join(bin, 'initdb'), initdb, { ...user, stdio: 'pipe', cwd: directory })
  const port = await freePort()
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'off',
    ...settings,
  }
  const args = ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const urlOf = (database: string) => `postgres://bellhop:${PASSWORD}@127.0.0.1:${port}/${database}`
  let child: ChildProcess | undefined

  /** What a killed server left in memory is gone a moment later. */
  async function start(): Promise<void> {
    for (let turn = 0; ; turn += 1)
      try {
        return await startOnce()
      } catch (error) {
        if (turn === 20) throw error
        await pause(250)
      }
  }

  async function startOnce(): Promise<void> {
    const started = spawn(join(bin ?? '', 'postgres'), args, {
      ...user,
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    let said = ''
    await new Promise<void>((resolve, reject) => {
      const hear = (bytes: unknown) => {
        said += String(bytes)
        if (/ready to accept (read.only )?connections/.test(said)) resolve()
      }
      started.stdout?.on('data', hear)
      started.stderr?.on('data', hear)
      started.once('error', reject)
      started.once('exit', () => reject(new Error(`postgres ended: ${said}`)))
    })
  }

  /** The numbers of its processes: the main one, which the others are children of, comes first. */
  function processes(): number[] {
    if (child?.pid === undefined) return []
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
    return [child.pid, ...children.filter((each) => each !== '').map(Number)]
  }

  /** To all its processes; one that has just ended needs none. */
  function signal(name: NodeJS.Signals): void {
    for (const pid of processes())
      try {
        process.kill(pid, name)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
  }

  async function end(name: NodeJS.Signals): Promise<void> {
    const dying = child
    if (dying === undefined || dying.exitCode !== null || dying.signalCode !== null) return
    const gone = new Promise((resolve) => dying.once('exit', resolve))
    signal(name)
    await gone
    child = undefined
  }

  /** Runs one statement as the superuser. */
  function run(sql: string, database = 'postgres'): string {
    return execFileSync(
      join(bin ?? '', 'psql'),
      ['-X', '-q', '-t', '-A', '-v', 'ON_ERROR_STOP=1', '-c', sql, urlOf(database)],
      {
        encoding: 'utf8',
        // A test may let the server only read.
        env: { ...process.env, PGOPTIONS: '-c default_transaction_read_only=off' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    ).trim()
  }

  await start()
  return {
    /** For a superuser, with a password. */
    url: urlOf('postgres'),
    directory,
    processes,
    /** Makes an empty database; returns its URL. */
    database(name: string) {
      run(`CREATE DATABASE "${name}"`)
      return urlOf(name)
    },
    run,
    /** Whether its main process runs. */
    isRunning: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    /** Starts it again, with what it has stored. */
    start,
    /** SIGKILL to all its processes, and gone when it resolves. */
    kill: () => end('SIGKILL'),
    /** Freezes it: connections stay open, nothing is answered. */
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    /** Ends it and removes its directory. */
    async stop() {
      signal('SIGCONT')
      await end('SIGQUIT')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
