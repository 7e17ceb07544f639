// Runs git with argument arrays and an environment of its own, without the machine's configuration.
import { access, constants } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { createConnection } from './connection.ts'
import { type GitOutput, type GitProcess, GitStartError, startGit } from './git-runner.ts'

const hint =
  'git 2.38 or newer with http-backend is needed: install the git package (Debian: apt-get install git, Alpine: apk add git git-daemon)'
/** Larger output is refused instead of held in memory. */
const maxOutput = 256 * 1024 * 1024
/** Passed with the command, so that no file holds them. */
const settings: Record<string, string> = {
  'safe.directory': '*',
  'core.quotePath': 'false',
  // Background maintenance would write while the folder is removed.
  'gc.auto': '0',
  'receive.autogc': 'false',
  'maintenance.auto': 'false',
  'receive.hideRefs': 'refs/merge-requests',
  // Internal refs: not fetchable, not pushable.
  'transfer.hideRefs': 'refs/keep-around',
  'uploadpack.allowFilter': 'true',
  'uploadpack.allowAnySHA1InWant': 'true',
}

export interface GitIdentity {
  name: string
  email: string
}
interface GitOptions {
  input?: string | Buffer
  /** Of new commits. */
  author?: GitIdentity
  committer?: GitIdentity
  indexFile?: string
  environment?: Record<string, string>
  /** Milliseconds until the process and its children are ended. */
  timeLimit?: number
}
interface GitStream {
  input: Socket
  output: Socket
  questions: Socket | undefined
  /** Resolves when the process has ended and its output is complete, or it could not be started. */
  ended: Promise<void>
  end(): void
}
/** A project's id, or the folder of a bare repository. */
type Repository = number | string

export interface Git {
  /** Runs git in a bare repository, whatever its exit code. */
  run(project: Repository, args: readonly string[], options?: GitOptions): Promise<GitOutput>
  /** Returns the output; throws on failure. */
  text(project: Repository, args: readonly string[], options?: GitOptions): Promise<string>
  /** As text, without the blanks around it. */
  line(project: Repository, args: readonly string[], options?: GitOptions): Promise<string>
  /** Starts git with streams for the caller. `hooks`: a hooks folder; hooks talk over stream 3. */
  start(args: readonly string[], environment: Record<string, string>, hooks?: string): Promise<GitStream>
  /** Ends all running processes. */
  close(): Promise<void>
}

/** git refuses names without letters or digits, and strips line breaks and angle brackets. */
export function cleanPerson({ name, email }: GitIdentity): GitIdentity {
  const clean = (text: string) => text.replace(/[\r\n<>]/g, ' ').trim()
  return { name: /[\p{L}\p{N}]/u.test(name) ? clean(name) : 'Unknown', email: clean(email) }
}

export function machineVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('GIT_'),
    ),
  )
}

/** Only our git variables, and the machine's others (PATH, temporary folders). */
export function gitEnvironment(
  people: Pick<GitOptions, 'author' | 'committer'> = {},
  hooks = '/dev/null',
): Record<string, string> {
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
    // ref-files.ts reads this format only.
    GIT_DEFAULT_REF_FORMAT: 'files',
    // Empty, not absent: git would use SSH_ASKPASS instead.
    GIT_ASKPASS: '',
    GIT_LITERAL_PATHSPECS: '1',
    // Replacements come by push: one commit must not stand for another.
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

export function textOf({ code, stdout, stderr }: GitOutput, args: readonly string[]): string {
  if (code !== 0) throw new Error(`git ${args[0]} failed (${code}): ${stderr.trim()}`)
  return stdout.toString()
}

/** git for the repositories of a sandbox, `<project id>.git` in the folder. */
export function createGit(folder = '.'): Git {
  const streams = new Set<GitStream>()
  const processes = new Set<GitProcess>()

  async function run(project: Repository, args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
    const { indexFile, timeLimit } = options
    const repository = typeof project === 'string' ? project : join(folder, `${project}.git`)
    const env = {
      ...gitEnvironment(options),
      ...options.environment,
      ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }),
    }
    const begun = startGit({
      args: [`--git-dir=${repository}`, ...args],
      env,
      input: options.input ?? '',
      timeLimit,
      maxOutput,
    })
    processes.add(begun)
    try {
      return await begun.output
    } catch (cause) {
      throw cause instanceof GitStartError ? new Error(hint, { cause }) : cause
    } finally {
      processes.delete(begun)
    }
  }

  const text: Git['text'] = async (project, args, options) => textOf(await run(project, args, options), args)

  return {
    run,
    text,
    line: async (project, args, options) => (await text(project, args, options)).trim(),
    async start(args, environment, hooks) {
      const env = { ...gitEnvironment({}, hooks), ...environment }
      const [input, output, questions] = await Promise.all([
        createConnection(),
        createConnection(),
        hooks === undefined ? undefined : createConnection(),
      ])
      const begun = startGit({ args, env }, [
        input.far,
        output.far,
        ...(questions === undefined ? [] : [questions.far]),
      ])
      const started = follow(begun, input.near, output.near, questions?.near)
      streams.add(started)
      void started.ended.then(() => streams.delete(started))
      return started
    },
    async close() {
      for (const { end } of [...streams, ...processes]) end()
      await Promise.allSettled([
        ...[...streams].map(({ ended }) => ended),
        ...[...processes].map(({ output }) => output),
      ])
    },
  }
}

function follow(
  { output: result, end }: GitProcess,
  input: Socket,
  output: Socket,
  questions: Socket | undefined,
): GitStream {
  const closed = new Promise<void>((resolve) => output.once('close', () => resolve()))
  for (const stream of [input, output, questions]) stream?.on('error', () => undefined)
  // Reading shows when git closes its input.
  input.resume()
  output.once('end', () => output.end())
  // Do not wait for output that nobody reads.
  const over = result.then(
    () => void output.resume(),
    () => void output.resume(),
  )
  const ended = Promise.all([over, closed]).then(() => {
    input.destroy()
    questions?.destroy()
  })
  return { input, output, questions, ended, end }
}

const checkedPaths = new Set<string>()

/** Throws one line that says what to install when git is missing, older than 2.38, or without http-backend. */
export async function checkGit(): Promise<void> {
  const path = process.env.PATH ?? ''
  if (checkedPaths.has(path)) return
  const git = createGit()
  const about = await git.run('.', ['version'])
  const [, major, minor] = /(\d+)\.(\d+)/.exec(about.stdout.toString()) ?? []
  if (about.code !== 0 || Number(major) < 2 || (Number(major) === 2 && Number(minor) < 38) || major === undefined)
    throw new Error(hint)
  const folder = (await git.run('.', ['--exec-path'])).stdout.toString().trim()
  try {
    await access(join(folder, 'git-http-backend'), constants.X_OK)
  } catch (cause) {
    throw new Error(hint, { cause })
  }
  checkedPaths.add(path)
}
