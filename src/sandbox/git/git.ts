// Runs git: argument arrays only, an environment of its own for every process, nothing of the machine's configuration.
import { access, constants } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { createConnection } from './connection.ts'
import { rememberReads } from './remember-reads.ts'
import { type Begun, NotStarted, runApart, type Said, startApart } from './run-apart.ts'

const hint =
  'git 2.38 or newer with http-backend is needed: install the git package (Debian: apt-get install git, Alpine: apk add git git-daemon)'
/** Enough for any file or diff that a sandbox is asked for; what is larger is refused rather than kept in memory. */
const maxOutput = 256 * 1024 * 1024
/** Settings in the scope of the command: no file of the machine or the repository has to hold them. */
const settings: Record<string, string> = {
  'safe.directory': '*',
  'core.quotePath': 'false',
  // A collection in the background would still write when the folder is being removed.
  'gc.auto': '0',
  'receive.autogc': 'false',
  'maintenance.auto': 'false',
  'receive.hideRefs': 'refs/merge-requests',
  // What keeps commits of merge requests alive is nobody's to fetch or push.
  'transfer.hideRefs': 'refs/keep-around',
  'uploadpack.allowFilter': 'true',
  'uploadpack.allowAnySHA1InWant': 'true',
}

export interface Person {
  name: string
  email: string
}
export interface GitOptions {
  input?: string | Buffer
  /** Author and committer of commits that this process makes. */
  author?: Person
  committer?: Person
  indexFile?: string
  /** More variables for this process alone. */
  environment?: Record<string, string>
  /** Milliseconds after which the process and what it started are ended. */
  timeLimit?: number
}
export interface Started {
  input: Socket
  output: Socket
  /** Stream 3. */
  questions: Socket | undefined
  /** Resolves when the process is over, and has said all; also when it could not be started. */
  ended: Promise<void>
  /** Ends it, and what it started. */
  end(): void
}
export interface Git {
  /** Runs git in a bare repository and gives what it said, whatever its exit code. */
  run(repository: string, args: readonly string[], options?: GitOptions): Promise<Said>
  /** As run, but a failure throws; the output as text. */
  text(repository: string, args: readonly string[], options?: GitOptions): Promise<string>
  /** As run, for questions whose answer depends on nothing but commits named in full: a good answer is given again without a process. */
  readForGood(repository: string, args: readonly string[], input?: string): Promise<Said>
  /** Starts a git process whose streams the caller handles; with `hooks`, a folder, also a stream 3 for those that it runs. */
  start(args: readonly string[], environment: Record<string, string>, hooks?: string): Promise<Started>
  /** Ends the processes that still run. */
  close(): Promise<void>
}

/** git refuses names made only of what it strips, and takes line breaks and angle brackets out of the others. */
export function cleanPerson({ name, email }: Person): Person {
  const clean = (text: string): string => text.replace(/[\r\n<>]/g, ' ').trim()
  return { name: /[\p{L}\p{N}]/u.test(name) ? clean(name) : 'Unknown', email: clean(email) }
}

/** The machine's variables but git's own. */
export function machineVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('GIT_')),
  )
}

/** What a git process sees: git's own variables are ours alone, the rest is the machine's (PATH, temporary folders). */
export function gitEnvironment(people: Pick<GitOptions, 'author' | 'committer'> = {}, hooks = '/dev/null'): Record<string, string> {
  const author = cleanPerson(people.author ?? { name: 'Sandbox', email: 'sandbox@example.com' })
  const committer = cleanPerson(people.committer ?? author)
  const settingsNow = { ...settings, 'core.hooksPath': hooks }
  const configuration = Object.entries(settingsNow).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return {
    ...machineVariables(),
    ...Object.fromEntries(configuration),
    GIT_CONFIG_COUNT: String(Object.keys(settingsNow).length),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    // What git may choose otherwise one day, and ref-files.ts could not read.
    GIT_DEFAULT_REF_FORMAT: 'files',
    // Empty, not absent: git would ask the program of SSH_ASKPASS instead.
    GIT_ASKPASS: '',
    GIT_LITERAL_PATHSPECS: '1',
    // Replacements come by push: one commit must not be shown, or judged, in the place of another.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
    LC_ALL: 'C',
  }
}

/** What git said as text; a failure throws. */
export function textOf({ code, stdout, stderr }: Said, args: readonly string[]): string {
  if (code !== 0) throw new Error(`git ${args[0]} failed (${code}): ${stderr.trim()}`)
  return stdout.toString()
}

/** git for one sandbox. */
export function createGit(): Git {
  const running = new Set<Started>()
  const apart = new Set<Begun>()

  async function run(repository: string, args: readonly string[], options: GitOptions = {}): Promise<Said> {
    const { indexFile, timeLimit } = options
    const env = {
      ...gitEnvironment(options),
      ...options.environment,
      ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }),
    }
    const begun = runApart({ args: [`--git-dir=${repository}`, ...args], env, input: options.input ?? '', timeLimit, maxOutput })
    apart.add(begun)
    try {
      return await begun.said
    } catch (cause) {
      throw cause instanceof NotStarted ? new Error(hint, { cause }) : cause
    } finally {
      apart.delete(begun)
    }
  }

  return {
    run,
    readForGood: rememberReads(run),
    text: async (repository, args, options) => textOf(await run(repository, args, options), args),
    async start(args, environment, hooks) {
      const env = { ...gitEnvironment({}, hooks), ...environment }
      const [input, output, questions] = await Promise.all([
        createConnection(),
        createConnection(),
        hooks === undefined ? undefined : createConnection(),
      ])
      const begun = startApart({ args, env }, [input.far, output.far, ...(questions === undefined ? [] : [questions.far])])
      const started = follow(begun, input.near, output.near, questions?.near)
      running.add(started)
      void started.ended.then(() => running.delete(started))
      return started
    },
    async close() {
      for (const { end } of [...running, ...apart]) end()
      await Promise.allSettled([...[...running].map(({ ended }) => ended), ...[...apart].map(({ said }) => said)])
    },
  }
}

function follow({ said, end }: Begun, input: Socket, output: Socket, questions: Socket | undefined): Started {
  const closed = new Promise<void>((resolve) => output.once('close', () => resolve()))
  // A stream that breaks off has ended.
  for (const stream of [input, output, questions]) stream?.on('error', () => undefined)
  // git never writes to what it reads from; that it is closed has to be seen all the same.
  input.resume()
  output.once('end', () => output.end())
  // What nobody has read when git is over is not waited for.
  const over = said.then(
    () => void output.resume(),
    () => void output.resume(),
  )
  const ended = Promise.all([over, closed]).then(() => {
    input.destroy()
    questions?.destroy()
  })
  return { input, output, questions, ended, end }
}

/** Values of PATH whose git was found fit. */
const fit = new Set<string>()

/** Throws one line that says what to install when git is missing, too old for `merge-tree --write-tree`, or without http-backend. */
export async function checkGit(): Promise<void> {
  const path = process.env.PATH ?? ''
  if (fit.has(path)) return
  const git = createGit()
  const about = await git.run('.', ['version'])
  const [, major, minor] = /(\d+)\.(\d+)/.exec(about.stdout.toString()) ?? []
  if (about.code !== 0 || Number(major) < 2 || (Number(major) === 2 && Number(minor) < 38) || major === undefined) throw new Error(hint)
  const folder = (await git.run('.', ['--exec-path'])).stdout.toString().trim()
  try {
    await access(join(folder, 'git-http-backend'), constants.X_OK)
  } catch (cause) {
    throw new Error(hint, { cause })
  }
  fit.add(path)
}
